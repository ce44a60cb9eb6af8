// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>
#include <helicity/io/raster.hpp>
#include <helicity/weather/storm_case.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace helicity::weather {

/// Height of the ground of all columns of a storm, m.
class HELICITY_EXPORT GroundMap
{
 public:
  /// Reads the raster that a configuration with terrain.kind = "file" names, interpolates it
  /// bilinearly to the cells, smooths and tapers it.
  /// @throws InputError, naming the file: as io::read_raster; columns beyond the raster, or where
  ///   it has no value
  explicit GroundMap(const StormCase& config);

  /// Of the column that holds a point, m from the low corner of the domain.
  double height(double x, double y) const;

  std::uint64_t hash() const;  ///< of all heights

 private:
  double& at(Index i, Index j) { return heights_[static_cast<std::size_t>(i + cells_[0] * j)]; }
  void interpolate(const StormCase& config, const io::Raster& raster);
  void smooth(int axis, bool periodic);
  void taper(double width);

  std::array<Index, 2> cells_;
  std::array<double, 2> spacing_;
  std::vector<double> heights_;
};

}  // namespace helicity::weather
