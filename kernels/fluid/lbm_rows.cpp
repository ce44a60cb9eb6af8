// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: the cells of a row in SIMD lanes.
#include <fluid/lbm_cell.hpp>
#include <fluid/lbm_rows.hpp>
#include <helicity/grid/simd_loop.hpp>

namespace helicity::fluid {
namespace HELICITY_ISA {
namespace {

/// Places of the cells of a row: one pointer per velocity.
template <class T, int Q>
struct RowPlaces
{
  T* const* first;
  Index i;

  template <int I>
  HELICITY_HD T& get() const
  {
    return first[I][i];
  }
};

template <class L, Layout layout, int I, class T>
HELICITY_HD void set_places(T** first, const RowStep<T>& row)
{
  if constexpr (I < L::q) {
    first[I] = row.cell + place<L, layout, I>(row.sj, row.sk, row.sc);
    set_places<L, layout, I + 1>(first, row);
  }
}

template <class L, Layout layout, bool forced, class T>
void loop(const RowStep<T>& row, const Relaxation<T>& relaxation)
{
  T* first[L::q];
  set_places<L, layout, 0>(&first[0], row);
  const Relaxation<T> r = relaxation;
  const Index n = row.length;
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i)
    step_cell<L, layout, forced, T>(RowPlaces<T, L::q>{&first[0], i}, r);
}

template <class L, bool forced, class T>
void by_layout(const RowStep<T>& row, const Relaxation<T>& r)
{
  if (row.layout == Layout::own)
    loop<L, Layout::own, forced>(row, r);
  else
    loop<L, Layout::neighbour, forced>(row, r);
}

template <class L, class T>
void by_force(const RowStep<T>& row, const Relaxation<T>& r)
{
  if (r.forced)
    by_layout<L, true>(row, r);
  else
    by_layout<L, false>(row, r);
}

template <class T>
void by_lattice(const RowStep<T>& row, const Relaxation<T>& r)
{
  if (row.lattice == LatticeKind::d2q9)
    by_force<D2Q9>(row, r);
  else
    by_force<D3Q19>(row, r);
}

}  // namespace

void step_row_float(const RowStep<float>& row, const Relaxation<float>& r) { by_lattice(row, r); }

void step_row_double(const RowStep<double>& row, const Relaxation<double>& r)
{
  by_lattice(row, r);
}

}  // namespace HELICITY_ISA
}  // namespace helicity::fluid
