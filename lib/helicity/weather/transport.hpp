// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/diagnosis.hpp>
#include <helicity/weather/rates.hpp>
#include <helicity/weather/water.hpp>

#include <limits>

/// Points of what carries water.
namespace helicity::weather {

/// Value on a face from the values b2 b1 b0 | a0 a1, the wind coming from b: fifth order where they
/// are smooth. Differences of contents below 1e-7 count as smooth.
/// @see Jiang & Shu (1996), J. Comput. Phys. 126, 202
template <class T>
HELICITY_HD T weno_value(T b2, T b1, T b0, T a0, T a1)
{
  constexpr T least = T(1e-14), sixth = T(1. / 6), bend = T(13. / 12), quarter = T(0.25);
  const auto square = [](T x) { return x * x; };
  const T c2 = b2 - b0, c1 = b1 - b0, e0 = a0 - b0, e1 = a1 - b0;
  const T s0 = bend * square(c2 - (c1 + c1)) + quarter * square(c2 - T(4) * c1);
  const T s1 = bend * square(c1 + e0) + quarter * square(c1 - e0);
  const T s2 = bend * square(e1 - (e0 + e0)) + quarter * square(e1 - T(4) * e0);
  const T w0 = T(0.1) / square(least + s0);
  const T w1 = T(0.6) / square(least + s1);
  const T w2 = T(0.3) / square(least + s2);
  const T rise = w0 * ((c2 + c2) - T(7) * c1) + w1 * ((e0 + e0) - c1) + w2 * (T(5) * e0 - e1);
  return b0 + sixth * rise / (w0 + w1 + w2);
}

/// Advective less diffusive flux. @param k  K rho / spacing
template <bool weno, class T>
HELICITY_HD T water_flux(T m, T k, const Stencil<T>& q, const Weights<T>& w)
{
  if constexpr (!weno) return advective_flux(m, q, w) - k * (q.a0 - q.b0);
  const bool up = m > T(0);
  const T face = weno_value(up ? q.b2 : q.a2, up ? q.b1 : q.a1, up ? q.b0 : q.a0, up ? q.a0 : q.b0,
                            up ? q.a1 : q.b1);
  return m * face - k * (q.a0 - q.b0);
}

/// Upward, through the face that l belongs to.
template <bool weno, class T>
HELICITY_HD T water_flux_up(const Dynamics<T>& d, const Level<T>& l, const T* q, Index c,
                            const NearRows& rows, T m)
{
  const Stencil<T> s = values_in(q, c, rows);
  if (weno && l.k >= 3 && l.k + 3 <= d.cells.k) return water_flux<true>(m, l.kz_face, s, l.face);
  return water_flux<false>(m, l.kz_face, s, l.face);
}

/// Fluxes through the low and high faces of a cell.
template <class T>
struct Faces
{
  T low_i = 0, high_i = 0, low_j = 0, high_j = 0, low_k = 0, high_k = 0;
};

template <bool slab, bool weno, class T>
HELICITY_HD Faces<T> water_fluxes(const Dynamics<T>& d, const Height<T>& h, const T* q, Index c)
{
  const Level<T>& l = h.here;
  const Index sj = d.sj, sk = d.sk;
  Faces<T> f;
  f.low_i = water_flux<weno>(d.flux_u[c], l.kx, values_about(q, c, Index{1}), d.across);
  f.high_i = water_flux<weno>(d.flux_u[c + 1], l.kx, values_about(q, c + 1, Index{1}), d.across);
  if constexpr (!slab) {
    f.low_j = water_flux<weno>(d.flux_v[c], l.ky, values_about(q, c, sj), d.across);
    f.high_j = water_flux<weno>(d.flux_v[c + sj], l.ky, values_about(q, c + sj, sj), d.across);
  }
  f.low_k = water_flux_up<weno>(d, l, q, c, h.low, d.flux_w[c]);
  f.high_k = water_flux_up<weno>(d, h.above, q, c, h.high, d.flux_w[c + sk]);
  return f;
}

/// Fraction of its outflow that a cell can afford, less some roundings; nothing of what is as small
/// as the roundings of the smallest numbers.
template <bool slab, class T>
HELICITY_HD T affordable(const Dynamics<T>& d, const Water<T>& w, const Faces<T>& f, T there_is)
{
  constexpr T more = T(1) + 32 * std::numeric_limits<T>::epsilon();
  constexpr T least = std::numeric_limits<T>::min() * T(1e8);
  T out = (positive_part(-f.low_i) + positive_part(f.high_i)) * d.per_dx;
  if constexpr (!slab) out = out + (positive_part(-f.low_j) + positive_part(f.high_j)) * d.per_dy;
  out = out + (positive_part(-f.low_k) + positive_part(f.high_k)) * d.per_dz;
  const T asked = w.step * out * more;
  const T part = asked > there_is ? there_is / asked : T(1);
  return there_is > least ? part : T(0);
}

/// Flux through the face between c - stride and c, scaled by what the cell it leaves can afford.
template <class T>
HELICITY_HD T afforded(T flux, const T* keep, Index c, Index stride)
{
  return flux * (flux > T(0) ? keep[c - stride] : keep[c]);
}

/// rho q of species s at the end of the stage.
template <bool slab, bool weno, bool limited, class T>
HELICITY_HD T moved_water(const Dynamics<T>& d, const Water<T>& w, const Height<T>& h, int s,
                          Index c)
{
  const Index sj = d.sj, sk = d.sk;
  Faces<T> f = water_fluxes<slab, weno>(d, h, w.content[s], c);
  if constexpr (limited) {
    const T* keep = w.keep[s];
    f.low_i = afforded(f.low_i, keep, c, Index{1});
    f.high_i = afforded(f.high_i, keep, c + 1, Index{1});
    if constexpr (!slab) {
      f.low_j = afforded(f.low_j, keep, c, sj);
      f.high_j = afforded(f.high_j, keep, c + sj, sj);
    }
    f.low_k = afforded(f.low_k, keep, c, sk);
    f.high_k = afforded(f.high_k, keep, c + sk, sk);
  }
  T spread = (f.high_i - f.low_i) * d.per_dx;
  if constexpr (!slab) spread = spread + (f.high_j - f.low_j) * d.per_dy;
  spread = spread + (f.high_k - f.low_k) * d.per_dz;
  return w.start[s][c] - w.step * spread;
}

/// Mean upward mass flux through the low-k face of c. @pre a face between two cells; means in
/// flux_u, flux_v, the sum in flux_w
template <bool slab, bool hilly, class T>
HELICITY_HD T mean_flux_up(const Dynamics<T>& d, const Water<T>& w, const Level<T>& l, Index c)
{
  const T first = d.start.w[c] - d.stage.w[c], last = d.deviation.w[c];
  const T behind = T(1) - d.ahead;
  const T flux = d.stage.w[c] + w.per_count * (d.flux_w[c] + behind * (first - last));
  if constexpr (!hilly) return flux;
  return (flux - along_face<slab>(d, l, d.flux_u, d.flux_v, c)) *
         d.terrain.per_jacobian[ground_of(d, l, c)];
}

/// div u of the velocities of `stage`.
template <bool slab, bool hilly, class T>
HELICITY_HD T velocity_divergence(const Dynamics<T>& d, const Height<T>& h, Index c)
{
  const Level<T>& l = h.here;
  const Index sj = d.sj, sk = d.sk;
  if constexpr (!hilly) {
    T sum = (d.u[c + 1] - d.u[c]) * d.per_dx;
    if constexpr (!slab) sum = sum + (d.v[c + sj] - d.v[c]) * d.per_dy;
    return sum + (d.w[c + sk] - d.w[c]) * d.per_dz;
  } else {
    const Terrain<T>& t = d.terrain;
    const Index g = ground_of(d, l, c);
    T sum = (t.jacobian_u[g + 1] * d.u[c + 1] - t.jacobian_u[g] * d.u[c]) * d.per_dx;
    if constexpr (!slab)
      sum = sum + (t.jacobian_v[g + sj] * d.v[c + sj] - t.jacobian_v[g] * d.v[c]) * d.per_dy;
    const T rho = full_rho<true>(d, l, c);
    T low = 0, high = 0;
    if (l.k > 0) low = velocity_at(t.flux_up[c], full_rho<true>(d, h.below, c - sk), rho);
    if (l.k + 1 < d.cells.k)
      high = velocity_at(t.flux_up[c + sk], rho, full_rho<true>(d, h.above, c + sk));
    return sum * t.per_jacobian[g] + (high - low) * d.per_dz;
  }
}

/// X, exactly 0 where there is no water.
template <class T>
HELICITY_HD T expansion(const Water<T>& w, Index c)
{
  const Mixture<T>& m = w.mixture;
  const T steam = w.content[vapour][c];
  T liquid = w.content[cloud][c], ice = 0;
  if (w.species > rain) liquid = liquid + w.content[rain][c];
  if (w.species > graupel)
    ice = (w.content[cloud_ice][c] + w.content[snow][c]) + w.content[graupel][c];
  const T gas = steam * m.gas_vapour - ((steam + liquid) + ice) * m.gas;
  const T heat = (steam * m.vapour + liquid * m.liquid) + ice * m.ice;
  return (m.heat * gas - m.gas * heat) / (m.heat_pressure * (m.heat + heat));
}

template <bool slab, bool hilly, class T>
HELICITY_HD T expansion_rate(const Dynamics<T>& d, const Water<T>& w, const Height<T>& h, Index c)
{
  const T reference = hilly ? d.terrain.density[c] : h.here.density;
  return -(expansion(w, c) * (reference + d.stage.theta[c])) *
         velocity_divergence<slab, hilly>(d, h, c);
}

/// Whether some water of `start` cannot be.
template <class T>
HELICITY_HD bool is_bad_water(const Water<T>& w, Index c)
{
  bool good = true;
  for (int s = 0; s < w.species; ++s)
    good = good && w.start[s][c] >= T(0) && w.start[s][c] <= std::numeric_limits<T>::max();
  return !good;
}

}  // namespace helicity::weather
