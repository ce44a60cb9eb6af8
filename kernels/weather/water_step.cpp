// SPDX-License-Identifier: Apache-2.0
// CPU: tiles of rows on threads; the cells of a row in water_rows.cpp.
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/weather/transport.hpp>
#include <weather/tiles.hpp>
#include <weather/water_rows.hpp>

#include <type_traits>

namespace helicity::weather {
namespace {

template <class T>
const WaterLoops<T>& loops()
{
  if constexpr (std::is_same_v<T, float>)
    return HELICITY_PICK_ISA(water_loops_float)();
  else
    return HELICITY_PICK_ISA(water_loops_double)();
}

}  // namespace

template <class T>
void find_contents(Cpu exec, const Dynamics<T>& d, const Water<T>& w)
{
  const WaterLoops<T>& l = loops<T>();
  const Index halo = d.slab ? 0 : halo_width;
  const grid::Box rows{{0, -halo, 0}, {d.cells.i, d.cells.j + halo, d.cells.k}};
  grid::for_rows(exec, rows, [&](Index j, Index k) { l.contents(d, w, j, k); });
}

template <class T>
void add_expansion(Cpu exec, const Dynamics<T>& d, const Water<T>& w)
{
  const WaterLoops<T>& l = loops<T>();
  for_tiles(exec, d, [&](Tile tile) { l.expand(d, w, tile); });
}

template <class T>
void average_fluxes(Cpu exec, const Dynamics<T>& d, const Water<T>& w)
{
  const WaterLoops<T>& l = loops<T>();
  for_tiles(exec, d, [&](Tile tile) { l.average_across(d, w, tile); });
  for_tiles(exec, d, [&](Tile tile) { l.average_up(d, w, tile); });
}

template <class T>
void limit_outflow(Cpu exec, const Dynamics<T>& d, const Water<T>& w)
{
  const WaterLoops<T>& l = loops<T>();
  for_tiles(exec, d, [&](Tile tile) { l.limit(d, w, tile); });
}

template <class T>
void move_water(Cpu exec, const Dynamics<T>& d, const Water<T>& w, bool limited)
{
  const WaterLoops<T>& l = loops<T>();
  for_tiles(exec, d, [&](Tile tile) { l.move(d, w, tile, limited); });
}

template <class T>
std::int64_t first_bad_water(Cpu exec, const Dynamics<T>& d, const Water<T>& w, Index3 offset,
                             Index3 global)
{
  using First = grid::Min<std::int64_t>;
  const std::int64_t first = grid::reduce_cells<First>(
      exec, grid::box_of(d.cells), [&](Index i, Index j, Index k) -> std::int64_t {
        if (!is_bad_water(w, d.at(i, j, k))) return First::identity;
        return (offset.i + i) + global.i * ((offset.j + j) + global.j * (offset.k + k));
      });
  return first == First::identity ? -1 : first;
}

#define HELICITY_INSTANTIATE(T)                                             \
  template void find_contents(Cpu, const Dynamics<T>&, const Water<T>&);    \
  template void add_expansion(Cpu, const Dynamics<T>&, const Water<T>&);    \
  template void average_fluxes(Cpu, const Dynamics<T>&, const Water<T>&);   \
  template void limit_outflow(Cpu, const Dynamics<T>&, const Water<T>&);    \
  template void move_water(Cpu, const Dynamics<T>&, const Water<T>&, bool); \
  template std::int64_t first_bad_water(Cpu, const Dynamics<T>&, const Water<T>&, Index3, Index3);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
