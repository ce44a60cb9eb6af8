// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/weather/ground_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace helicity::weather {
namespace {

/// Where a coordinate lies among those of a raster: between `low` and the next one.
struct Place
{
  std::size_t low = 0;
  double part = 0;  ///< of the way to the next one, 0 to 1
};

/// @pre x is within the coordinates
Place place_of(const std::vector<double>& coordinates, double x)
{
  const auto above = std::upper_bound(coordinates.begin() + 1, coordinates.end() - 1, x);
  const auto low = static_cast<std::size_t>(above - coordinates.begin()) - 1;
  return {low, (x - coordinates[low]) / (coordinates[low + 1] - coordinates[low])};
}

/// NaN where a value that counts is missing.
double bilinear(const io::Raster& r, const Place& x, const Place& y)
{
  double sum = 0;
  for (const std::size_t j : {0u, 1u})
    for (const std::size_t i : {0u, 1u}) {
      const double weight = (i == 0 ? 1 - x.part : x.part) * (j == 0 ? 1 - y.part : y.part);
      if (weight != 0) sum += weight * r.at(x.low + i, y.low + j);
    }
  return sum;
}

/// @throws InputError if the centres of an axis' cells are not within the raster
void check_extent(const StormCase& c, std::size_t axis, const std::vector<double>& coordinates)
{
  const char name = axis == 0 ? 'x' : 'y';
  if (coordinates.size() < 2)
    throw InputError(
        fmt::format("{}: one line of constant {}: two are needed", c.terrain_file, name));
  const double first = c.terrain_origin[axis] + c.spacing[axis] / 2;
  const double last = first + static_cast<double>(c.cells[axis] - 1) * c.spacing[axis];
  if (first < coordinates.front() || last > coordinates.back())
    throw InputError(fmt::format(
        "{}: {} reaches from {:.10g} to {:.10g} m, centres of cells from {:.10g} to {:.10g} m: "
        "terrain.origin is the low corner of the domain",
        c.terrain_file, name, coordinates.front(), coordinates.back(), first, last));
}

}  // namespace

GroundMap::GroundMap(const StormCase& config)
    : cells_{config.cells[0], config.cells[1]},
      spacing_{config.spacing[0], config.spacing[1]},
      heights_(static_cast<std::size_t>(config.cells[0] * config.cells[1]))
{
  if (config.terrain_file.empty())
    throw UsageError("terrain.file: terrain.kind is \"file\", and none is named");
  interpolate(config, io::read_raster(config.terrain_file, config.terrain_variable));
  for (std::int64_t n = 0; n < config.terrain_smoothing; ++n)
    for (const int axis : {0, 1})
      smooth(axis, config.ends[static_cast<std::size_t>(axis)] == "periodic");
  if (config.terrain_taper > 0) taper(config.terrain_taper);
}

void GroundMap::interpolate(const StormCase& config, const io::Raster& raster)
{
  check_extent(config, 0, raster.x);
  check_extent(config, 1, raster.y);
  for (Index j = 0; j < cells_[1]; ++j)
    for (Index i = 0; i < cells_[0]; ++i) {
      const double x = config.terrain_origin[0] + (static_cast<double>(i) + 0.5) * spacing_[0];
      const double y = config.terrain_origin[1] + (static_cast<double>(j) + 0.5) * spacing_[1];
      const double h = bilinear(raster, place_of(raster.x, x), place_of(raster.y, y));
      if (!std::isfinite(h))
        throw InputError(
            fmt::format("{}: {} has no value at x = {:.10g}, y = {:.10g} m (cell {}, {})",
                        config.terrain_file, raster.name, x, y, i, j));
      at(i, j) = h;
    }
}

/// Weights 1, 2, 1 along an axis: takes away waves of two cells.
void GroundMap::smooth(int axis, bool periodic)
{
  const std::vector<double> before = heights_;
  const Index n = cells_[static_cast<std::size_t>(axis)];
  if (n == 1) return;
  const Index stride = axis == 0 ? 1 : cells_[0];
  for (Index j = 0; j < cells_[1]; ++j)
    for (Index i = 0; i < cells_[0]; ++i) {
      const Index a = axis == 0 ? i : j, c = i + cells_[0] * j;
      const Index low = a > 0 ? c - stride : periodic ? c + (n - 1) * stride : c;
      const Index high = a + 1 < n ? c + stride : periodic ? c - (n - 1) * stride : c;
      const auto h = [&](Index m) { return before[static_cast<std::size_t>(m)]; };
      at(i, j) = ((h(low) + h(high)) + 2 * h(c)) / 4;
    }
}

/// Brings the ground down to its lowest height towards the sides.
void GroundMap::taper(double width)
{
  const double lowest = *std::min_element(heights_.begin(), heights_.end());
  const auto factor = [&](Index a, std::size_t axis) {
    if (cells_[axis] == 1) return 1.0;
    const Index near = std::min(a, cells_[axis] - 1 - a);
    const double part = std::min(1.0, (static_cast<double>(near) + 0.5) * spacing_[axis] / width);
    const double s = std::sin(std::numbers::pi / 2 * part);
    return s * s;
  };
  for (Index j = 0; j < cells_[1]; ++j)
    for (Index i = 0; i < cells_[0]; ++i)
      at(i, j) = lowest + (at(i, j) - lowest) * (factor(i, 0) * factor(j, 1));
}

std::uint64_t GroundMap::hash() const
{
  std::uint64_t sum = 0, place = 0;
  for (const double h : heights_) sum += grid::hash_cell(grid::bits_of(h), place++);
  return sum;
}

double GroundMap::height(double x, double y) const
{
  const auto cell = [&](double at, std::size_t axis) {
    return std::clamp<Index>(static_cast<Index>(std::floor(at / spacing_[axis])), 0,
                             cells_[axis] - 1);
  };
  return heights_[static_cast<std::size_t>(cell(x, 0) + cells_[0] * cell(y, 1))];
}

}  // namespace helicity::weather
