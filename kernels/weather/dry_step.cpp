// SPDX-License-Identifier: Apache-2.0
// CPU: tiles of rows on threads; the cells of a row in dry_rows.cpp.
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/weather/diagnosis.hpp>
#include <helicity/weather/dynamics.hpp>
#include <weather/dry_rows.hpp>
#include <weather/tiles.hpp>

#include <type_traits>

namespace helicity::weather {
namespace {

template <class T>
const DryLoops<T>& loops()
{
  if constexpr (std::is_same_v<T, float>)
    return HELICITY_PICK_ISA(dry_loops_float)();
  else
    return HELICITY_PICK_ISA(dry_loops_double)();
}

}  // namespace

template <class T>
void diagnose(Cpu exec, const Dynamics<T>& d)
{
  const DryLoops<T>& l = loops<T>();
  const Index halo = d.slab ? 0 : halo_width;
  const grid::Box rows{{0, -halo, 0}, {d.cells.i, d.cells.j + halo, d.cells.k}};
  grid::for_rows(exec, rows, [&](Index j, Index k) { l.diagnose_row(d, j, k); });
}

template <class T>
void prepare_stage(Cpu exec, const Dynamics<T>& d)
{
  const DryLoops<T>& l = loops<T>();
  for_tiles(exec, d, [&](Tile tile) { l.prepare_tile(d, tile); });
}

template <class T>
void step_horizontal(Cpu exec, const Dynamics<T>& d)
{
  const DryLoops<T>& l = loops<T>();
  for_tiles(exec, d, [&](Tile tile) { l.step_horizontal(d, tile); });
}

template <class T>
void step_columns(Cpu exec, const Dynamics<T>& d)
{
  const DryLoops<T>& l = loops<T>();
  for_tiles(exec, d, [&](Tile tile) { l.step_columns(d, tile); });
}

template <class T>
void finish_stage(Cpu exec, const Dynamics<T>& d)
{
  const DryLoops<T>& l = loops<T>();
  for_tiles(exec, d, [&](Tile tile) { l.finish_tile(d, tile); });
}

template <class T>
void centre_velocities(Cpu exec, const Dynamics<T>& d)
{
  grid::for_cells(exec, grid::box_of(d.cells),
                  [&](Index i, Index j, Index k) { centre_velocity(d, d.at(i, j, k)); });
}

template <class T>
std::int64_t first_bad_cell(Cpu exec, const Dynamics<T>& d, Index3 offset, Index3 global,
                            const HealthLimits& limits)
{
  using First = grid::Min<std::int64_t>;
  const std::int64_t first = grid::reduce_cells<First>(
      exec, grid::box_of(d.cells), [&](Index i, Index j, Index k) -> std::int64_t {
        if (!is_bad(d, d.level[k], d.at(i, j, k), limits)) return First::identity;
        return (offset.i + i) + global.i * ((offset.j + j) + global.j * (offset.k + k));
      });
  return first == First::identity ? -1 : first;
}

#define HELICITY_INSTANTIATE(T)                                                 \
  template void diagnose(Cpu, const Dynamics<T>&);                              \
  template void prepare_stage(Cpu, const Dynamics<T>&);                         \
  template void step_horizontal(Cpu, const Dynamics<T>&);                       \
  template void step_columns(Cpu, const Dynamics<T>&);                          \
  template void finish_stage(Cpu, const Dynamics<T>&);                          \
  template void centre_velocities(Cpu, const Dynamics<T>&);                     \
  template std::int64_t first_bad_cell(Cpu, const Dynamics<T>&, Index3, Index3, \
                                       const HealthLimits&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
