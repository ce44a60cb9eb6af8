// SPDX-License-Identifier: Apache-2.0
// CPU: tiles of rows on threads; the cells of a row in dry_rows.cpp.
#include <helicity/core/parallel.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/weather/diagnosis.hpp>
#include <helicity/weather/dynamics.hpp>
#include <weather/dry_rows.hpp>

#include <algorithm>
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

/// Calls f(tile) for tiles of all columns: some per thread, 64 to 256 cells wide.
template <class T, class F>
void for_tiles(Cpu exec, const Dynamics<T>& d, F&& f)
{
  const Index n = d.cells.i, rows = d.cells.j;
  const Index wanted = (4 * exec.threads + rows - 1) / rows;
  const Index width = exec.threads == 1
                          ? tile_width
                          : std::clamp<Index>((n / wanted + 15) / 16 * 16, 64, tile_width);
  const Index across = (n + width - 1) / width, tiles = across * rows;
  const Index pieces = std::min<Index>(tiles, exec.threads == 1 ? 1 : 8 * exec.threads);
  parallel_for(exec.threads, static_cast<std::size_t>(pieces), [&](std::size_t p, int) {
    const auto piece = static_cast<Index>(p);
    for (Index t = tiles * piece / pieces; t < tiles * (piece + 1) / pieces; ++t) {
      const Index first = t % across * width;
      f(Tile{t / across, first, std::min(n, first + width)});
    }
  });
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
  template void centre_velocities(Cpu, const Dynamics<T>&);                     \
  template std::int64_t first_bad_cell(Cpu, const Dynamics<T>&, Index3, Index3, \
                                       const HealthLimits&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
