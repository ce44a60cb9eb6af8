// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/fluid/lattice.hpp>

namespace helicity::fluid {

/// Rates of a collision, and the body force per cell, in lattice units.
template <class T>
struct Relaxation
{
  T even = 1, odd = 1;     ///< rates of the symmetric and antisymmetric halves, in (0, 2)
  T force[3] = {0, 0, 0};  ///< density times acceleration
  bool forced = false;     ///< whether the force is not zero
};

/// Density deviation rho - 1 and velocity of one cell, lattice units.
template <class T>
struct Moments
{
  T density = 0;
  T u[3] = {0, 0, 0};
};

namespace detail {

/// c . v for velocity I of a set: sums and differences only.
template <class L, int I, class T>
HELICITY_HD T along(const T (&v)[3])
{
  constexpr int x = L::c[I][0], y = L::c[I][1], z = L::c[I][2];
  constexpr int first = x != 0 ? 0 : y != 0 ? 1 : 2;
  constexpr int second = z != 0 ? 2 : y != 0 ? 1 : 0;
  constexpr int leading_sign = L::c[I][first], second_sign = L::c[I][second];
  if constexpr (leading_sign == 0) return T(0);  // at rest
  const T leading = leading_sign > 0 ? v[first] : -v[first];
  if constexpr (first == second) return leading;
  return second_sign > 0 ? leading + v[second] : leading - v[second];
}

template <class T>
HELICITY_HD T sum_pair(const T* f, int pair)
{
  return f[2 * pair + 1] + f[2 * pair + 2];
}

template <class T>
HELICITY_HD T difference(const T* f, int pair)
{
  return f[2 * pair + 1] - f[2 * pair + 2];
}

/// Sums grouped so that mirrored populations give mirrored results, bit for bit.
template <class T>
HELICITY_HD Moments<T> sums(D2Q9, const T* f)
{
  Moments<T> m;
  m.density = f[0] + ((sum_pair(f, 0) + sum_pair(f, 1)) + (sum_pair(f, 2) + sum_pair(f, 3)));
  m.u[0] = difference(f, 0) + (difference(f, 2) + difference(f, 3));
  m.u[1] = difference(f, 1) + (difference(f, 2) - difference(f, 3));
  m.u[2] = 0;
  return m;
}

template <class T>
HELICITY_HD Moments<T> sums(D3Q19, const T* f)
{
  const T xy = sum_pair(f, 3) + sum_pair(f, 4);
  const T xz = sum_pair(f, 5) + sum_pair(f, 6);
  const T yz = sum_pair(f, 7) + sum_pair(f, 8);
  Moments<T> m;
  m.density = f[0] + (((sum_pair(f, 0) + sum_pair(f, 1)) + sum_pair(f, 2)) + (xy + (xz + yz)));
  m.u[0] = difference(f, 0) +
           ((difference(f, 3) + difference(f, 4)) + (difference(f, 5) + difference(f, 6)));
  m.u[1] = difference(f, 1) +
           ((difference(f, 3) - difference(f, 4)) + (difference(f, 7) + difference(f, 8)));
  m.u[2] = difference(f, 2) +
           ((difference(f, 5) - difference(f, 6)) + (difference(f, 7) - difference(f, 8)));
  return m;
}

/// What all pairs of one cell share.
template <class T>
struct CellTerms
{
  T isotropic;  ///< rho' - 3/2 rho u.u
  T linear;     ///< 3 rho
  T square;     ///< 9/2 rho
  T u[3];
  T uf;  ///< u . F
};

template <class L, bool forced, int P, class T>
HELICITY_HD void relax_pairs(T* f, const CellTerms<T>& cell, const Relaxation<T>& r)
{
  constexpr int a = 2 * P + 1, b = 2 * P + 2;
  if constexpr (b < L::q) {
    constexpr T w = static_cast<T>(L::w[a]);
    const T cu = along<L, a>(cell.u);
    const T even_rest = T(0.5) * (f[a] + f[b]) - w * (cell.isotropic + cell.square * (cu * cu));
    const T odd_rest = T(0.5) * (f[a] - f[b]) - w * (cell.linear * cu);
    T even = r.even * even_rest;
    T odd = r.odd * odd_rest;
    if constexpr (forced) {
      const T cf = along<L, a>(r.force);
      even = even - (T(1) - T(0.5) * r.even) * (w * (T(9) * (cu * cf) - T(3) * cell.uf));
      odd = odd - (T(1) - T(0.5) * r.odd) * (w * (T(3) * cf));
    }
    f[a] = f[a] - (even + odd);
    f[b] = f[b] - (even - odd);
    relax_pairs<L, forced, P + 1>(f, cell, r);
  }
}

}  // namespace detail

/// Density deviation and velocity of shifted populations f_i - w_i; half a step of the force is in
/// the velocity.
/// @see Guo, Zheng & Shi (2002), Phys. Rev. E 65, 046308
template <class L, bool forced, class T>
HELICITY_HD Moments<T> moments(const T (&f)[L::q], const Relaxation<T>& r)
{
  Moments<T> m = detail::sums(L{}, f);
  const T volume = T(1) / (T(1) + m.density);
  for (int x = 0; x < 3; ++x) {
    if constexpr (forced) m.u[x] = m.u[x] + T(0.5) * r.force[x];
    m.u[x] = m.u[x] * volume;
  }
  return m;
}

/// Equilibrium of shifted populations, f_i^eq - w_i, second order in u.
template <class L, int I, class T>
HELICITY_HD T equilibrium(const Moments<T>& m)
{
  constexpr T w = static_cast<T>(L::w[I]);
  const T cu = I == 0 ? T(0) : detail::along<L, I>(m.u);
  const T uu = (m.u[0] * m.u[0] + m.u[1] * m.u[1]) + m.u[2] * m.u[2];
  const T rho = T(1) + m.density;
  return w * (m.density + rho * (T(3) * cu + T(4.5) * (cu * cu) - T(1.5) * uu));
}

/// Two-relaxation-time collision of the shifted populations of one cell, in place; equal rates make
/// it the single-relaxation-time (BGK) collision.
/// @see Ginzburg, Verhaeghe & d'Humieres (2008), Commun. Comput. Phys. 3; Skordos (1993), Phys.
///   Rev. E 48 (shifted populations)
template <class L, bool forced, class T>
HELICITY_HD void collide(T (&f)[L::q], const Relaxation<T>& r)
{
  const Moments<T> m = moments<L, forced>(f, r);
  const T rho = T(1) + m.density;
  const T uu = (m.u[0] * m.u[0] + m.u[1] * m.u[1]) + m.u[2] * m.u[2];
  detail::CellTerms<T> cell{
      m.density - T(1.5) * (rho * uu), T(3) * rho, T(4.5) * rho, {m.u[0], m.u[1], m.u[2]}, T(0)};
  constexpr T w0 = static_cast<T>(L::w[0]);
  T rest = r.even * (f[0] - w0 * cell.isotropic);
  if constexpr (forced) {
    cell.uf = (m.u[0] * r.force[0] + m.u[1] * r.force[1]) + m.u[2] * r.force[2];
    rest = rest + (T(1) - T(0.5) * r.even) * (w0 * (T(3) * cell.uf));
  }
  f[0] = f[0] - rest;
  detail::relax_pairs<L, forced, 0>(&f[0], cell, r);
}

}  // namespace helicity::fluid
