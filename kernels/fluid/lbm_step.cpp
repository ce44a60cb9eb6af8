// SPDX-License-Identifier: Apache-2.0
// CPU: rows on threads; the cells of a row in lbm_rows.cpp.
#include <fluid/lbm_cell.hpp>
#include <fluid/lbm_rows.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>

#include <algorithm>
#include <type_traits>

namespace helicity::fluid {
namespace {

template <class T>
StepRow<T> step_row()
{
  if constexpr (std::is_same_v<T, float>)
    return HELICITY_PICK_ISA(step_row_float);
  else
    return HELICITY_PICK_ISA(step_row_double);
}

/// The part of a run that lies in a box.
template <class T>
void step_run(const Populations<T>& f, RowRun run, const grid::Box& box, RowStep<T> row,
              const Relaxation<T>& r, StepRow<T> step)
{
  if (run.j < box.lo.j || run.j >= box.hi.j || run.k < box.lo.k || run.k >= box.hi.k) return;
  const Index first = std::max<Index>(run.first, box.lo.i);
  row.length = std::min<Index>(run.last, box.hi.i) - first;
  if (row.length <= 0) return;
  row.cell = f.origin + f.offset(first, run.j, run.k);
  step(row, r);
}

template <class T>
void step_runs(Cpu exec, const Populations<T>& f, const grid::Box& box, const RowStep<T>& row,
               const Relaxation<T>& r, const FluidCells& fluid)
{
  const StepRow<T> step = step_row<T>();
  const Index pieces = std::min<Index>(fluid.run_count, Index{8} * exec.threads);
  parallel_for(exec.threads, static_cast<std::size_t>(pieces), [&](std::size_t p, int) {
    const auto piece = static_cast<Index>(p);
    const Index last = fluid.run_count * (piece + 1) / pieces;
    for (Index n = fluid.run_count * piece / pieces; n < last; ++n)
      step_run(f, fluid.runs[n], box, row, r, step);
  });
}

template <class T>
Moments<T> moments_of(LatticeKind lattice, Layout layout, const Populations<const T>& f, Index3 c,
                      const Relaxation<T>& r)
{
  return with_lattice(lattice, [&]<class L>(L) {
    const bool own = layout == Layout::own;
    if (r.forced)
      return own ? moments_at<L, Layout::own, true>(f, c.i, c.j, c.k, r)
                 : moments_at<L, Layout::neighbour, true>(f, c.i, c.j, c.k, r);
    return own ? moments_at<L, Layout::own, false>(f, c.i, c.j, c.k, r)
               : moments_at<L, Layout::neighbour, false>(f, c.i, c.j, c.k, r);
  });
}

}  // namespace

template <class T>
void lbm_step(Cpu exec, LatticeKind lattice, Layout layout, Populations<T> f, grid::Box box,
              const Relaxation<T>& relaxation, const FluidCells& fluid)
{
  RowStep<T> row{nullptr, f.sj, f.sk, f.sc, box.hi.i - box.lo.i, layout, lattice};
  if (box.empty()) return;
  if (fluid.runs != nullptr) return step_runs(exec, f, box, row, relaxation, fluid);
  const StepRow<T> step = step_row<T>();
  grid::for_rows(exec, box, [&](Index j, Index k) {
    RowStep<T> mine = row;
    mine.cell = f.origin + f.offset(box.lo.i, j, k);
    step(mine, relaxation);
  });
}

template <class T>
void apply_links(Cpu exec, Populations<T> f, const LinkRun<T>* links, Index count, bool before)
{
  constexpr Index piece = 4096;
  parallel_for(exec.threads, static_cast<std::size_t>((count + piece - 1) / piece),
               [&](std::size_t p, int) {
                 const Index first = static_cast<Index>(p) * piece;
                 for (Index n = first; n < std::min(count, first + piece); ++n) {
                   const LinkRun<T> link = links[n];
                   T* to = f.origin + (before ? link.solid : link.fluid);
                   const T* from = f.origin + (before ? link.fluid : link.solid);
                   HELICITY_SIMD_LOOP
                   for (Index i = 0; i < link.length; ++i) to[i] = from[i] + link.gain;
                 }
               });
}

template <class T>
void lbm_moments(Cpu exec, LatticeKind lattice, Layout layout, Populations<const T> f,
                 const Relaxation<T>& relaxation, View3<const std::uint8_t> flags,
                 Populations<T> out)
{
  grid::for_rows(exec, grid::box_of(f.cells), [&](Index j, Index k) {
    for (Index i = 0; i < f.cells.i; ++i) {
      Moments<T> m;
      if (flags(i, j, k) == 0) m = moments_of(lattice, layout, f, {i, j, k}, relaxation);
      T* cell = out.origin + out.offset(i, j, k);
      cell[0] = m.density;
      for (int x = 0; x < 3; ++x) cell[(x + 1) * out.sc] = m.u[x];
    }
  });
}

template <class T>
void lbm_population(Cpu exec, LatticeKind lattice, Layout layout, Populations<const T> f, int n,
                    View3<const std::uint8_t> flags, View3<T> out)
{
  const Index3 c = with_lattice(lattice, [&]<class L>(L) { return velocity<L>(n); });
  grid::for_cells(exec, grid::box_of(f.cells), [=](Index i, Index j, Index k) {
    out(i, j, k) = flags(i, j, k) == 0 ? population_at(layout, f, n, c, i, j, k) : T(0);
  });
}

template <class T>
void lbm_set_moments(Cpu exec, LatticeKind lattice, Populations<const T> macroscopic,
                     bool has_strain, const Relaxation<T>& relaxation, Populations<T> f)
{
  with_lattice(lattice, [&]<class L>(L) {
    grid::for_cells(exec, grid::box_of(f.cells), [&](Index i, Index j, Index k) {
      set_cell<L>(macroscopic, has_strain, relaxation, f, i, j, k);
    });
  });
}

template <class T>
std::int64_t first_bad_cell(Cpu exec, Populations<const T> m, Index3 offset, Index3 global, T limit)
{
  using First = grid::Min<std::int64_t>;
  const std::int64_t first = grid::reduce_cells<First>(
      exec, grid::box_of(m.cells), [=](Index i, Index j, Index k) -> std::int64_t {
        const T* c = m.origin + m.offset(i, j, k);
        if (!is_bad(c[0], c[m.sc], c[2 * m.sc], c[3 * m.sc], limit)) return First::identity;
        return (offset.i + i) + global.i * ((offset.j + j) + global.j * (offset.k + k));
      });
  return first == First::identity ? -1 : first;
}

#define HELICITY_INSTANTIATE(T)                                                                   \
  template void lbm_step(Cpu, LatticeKind, Layout, Populations<T>, grid::Box,                     \
                         const Relaxation<T>&, const FluidCells&);                                \
  template void apply_links(Cpu, Populations<T>, const LinkRun<T>*, Index, bool);                 \
  template void lbm_moments(Cpu, LatticeKind, Layout, Populations<const T>, const Relaxation<T>&, \
                            View3<const std::uint8_t>, Populations<T>);                           \
  template void lbm_population(Cpu, LatticeKind, Layout, Populations<const T>, int,               \
                               View3<const std::uint8_t>, View3<T>);                              \
  template void lbm_set_moments(Cpu, LatticeKind, Populations<const T>, bool,                     \
                                const Relaxation<T>&, Populations<T>);                            \
  template std::int64_t first_bad_cell(Cpu, Populations<const T>, Index3, Index3, T);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::fluid
