// SPDX-License-Identifier: Apache-2.0
// The state at the start.
#include <helicity/core/device.hpp>
#include <helicity/weather/detail/storm_model.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace helicity::weather::detail {
namespace {

/// Evaluates a setup at cells and faces, by global index.
class Start
{
 public:
  Start(const StormSetup& setup, const Column& column)
      : setup_(setup),
        column_(column),
        ground_(setup),
        profile_(setup.theta, ground_.flat() ? 1 : ground_.top(), setup.surface_pressure,
                 setup.constants)
  {}

  /// rho of the column, and rho' of a cell, times G; cells beyond the ends are those that stand
  /// there.
  std::pair<double, double> rho(Index3 cell) const
  {
    for (int axis = 0; axis < 2; ++axis) {
      const Index n = setup_.cells[axis];
      const bool wraps = setup_.periodic[static_cast<std::size_t>(axis)];
      cell[axis] = wraps ? (cell[axis] + n) % n : std::clamp<Index>(cell[axis], 0, n - 1);
    }
    const GridPoint p = point(cell, -1);
    const StormInitial added = setup_.initial ? setup_.initial(p) : StormInitial{};
    const double excess = added.isochoric ? 0 : added.theta;
    const auto k = static_cast<std::size_t>(cell.k);
    double rho = column_.rho[k], theta = column_.theta[k];
    if (!ground_.flat()) {
      const HydrostaticProfile::Air air = profile_.at(p.z);
      rho = air.rho * ground_.jacobian(cell.i, cell.j);
      theta = air.theta;
    }
    return {rho, -rho * excess / (theta + excess)};
  }

  /// Theta' of a cell, times G.
  double theta(Index3 cell) const
  {
    const StormInitial added = setup_.initial ? setup_.initial(point(cell, -1)) : StormInitial{};
    return added.isochoric ? rho(cell).first * added.theta : 0;
  }

  /// Momentum through the low face of a cell across an axis.
  double momentum(Index3 cell, int axis) const
  {
    Index3 before = cell;
    --before[axis];
    const GridPoint p = point(cell, axis);
    const auto [a, a_excess] = rho(before);
    const auto [b, b_excess] = rho(cell);
    const auto [u, v] = setup_.wind ? setup_.wind(p.z) : std::pair<double, double>{};
    const std::array<double, 3> wind{u, v, 0};
    double speed = wind[static_cast<std::size_t>(axis)];
    if (setup_.initial) speed += setup_.initial(p).velocity[static_cast<std::size_t>(axis)];
    return ((a + a_excess) + (b + b_excess)) / 2 * speed;
  }

  /// rho q of vapour or cloud of a cell, times G.
  double water(Index3 cell, Species species) const
  {
    const GridPoint p = point(cell, -1);
    const auto& of_column = species == vapour ? setup_.vapour : setup_.cloud;
    double content = of_column ? of_column(p.z) : 0;
    if (setup_.initial) {
      const StormInitial more = setup_.initial(p);
      content += species == vapour ? more.vapour : more.cloud;
    }
    const auto [all, excess] = rho(cell);
    return (all + excess) * std::max(content, 0.0);
  }

 private:
  /// Centre of a cell, or of its low face across an axis.
  GridPoint point(Index3 cell, int face) const
  {
    GridPoint p;
    std::array<double, 3> x;
    for (int a = 0; a < 3; ++a) {
      p.twice[a] = 2 * cell[a] + (a == face ? 0 : 1);
      x[static_cast<std::size_t>(a)] =
          static_cast<double>(p.twice[a]) / 2 * setup_.spacing[static_cast<std::size_t>(a)];
    }
    p.x = x[0];
    p.y = x[1];
    p.z = x[2];
    if (ground_.flat()) return p;
    double h = ground_.height(cell.i, cell.j);
    if (face == 0) h = (h + ground_.height(cell.i - 1, cell.j)) / 2;
    if (face == 1) h = (h + ground_.height(cell.i, cell.j - 1)) / 2;
    p.z = ground_.level(h, x[2]);
    return p;
  }

  const StormSetup& setup_;
  const Column& column_;
  GroundHeight ground_;
  HydrostaticProfile profile_;
};

/// Sets the owned cells of a component, on the host, then on its device.
template <class T, class F>
void set_component(grid::Field<T>& field, int component, const Executor& executor, F&& value)
{
  const grid::Box owned = field.owned();
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(owned.cells()));
  for (Index k = 0; k < owned.hi.k; ++k)
    for (Index j = 0; j < owned.hi.j; ++j)
      for (Index i = 0; i < owned.hi.i; ++i)
        values.push_back(static_cast<T>(value(field.shape().offset + Index3{i, j, k})));
  io::scatter_block(field, component, values);
  if (const auto* cuda = std::get_if<Cuda>(&executor)) synchronize(*cuda);
}

/// The same for the high faces of the owned cells.
template <class T, class F>
void set_high_faces(State<T>& state, int axis, F&& value)
{
  const grid::FieldShape& shape = state.u.shape();
  std::vector<T> values;
  for (Index k = 0; k < shape.cells.k; ++k)
    for (Index j = 0; j < shape.cells.j; ++j)
      for (Index i = 0; i < shape.cells.i; ++i) {
        Index3 face = shape.offset + Index3{i, j, k};
        ++face[axis];
        values.push_back(static_cast<T>(value(face)));
      }
  state.set_high_faces(axis, std::move(values));
}

}  // namespace

template <class T>
void Model<T>::set_initial()
{
  const Start start(setup_, column_);
  set_component(now_.scalars, 0, executor_, [&](Index3 c) { return start.rho(c).second; });
  set_component(now_.scalars, 1, executor_, [&](Index3 c) { return start.theta(c); });
  if (energy_on_)
    set_component(now_.scalars, 2, executor_, [&](Index3) { return setup_.mixing.energy_start; });
  set_component(now_.u, 0, executor_, [&](Index3 c) { return start.momentum(c, 0); });
  if (dynamics_.has_v)
    set_component(now_.v, 0, executor_, [&](Index3 c) { return start.momentum(c, 1); });
  set_component(now_.w, 0, executor_, [&](Index3 c) { return c.k > 0 ? start.momentum(c, 2) : 0; });
  if (water_.species > 0)
    for (const Species s : {vapour, cloud})
      set_component(now_.water, s, executor_, [&](Index3 c) { return start.water(c, s); });
  for (const int axis : {0, 1})
    if (dynamics_.open[2 * axis + 1])
      set_high_faces(now_, axis, [&](Index3 c) { return start.momentum(c, axis); });
  wait();
}

template void Model<float>::set_initial();
template void Model<double>::set_initial();

}  // namespace helicity::weather::detail
