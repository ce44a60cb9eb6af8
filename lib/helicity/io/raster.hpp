// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <string>
#include <vector>

namespace helicity::io {

/// Values at the crossings of lines of constant x and y, x fastest; both coordinates rise.
struct Raster
{
  std::string name;            ///< of the variable
  std::vector<double> x, y;    ///< metres
  std::vector<double> values;  ///< NaN where the file has none

  double at(std::size_t i, std::size_t j) const { return values[i + x.size() * j]; }
};

/// Reads a variable of two dimensions (y, x) of an HDF5 or netCDF-4 file, any type of number;
/// _FillValue and missing_value become NaN, scale_factor and add_offset are applied. Coordinates
/// are the variables x and y of one dimension, in metres, rising or falling. This rank alone reads.
/// @param variable  empty: the only one of two dimensions
/// @throws InputError naming the file and what is missing or of another kind: geographic
///   coordinates, units other than metres, coordinates that do not rise or fall. UsageError if the
///   library was built without HDF5
HELICITY_EXPORT Raster read_raster(const std::string& path, const std::string& variable);

}  // namespace helicity::io
