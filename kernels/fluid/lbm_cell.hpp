// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fluid/lbm_step.hpp>

#include <cmath>

/// What one cell does, for the CPU and CUDA loops.
namespace helicity::fluid {

/// Offset of the place of velocity I of a cell, from the cell's slot 0: its own slot, or in layout
/// `neighbour` the slot I of x + c_I, which then holds f of the opposite velocity.
template <class L, Layout layout, int I>
HELICITY_HD Index place(Index sj, Index sk, Index sc)
{
  if constexpr (layout == Layout::own) return I * sc;
  return I * sc + L::c[I][0] + L::c[I][1] * sj + L::c[I][2] * sk;
}

/// Reads the populations of a cell. at(I) gives a reference to the place of velocity I.
template <class L, Layout layout, int P, class T, class At>
HELICITY_HD void load_pairs(T* f, const At& at)
{
  constexpr int a = 2 * P + 1, b = 2 * P + 2;
  if constexpr (b < L::q) {
    const T first = at.template get<a>(), second = at.template get<b>();
    f[a] = layout == Layout::own ? first : second;
    f[b] = layout == Layout::own ? second : first;
    load_pairs<L, layout, P + 1>(f, at);
  }
}

/// Leaves the populations of the next time in the other layout.
template <class L, Layout layout, int P, class T, class At>
HELICITY_HD void store_pairs(const T* f, const At& at)
{
  constexpr int a = 2 * P + 1, b = 2 * P + 2;
  if constexpr (b < L::q) {
    at.template get<a>() = layout == Layout::own ? f[b] : f[a];
    at.template get<b>() = layout == Layout::own ? f[a] : f[b];
    store_pairs<L, layout, P + 1>(f, at);
  }
}

/// Places of a cell given by strides.
template <class L, Layout layout, class T>
struct CellPlaces
{
  T* cell;
  Index sj, sk, sc;

  template <int I>
  HELICITY_HD T& get() const
  {
    return cell[place<L, layout, I>(sj, sk, sc)];
  }
};

template <class L, Layout layout, class T, class At>
HELICITY_HD void load(T (&f)[L::q], const At& at)
{
  f[0] = at.template get<0>();
  load_pairs<L, layout, 0>(&f[0], at);
}

template <class L, Layout layout, bool forced, class T, class At>
HELICITY_HD void step_cell(const At& at, const Relaxation<T>& r)
{
  T f[L::q];
  load<L, layout>(f, at);
  collide<L, forced>(f, r);
  at.template get<0>() = f[0];
  store_pairs<L, layout, 0>(&f[0], at);
}

template <class L, Layout layout, bool forced, class T>
HELICITY_HD Moments<T> moments_at(const Populations<const T>& f, Index i, Index j, Index k,
                                  const Relaxation<T>& r)
{
  T g[L::q];
  load<L, layout>(g,
                  CellPlaces<L, layout, const T>{f.origin + f.offset(i, j, k), f.sj, f.sk, f.sc});
  return moments<L, forced>(g, r);
}

/// Population n, of velocity c, of a cell.
template <class T>
HELICITY_HD T population_at(Layout layout, const Populations<const T>& f, int n, Index3 c, Index i,
                            Index j, Index k)
{
  if (layout == Layout::own) return f.origin[n * f.sc + f.offset(i, j, k)];
  return f.origin[opposite(n) * f.sc + f.offset(i - c.i, j - c.j, k - c.k)];
}

/// f_N - w_N to first order in the gradients: equilibrium minus w rho / (cs^2 rate) Q : S.
/// @see Krueger et al. (2017), The Lattice Boltzmann Method, eq. 5.59
template <class L, int N, class T>
HELICITY_HD T initial_population(const Moments<T>& m, const T (&strain)[6], const Relaxation<T>& r)
{
  constexpr T x = static_cast<T>(L::c[N][0]), y = static_cast<T>(L::c[N][1]),
              z = static_cast<T>(L::c[N][2]);
  constexpr T third = T(1) / T(3);
  const T q = ((x * x - third) * strain[0] + (y * y - third) * strain[1]) +
              (z * z - third) * strain[2] +
              T(2) * ((x * y * strain[3] + x * z * strain[4]) + y * z * strain[5]);
  return equilibrium<L, N>(m) - static_cast<T>(L::w[N]) * (T(1) + m.density) * T(3) / r.even * q;
}

/// Sets the populations of a cell, layout `own`, from four or ten components of `in`.
template <class L, int N, class T>
HELICITY_HD void set_populations(const Populations<T>& f, Index cell, const Moments<T>& m,
                                 const T (&strain)[6], const Relaxation<T>& r)
{
  if constexpr (N < L::q) {
    f.origin[N * f.sc + cell] = initial_population<L, N>(m, strain, r);
    set_populations<L, N + 1>(f, cell, m, strain, r);
  }
}

template <class L, class T>
HELICITY_HD void set_cell(const Populations<const T>& in, bool has_strain, const Relaxation<T>& r,
                          const Populations<T>& f, Index i, Index j, Index k)
{
  const T* c = in.origin + in.offset(i, j, k);
  const Moments<T> m{c[0], {c[in.sc], c[2 * in.sc], c[3 * in.sc]}};
  T strain[6] = {};
  for (int s = 0; has_strain && s < 6; ++s) strain[s] = c[(4 + s) * in.sc];
  set_populations<L, 0>(f, f.offset(i, j, k), m, strain, r);
}

template <class T>
HELICITY_HD bool is_bad(T density, T u, T v, T w, T limit)
{
  const T speed2 = (u * u + v * v) + w * w;
  return !(density > T(-1)) || !(density < T(1e30)) || !(speed2 <= limit * limit);
}

}  // namespace helicity::fluid
