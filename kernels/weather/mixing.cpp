// SPDX-License-Identifier: Apache-2.0
// CPU: rows on threads; the cells of a row in mixing_rows.cpp.
#include <helicity/grid/for_cells.hpp>
#include <helicity/weather/mixing.hpp>
#include <weather/mixing_rows.hpp>

#include <type_traits>

namespace helicity::weather {
namespace {

template <class T>
const MixingLoops<T>& loops()
{
  if constexpr (std::is_same_v<T, float>)
    return HELICITY_PICK_ISA(mixing_loops_float)();
  else
    return HELICITY_PICK_ISA(mixing_loops_double)();
}

/// Calls row(j, k) for the owned rows, and `low` and `high` more on the sides of j but in a slab.
template <class T, class F>
void for_rows(Cpu exec, const Dynamics<T>& d, Index low, Index high, F&& row)
{
  const Index beside = d.slab ? 0 : 1;
  const grid::Box rows{{0, -low * beside, 0}, {1, d.cells.j + high * beside, d.cells.k}};
  grid::for_rows(exec, rows, row);
}

}  // namespace

template <class T>
void evaluate_mixing(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m)
{
  const MixingLoops<T>& l = loops<T>();
  for_rows(exec, d, 1, 2, [&](Index j, Index k) { l.deform_row(d, m, j, k); });
  for_rows(exec, d, 1, 1, [&](Index j, Index k) { l.eddies_row(d, m, j, k); });
  for_rows(exec, d, 1, 1, [&](Index j, Index k) { l.stress_row(d, m, j, k); });
  for_rows(exec, d, 0, 1, [&](Index j, Index k) { l.rates_row(d, m, j, k); });
}

template <class T>
void carry_energy(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m, T step)
{
  const MixingLoops<T>& l = loops<T>();
  for_rows(exec, d, 0, 0, [&](Index j, Index k) { l.carry_row(d, m, step, j, k); });
}

template <class T>
void keep_energy(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m, T* to)
{
  grid::for_cells(exec, grid::box_of(d.cells), [&](Index i, Index j, Index k) {
    to[d.at(i, j, k)] = m.energy_next[d.at(i, j, k)];
  });
}

template <class T>
void add_mixing(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m)
{
  const MixingLoops<T>& l = loops<T>();
  for_rows(exec, d, 0, 1, [&](Index j, Index k) { l.add_row(d, m, j, k); });
}

template <class T>
void mix_content(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m, const T* q, T flux, T* rate)
{
  const MixingLoops<T>& l = loops<T>();
  for_rows(exec, d, 0, 0, [&](Index j, Index k) { l.content_row(d, m, q, flux, rate, j, k); });
}

#define HELICITY_INSTANTIATE(T)                                             \
  template void evaluate_mixing(Cpu, const Dynamics<T>&, const Mixing<T>&); \
  template void add_mixing(Cpu, const Dynamics<T>&, const Mixing<T>&);      \
  template void carry_energy(Cpu, const Dynamics<T>&, const Mixing<T>&, T); \
  template void keep_energy(Cpu, const Dynamics<T>&, const Mixing<T>&, T*); \
  template void mix_content(Cpu, const Dynamics<T>&, const Mixing<T>&, const T*, T, T*);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
