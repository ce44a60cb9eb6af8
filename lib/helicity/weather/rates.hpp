// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/terrain.hpp>

/// Right-hand sides at one point. `c` is the place of cell (i, j, k); slab = true leaves out what
/// vanishes where there is one cell along j.
namespace helicity::weather {

/// Offsets from a row to those about a face above or below, kept within the grid; weights of rows
/// that are not there are 0.
struct NearRows
{
  Index o[6];
};

/// @param below  row next below the face   @param last  highest row there is
HELICITY_HD NearRows rows_about(Index below, Index from, Index last, Index sk)
{
  NearRows rows;
  for (int n = 0; n < 6; ++n) {
    const Index k = below - 2 + n;
    rows.o[n] = ((k < 0 ? 0 : k > last ? last : k) - from) * sk;
  }
  return rows;
}

/// Level k of a column: its tables, and rows about the fluxes above and below.
template <class T>
struct Height
{
  Level<T> below, here, above;  ///< entries k - 1 (k at k = 0), k, k + 1
  NearRows low, high;           ///< rows of cells about faces k and k + 1, from row k
  NearRows low_w, high_w;       ///< faces about centres k - 1 and k, from face k
  T coriolis = 0;               ///< parameter f of the row (coriolis_at)
};

/// f = f0 + beta (y - middle) at the centre of row j, or on its low face.
template <class T>
HELICITY_HD T coriolis_at(const Dynamics<T>& d, Index j, bool on_face)
{
  return d.coriolis + d.beta * static_cast<T>(2 * j + (on_face ? 0 : 1) + d.twice_middle);
}

template <class T>
HELICITY_HD Height<T> height_at(const Dynamics<T>& d, Index k)
{
  const Index n = d.cells.k;
  return {d.level[k > 0 ? k - 1 : 0],
          d.level[k],
          d.level[k + 1],
          rows_about(k - 1, k, n - 1, d.sk),
          rows_about(k, k, n - 1, d.sk),
          rows_about(k - 1, k, n, d.sk),
          rows_about(k, k, n, d.sk)};
}

/// Values about the face between c - stride and c.
template <class T>
HELICITY_HD Stencil<T> values_about(const T* q, Index c, Index stride)
{
  return {q[c - 3 * stride], q[c - 2 * stride], q[c - stride], q[c],
          q[c + stride],     q[c + 2 * stride]};
}

template <class T>
HELICITY_HD Stencil<T> values_in(const T* q, Index c, const NearRows& rows)
{
  return {q[c + rows.o[0]], q[c + rows.o[1]], q[c + rows.o[2]],
          q[c + rows.o[3]], q[c + rows.o[4]], q[c + rows.o[5]]};
}

/// Advective less diffusive flux between c - stride and c. @param k  K rho / spacing
template <class T>
HELICITY_HD T flux_across(const T* q, Index c, Index stride, T m, T k, const Weights<T>& w)
{
  return advective_flux(m, values_about(q, c, stride), w) - k * (q[c] - q[c - stride]);
}

/// The same between the rows o[2] and o[3].
template <class T>
HELICITY_HD T flux_up(const T* q, Index c, const NearRows& rows, T m, T k, const Weights<T>& w)
{
  const Stencil<T> s = values_in(q, c, rows);
  return advective_flux(m, s, w) - k * (s.a0 - s.b0);
}

template <class T>
HELICITY_HD T mean(T a, T b)
{
  return T(0.5) * (a + b);
}

/// dU/dt at the low-i face of c.
template <bool slab, bool hilly, class T>
HELICITY_HD T u_rate(const Dynamics<T>& d, const Height<T>& h, Index c)
{
  const T *mu = d.stage.u, *mv = d.stage.v, *mw = mass_up<hilly>(d), *p = d.pressure;
  const Level<T>& l = h.here;
  const Index sj = d.sj, sk = d.sk;
  T flux = (flux_across(d.u, c + 1, Index{1}, mean(mu[c], mu[c + 1]), l.kx, d.across) -
            flux_across(d.u, c, Index{1}, mean(mu[c - 1], mu[c]), l.kx, d.across)) *
           d.per_dx;
  if constexpr (!slab)
    flux = flux + (flux_across(d.u, c + sj, sj, mean(mv[c - 1 + sj], mv[c + sj]), l.ky, d.across) -
                   flux_across(d.u, c, sj, mean(mv[c - 1], mv[c]), l.ky, d.across)) *
                      d.per_dy;
  flux = flux +
         (flux_up(d.u, c, h.high, mean(mw[c - 1 + sk], mw[c + sk]), h.above.kz_face, h.above.face) -
          flux_up(d.u, c, h.low, mean(mw[c - 1], mw[c]), l.kz_face, l.face)) *
             d.per_dz;
  const T turn = h.coriolis * (T(0.25) * ((mv[c - 1] + mv[c - 1 + sj]) + (mv[c] + mv[c + sj])) -
                               wind_momentum<hilly>(d, l.steady_v, l.steady_wind_v, c - 1, c));
  return (turn - slope_x<hilly>(d, l, p, c)) - flux -
         l.damping * (mu[c] - wind_momentum<hilly>(d, l.u, l.wind_u, c - 1, c));
}

/// dV/dt at the low-j face of c.
template <bool slab, bool hilly, class T>
HELICITY_HD T v_rate(const Dynamics<T>& d, const Height<T>& h, Index c)
{
  const T *mu = d.stage.u, *mv = d.stage.v, *mw = mass_up<hilly>(d), *p = d.pressure;
  const Level<T>& l = h.here;
  const Index sj = d.sj, sk = d.sk;
  T flux = (flux_across(d.v, c + 1, Index{1}, mean(mu[c + 1 - sj], mu[c + 1]), l.kx, d.across) -
            flux_across(d.v, c, Index{1}, mean(mu[c - sj], mu[c]), l.kx, d.across)) *
           d.per_dx;
  if constexpr (!slab)
    flux = flux + (flux_across(d.v, c + sj, sj, mean(mv[c], mv[c + sj]), l.ky, d.across) -
                   flux_across(d.v, c, sj, mean(mv[c - sj], mv[c]), l.ky, d.across)) *
                      d.per_dy;
  flux = flux + (flux_up(d.v, c, h.high, mean(mw[c - sj + sk], mw[c + sk]), h.above.kz_face,
                         h.above.face) -
                 flux_up(d.v, c, h.low, mean(mw[c - sj], mw[c]), l.kz_face, l.face)) *
                    d.per_dz;
  const T turn = h.coriolis * (T(0.25) * ((mu[c - sj] + mu[c + 1 - sj]) + (mu[c] + mu[c + 1])) -
                               wind_momentum<hilly>(d, l.steady_u, l.steady_wind_u, c - sj, c));
  return (-turn - slope_y<hilly>(d, l, p, c)) - flux -
         l.damping * (mv[c] - wind_momentum<hilly>(d, l.v, l.wind_v, c - sj, c));
}

/// dW/dt at the low-k face of c. @pre a face between two cells
template <bool slab, bool hilly, class T>
HELICITY_HD T w_rate(const Dynamics<T>& d, const Height<T>& h, Index c)
{
  const T *mu = d.stage.u, *mv = d.stage.v, *mw = mass_up<hilly>(d);
  const T *p = d.pressure, *rho = d.stage.rho;
  const Level<T>& l = h.here;
  const Index sj = d.sj, sk = d.sk;
  T flux =
      (flux_across(d.w, c + 1, Index{1}, mean(mu[c + 1 - sk], mu[c + 1]), l.kx_face, d.across) -
       flux_across(d.w, c, Index{1}, mean(mu[c - sk], mu[c]), l.kx_face, d.across)) *
      d.per_dx;
  if constexpr (!slab)
    flux = flux +
           (flux_across(d.w, c + sj, sj, mean(mv[c + sj - sk], mv[c + sj]), l.ky_face, d.across) -
            flux_across(d.w, c, sj, mean(mv[c - sk], mv[c]), l.ky_face, d.across)) *
               d.per_dy;
  flux = flux + (flux_up(d.w, c, h.high_w, mean(mw[c], mw[c + sk]), l.kz, l.centre) -
                 flux_up(d.w, c, h.low_w, mean(mw[c - sk], mw[c]), h.below.kz, h.below.centre)) *
                    d.per_dz;
  const T weight = d.gravity * mean(rho[c - sk], rho[c]);
  return -((p[c] - p[c - sk]) * d.per_dz + weight) - flux - l.damping_face * d.stage.w[c];
}

/// Flux of theta between c - stride and c: over terrain only the departure from the reference,
/// which varies along levels, is upwinded.
template <bool hilly, class T>
HELICITY_HD T theta_flux_across(const Dynamics<T>& d, Index c, Index stride, T m, T k)
{
  if constexpr (!hilly) return flux_across(d.theta, c, stride, m, k, d.across);
  return m * even_part(values_about(d.terrain.full_theta, c, stride), d.across) -
         magnitude(m) * odd_part(values_about(d.theta, c, stride), d.across);
}

/// Upward flux of Theta through the face that `l` belongs to.
template <bool hilly, class T>
HELICITY_HD T theta_flux_up(const Dynamics<T>& d, const Level<T>& l, const NearRows& rows, Index c,
                            T m)
{
  const Stencil<T> s = values_in(d.theta, c, rows);
  if constexpr (hilly)
    return m * even_part(values_in(d.terrain.full_theta, c, rows), l.face) -
           magnitude(m) * odd_part(s, l.face);
  const T flux = m * (even_part(s, l.face) + l.theta_even) -
                 magnitude(m) * (odd_part(s, l.face) + l.theta_odd);
  return flux - l.kz_face * (s.a0 - s.b0);
}

template <class T>
struct ScalarRates
{
  T rho, theta;
};

/// drho/dt and dTheta/dt of c. Along flat levels the reference theta is constant: it multiplies the
/// divergence, so that little is lost to rounding.
template <bool slab, bool hilly, class T>
HELICITY_HD ScalarRates<T> scalar_rates(const Dynamics<T>& d, const Height<T>& h, Index c)
{
  const T *mu = d.stage.u, *mv = d.stage.v, *mw = mass_up<hilly>(d);
  const Level<T>& l = h.here;
  const Index sj = d.sj, sk = d.sk;
  T spread = (mu[c + 1] - mu[c]) * d.per_dx;
  T flux = (theta_flux_across<hilly>(d, c + 1, Index{1}, mu[c + 1], l.kx) -
            theta_flux_across<hilly>(d, c, Index{1}, mu[c], l.kx)) *
           d.per_dx;
  if constexpr (!slab) {
    spread = spread + (mv[c + sj] - mv[c]) * d.per_dy;
    flux = flux + (theta_flux_across<hilly>(d, c + sj, sj, mv[c + sj], l.ky) -
                   theta_flux_across<hilly>(d, c, sj, mv[c], l.ky)) *
                      d.per_dy;
  }
  if constexpr (!hilly) flux = flux + l.theta * spread;
  const T rise = (theta_flux_up<hilly>(d, h.above, h.high, c, mw[c + sk]) -
                  theta_flux_up<hilly>(d, l, h.low, c, mw[c])) *
                 d.per_dz;
  const T excess = d.stage.theta[c] - reference_theta<hilly>(d, l, c) * d.stage.rho[c];
  return {-(spread + (mw[c + sk] - mw[c]) * d.per_dz), -(flux + rise) - l.damping * excess};
}

}  // namespace helicity::weather
