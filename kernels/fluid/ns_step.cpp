// SPDX-License-Identifier: Apache-2.0
// CPU: rows on threads; the cells of a row in ns_rows.cpp.
#include <fluid/ns_places.hpp>
#include <fluid/ns_rows.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>

#include <algorithm>
#include <type_traits>

namespace helicity::fluid {
namespace {

template <class T>
const NsRows<T>& rows()
{
  if constexpr (std::is_same_v<T, float>)
    return HELICITY_PICK_ISA(ns_rows_float)();
  else
    return HELICITY_PICK_ISA(ns_rows_double)();
}

}  // namespace

template <class T>
void ns_advance(Cpu exec, const NsStep<T>& s)
{
  const NsRows<T>& r = rows<T>();
  grid::for_rows(exec, grid::box_of(s.cells), [&](Index j, Index k) { r.advance(s, j, k); });
}

template <class T>
void ns_divergence(Cpu exec, const NsStep<T>& s, View3<T> out)
{
  const NsRows<T>& r = rows<T>();
  grid::for_rows(exec, grid::box_of(s.cells),
                 [&](Index j, Index k) { r.divergence(s, out, j, k); });
}

template <class T>
void ns_correct(Cpu exec, const NsStep<T>& s)
{
  const NsRows<T>& r = rows<T>();
  grid::for_rows(exec, grid::box_of(s.cells), [&](Index j, Index k) { r.correct(s, j, k); });
}

template <class T>
std::int64_t ns_first_bad_cell(Cpu exec, const NsStep<T>& s, Index3 offset, Index3 global, T step,
                               T limit)
{
  using First = grid::Min<std::int64_t>;
  const std::int64_t first = grid::reduce_cells<First>(
      exec, grid::box_of(s.cells), NsBadPlace<T>{s, offset, global, step, limit, First::identity});
  return first == First::identity ? -1 : first;
}

template <class T>
double ns_largest_divergence(Cpu exec, const NsStep<T>& s)
{
  return std::max(0.0, grid::reduce_cells<grid::Max<double>>(exec, grid::box_of(s.cells),
                                                             NsDivergenceSize<T>{s}));
}

#define HELICITY_INSTANTIATE(T)                                                         \
  template void ns_advance(Cpu, const NsStep<T>&);                                      \
  template void ns_divergence(Cpu, const NsStep<T>&, View3<T>);                         \
  template void ns_correct(Cpu, const NsStep<T>&);                                      \
  template std::int64_t ns_first_bad_cell(Cpu, const NsStep<T>&, Index3, Index3, T, T); \
  template double ns_largest_divergence(Cpu, const NsStep<T>&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::fluid
