// SPDX-License-Identifier: Apache-2.0
// What levels that follow the ground need.
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/weather/detail/storm_model.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace helicity::weather::detail {
namespace {

/// Index of the cell that stands at i: wrapped, mirrored, or the last one before an open end.
Index cell_at(Index i, Index n, bool periodic, const std::array<bool, 2>& open)
{
  if (periodic) return ((i % n) + n) % n;
  if (i < 0 && open[0]) return 0;
  if (i >= n && open[1]) return n - 1;
  return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}

/// Calls value(global index, k) for every cell of a host field and its halo along i and j.
template <class T, class F>
void fill(grid::Field<T>& field, int component, F&& value)
{
  const View3<T> v = field.view(component);
  const grid::FieldShape& shape = field.shape();
  const grid::Box box = shape.with_halo();
  for (Index k = 0; k < shape.cells.k; ++k)
    for (Index j = box.lo.j; j < box.hi.j; ++j)
      for (Index i = box.lo.i; i < box.hi.i; ++i)
        v(i, j, k) = static_cast<T>(value(shape.offset + Index3{i, j, k}));
}

template <class T>
void move_to(const Executor& executor, grid::Field<T>& to, grid::Field<T>&& from)
{
  const auto* cuda = std::get_if<Cuda>(&executor);
  if (cuda == nullptr) {
    to = std::move(from);
    return;
  }
  to = grid::Field<T>(from.shape(), executor);
  copy_bytes(to.buffer().data(), from.buffer().data(), from.buffer().bytes(), *cuda);
  synchronize(*cuda);
}

}  // namespace

double GroundHeight::height(Index i, Index j) const
{
  if (flat()) return 0;
  const Index x = cell_at(i, setup_.cells.i, setup_.periodic[0], setup_.open[0]),
              y = cell_at(j, setup_.cells.j, setup_.periodic[1], setup_.open[1]);
  return setup_.terrain((static_cast<double>(x) + 0.5) * setup_.spacing[0],
                        (static_cast<double>(y) + 0.5) * setup_.spacing[1]);
}

double GroundHeight::slope(Index i, Index j, int axis) const
{
  const Index before_i = axis == 0 ? i - 1 : i, before_j = axis == 1 ? j - 1 : j;
  return (height(i, j) - height(before_i, before_j)) /
         setup_.spacing[static_cast<std::size_t>(axis)];
}

double GroundHeight::cell_slope(Index i, Index j, int axis) const
{
  const int even = setup_.order_across + setup_.order_across % 2;
  const Weights<double> w = weights_of_order<double>(even);
  const auto h = [&](Index n) { return axis == 0 ? height(i + n, j) : height(i, j + n); };
  const auto face = [&](Index n) {
    return even_part(Stencil<double>{h(n - 3), h(n - 2), h(n - 1), h(n), h(n + 1), h(n + 2)}, w);
  };
  return (face(1) - face(0)) / setup_.spacing[static_cast<std::size_t>(axis)];
}

void check_terrain(const StormSetup& setup)
{
  if (!setup.terrain) return;
  const GroundHeight ground(setup);
  for (Index j = 0; j < setup.cells.j; ++j)
    for (Index i = 0; i < setup.cells.i; ++i) {
      const double h = ground.height(i, j);
      if (!(h >= 0 && h < 0.5 * ground.top()))
        throw UsageError(fmt::format(
            "ground of {:.6g} m at cell {}, {}: it must be from 0 to half the height of the domain",
            h, i, j));
      for (int axis = 0; axis < (setup.cells.j > 1 ? 2 : 1); ++axis) {
        const double slope = ground.slope(i, j, axis);
        if (std::fabs(slope) > 1)
          throw UsageError(fmt::format(
              "ground at cell {}, {} rises by {:.3g}: steeper than 45 degrees is not possible", i,
              j, slope));
      }
    }
}

template <class T>
void Model<T>::set_terrain()
{
  const GroundHeight ground(setup_);
  if (ground.flat()) return;
  const HydrostaticProfile profile(setup_.theta, ground.top(), setup_.surface_pressure,
                                   setup_.constants);
  grid::Field<T> reference(storm_shape(owned_, slab_, reference_count), Cpu{});
  const auto air = [&](Index3 c) {
    const double zeta = (static_cast<double>(c.k) + 0.5) * setup_.spacing[2];
    return profile.at(ground.level(ground.height(c.i, c.j), zeta));
  };
  const auto g = [&](Index3 c) { return ground.jacobian(c.i, c.j); };
  fill(reference, reference_rho, [&](Index3 c) { return g(c) * air(c).rho; });
  fill(reference, reference_density, [&](Index3 c) { return g(c) * air(c).density; });
  fill(reference, reference_theta, [&](Index3 c) { return air(c).theta; });
  fill(reference, reference_pressure, [&](Index3 c) { return air(c).pressure; });

  const grid::Box columns{owned_.lo, {owned_.hi.i, owned_.hi.j, owned_.lo.k + 1}};
  grid::Field<T> plane(storm_shape(columns, slab_, ground_count), Cpu{});
  fill(plane, ground_per_jacobian, [&](Index3 c) { return 1 / g(c); });
  fill(plane, ground_jacobian_u, [&](Index3 c) { return (g(c - Index3{1, 0, 0}) + g(c)) / 2; });
  fill(plane, ground_jacobian_v, [&](Index3 c) { return (g(c - Index3{0, 1, 0}) + g(c)) / 2; });
  fill(plane, ground_slope_u, [&](Index3 c) { return ground.slope(c.i, c.j, 0); });
  fill(plane, ground_slope_v, [&](Index3 c) { return ground.slope(c.i, c.j, 1); });
  fill(plane, ground_slope_x, [&](Index3 c) { return ground.cell_slope(c.i, c.j, 0); });
  fill(plane, ground_slope_y, [&](Index3 c) { return ground.cell_slope(c.i, c.j, 1); });
  move_to(executor_, reference_, std::move(reference));
  move_to(executor_, ground_, std::move(plane));

  const auto in = [&](int m) { return reference_.view(m).origin; };
  const auto on = [&](int m) { return ground_.view(m).origin; };
  dynamics_.hilly = true;
  dynamics_.terrain = {in(reference_rho),       in(reference_density),    in(reference_theta),
                       in(reference_pressure),  in(reference_full_theta), in(reference_flux_up),
                       on(ground_per_jacobian), on(ground_jacobian_u),    on(ground_jacobian_v),
                       on(ground_slope_u),      on(ground_slope_v),       on(ground_slope_x),
                       on(ground_slope_y)};
}

template void Model<float>::set_terrain();
template void Model<double>::set_terrain();

}  // namespace helicity::weather::detail
