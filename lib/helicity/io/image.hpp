// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace helicity::io {

enum class ColourMap : std::uint8_t { viridis, balance };  ///< sequential; diverging about 0

struct ImageOptions
{
  ColourMap map = ColourMap::viridis;
  double lowest = 0, highest = 0;  ///< range of the colours; equal: the range of the data
  std::string title;               ///< above the picture: variable, unit, time
  int least_pixels = 512;          ///< cells are drawn as squares until the longer side has so many
  int most_pixels = 4096;          ///< beyond it cells are left out
};

/// Draws a 2-D array as a PNG with a title and a labelled colour bar; the first row at the bottom.
/// NaN cells (solids) are grey. The file is written beside and renamed.
/// @param values  nx * ny numbers, x fastest
/// @throws UsageError if sizes do not fit; RuntimeFault for a file that cannot be written
HELICITY_EXPORT void write_image(const std::string& path, const std::vector<double>& values, int nx,
                                 int ny, const ImageOptions& options);

}  // namespace helicity::io
