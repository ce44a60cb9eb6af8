// SPDX-License-Identifier: Apache-2.0
// CPU: tiles of columns on threads; the columns of a tile in moist_rows.cpp.
#include <helicity/core/parallel.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/weather/microphysics.hpp>
#include <weather/moist_rows.hpp>

#include <algorithm>
#include <type_traits>

namespace helicity::weather {
namespace {

template <class T>
const MoistLoops<T>& loops()
{
  if constexpr (std::is_same_v<T, float>)
    return HELICITY_PICK_ISA(moist_loops_float)();
  else
    return HELICITY_PICK_ISA(moist_loops_double)();
}

/// Owned rows and those of the halo.
template <class T>
grid::Box rows_of(const Dynamics<T>& d, Index levels)
{
  const Index halo = d.slab ? 0 : halo_width;
  return {{0, -halo, 0}, {d.cells.i, d.cells.j + halo, levels}};
}

}  // namespace

template <class T>
void moist_physics(Cpu exec, const Dynamics<T>& d, const Water<T>& w, const Microphysics<T>& m)
{
  const MoistLoops<T>& l = loops<T>();
  const grid::Box rows = rows_of(d, 1);
  const Index width = exec.threads == 1 ? tile_width : 64;
  const Index first = -halo_width, last = d.cells.i + halo_width;
  const Index across = (last - first + width - 1) / width, tiles = across * rows.size().j;
  parallel_for(exec.threads, static_cast<std::size_t>(tiles), [&](std::size_t tile, int) {
    const auto t = static_cast<Index>(tile);
    const Index from = first + t % across * width;
    l.change_tile(d, w, m, Tile{rows.lo.j + t / across, from, std::min(last, from + width)});
  });
}

template <class T>
void keep_velocities(Cpu exec, const Dynamics<T>& d, const Water<T>& w)
{
  const MoistLoops<T>& l = loops<T>();
  grid::for_rows(exec, rows_of(d, d.cells.k), [&](Index j, Index k) { l.keep_row(d, w, j, k); });
}

#define HELICITY_INSTANTIATE(T)                                                                  \
  template void moist_physics(Cpu, const Dynamics<T>&, const Water<T>&, const Microphysics<T>&); \
  template void keep_velocities(Cpu, const Dynamics<T>&, const Water<T>&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
