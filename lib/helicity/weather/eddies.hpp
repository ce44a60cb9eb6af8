// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/diagnosis.hpp>
#include <helicity/weather/mixing.hpp>
#include <helicity/weather/rates.hpp>

#include <math.h>

/// Points of mixing. Sums of mirror images, and of what x and y do, come first.
namespace helicity::weather {

HELICITY_HD float square_root(float x) { return ::sqrtf(x); }
HELICITY_HD double square_root(double x) { return ::sqrt(x); }

template <class T>
HELICITY_HD T smaller(T a, T b)
{
  return a < b ? a : b;
}

/// dq/dzeta at the row of c, one-sided next to the lids.
template <class T>
HELICITY_HD T rise_of(const Dynamics<T>& d, const Level<T>& l, const T* q, Index c)
{
  const Index up = l.k + 1 < d.cells.k ? d.sk : 0, down = l.k > 0 ? d.sk : 0;
  const T weight = up != 0 && down != 0 ? T(0.5) : T(1);
  return (weight * (q[c + up] - q[c - down])) * d.per_dz;
}

/// Mean over the four cells about the edge between faces across strides a and b.
template <class T>
HELICITY_HD T about_edge(const T* q, Index c, Index a, Index b)
{
  return T(0.25) * ((q[c] + q[c - a - b]) + (q[c - a] + q[c - b]));
}

/// The same of cells on both sides of a face across stride a, in rows c and c - b.
template <class T>
HELICITY_HD T about_rows(const T* q, Index c, Index a, Index b)
{
  return T(0.25) * ((q[c] + q[c - a]) + (q[c - b] + q[c - b - a]));
}

/// Mean of values on edges, or faces, about the centre between c and c + a, c + b.
template <class T>
HELICITY_HD T about_centre(const T* q, Index c, Index a, Index b)
{
  return T(0.25) * ((q[c] + q[c + a]) + (q[c + b] + q[c + b + a]));
}

/// 1 / G of a column; 1 over flat ground.
template <bool hilly, class T>
HELICITY_HD T per_g(const Dynamics<T>& d, Index g)
{
  if constexpr (hilly) return d.terrain.per_jacobian[g];
  return T(1);
}

/// du/dx, dv/dy, dw/dz at the centre c.
template <bool slab, bool hilly, class T>
HELICITY_HD void deform_centre(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l, Index c)
{
  T xx = (d.u[c + 1] - d.u[c]) * d.per_dx, zz = (d.w[c + d.sk] - d.w[c]) * d.per_dz;
  T yy = slab ? T(0) : (d.v[c + d.sj] - d.v[c]) * d.per_dy;
  if constexpr (hilly) {
    const Index g = ground_of(d, l, c);
    const T lean = l.decay * d.terrain.per_jacobian[g];
    xx =
        xx - (d.terrain.slope_x[g] * lean) * mean(rise_of(d, l, d.u, c), rise_of(d, l, d.u, c + 1));
    if constexpr (!slab)
      yy = yy - (d.terrain.slope_y[g] * lean) *
                    mean(rise_of(d, l, d.v, c), rise_of(d, l, d.v, c + d.sj));
    zz = zz * d.terrain.per_jacobian[g];
  }
  m.xx[c] = xx;
  if constexpr (!slab) m.yy[c] = yy;
  m.zz[c] = zz;
}

/// du/dy + dv/dx.
template <bool slab, bool hilly, class T>
HELICITY_HD void deform_xy(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l, Index c)
{
  const Index sj = d.sj;
  T xy = (d.v[c] - d.v[c - 1]) * d.per_dx;
  if constexpr (!slab) xy = xy + (d.u[c] - d.u[c - sj]) * d.per_dy;
  if constexpr (hilly) {
    const Index g = ground_of(d, l, c);
    const Terrain<T>& t = d.terrain;
    const T lean = l.decay * about_edge(t.per_jacobian, g, Index{1}, sj);
    T tilt = mean(t.slope_u[g - sj], t.slope_u[g]) *
             mean(rise_of(d, l, d.v, c - 1), rise_of(d, l, d.v, c));
    if constexpr (!slab)
      tilt = tilt + mean(t.slope_v[g - 1], t.slope_v[g]) *
                        mean(rise_of(d, l, d.u, c - sj), rise_of(d, l, d.u, c));
    xy = xy - lean * tilt;
  }
  m.xy[c] = xy;
}

/// du/dz + dw/dx, or of v and y: on the edge of the low-k face and the one across `stride`.
/// @pre a face between two cells
template <bool hilly, class T>
HELICITY_HD T deform_up(const Dynamics<T>& d, const Level<T>& l, const T* u, Index c, Index stride,
                        T per_spacing, const T* slope)
{
  const Index sk = d.sk;
  const T shear = (u[c] - u[c - sk]) * d.per_dz, lift = (d.w[c] - d.w[c - stride]) * per_spacing;
  if constexpr (!hilly) return shear + lift;
  const Index g = ground_of(d, l, c);
  const T per = mean(d.terrain.per_jacobian[g - stride], d.terrain.per_jacobian[g]);
  const T rise =
      (T(0.25) * ((d.w[c - stride + sk] - d.w[c - stride - sk]) + (d.w[c + sk] - d.w[c - sk]))) *
      d.per_dz;
  return (shear - (slope[g] * l.decay_face) * rise) * per + lift;
}

/// Twice S_ij S_ij at a centre, from deformations; edges of the lids do not count.
template <bool slab, class T>
HELICITY_HD T strain_square(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l, Index c)
{
  const Index sj = d.sj, low = l.k > 0 ? c : c + d.sk, high = l.k + 1 < d.cells.k ? c + d.sk : c;
  const auto square = [](const T* q, Index n) { return q[n] * q[n]; };
  T normal = square(m.xx, c);
  if constexpr (!slab) normal = normal + square(m.yy, c);
  normal = normal + square(m.zz, c);
  const T xz =
      (square(m.xz, low) + square(m.xz, low + 1)) + (square(m.xz, high) + square(m.xz, high + 1));
  if (!d.has_v) return T(2) * normal + T(0.25) * xz;
  const T yz =
      (square(m.yz, low) + square(m.yz, low + sj)) + (square(m.yz, high) + square(m.yz, high + sj));
  const T xy =
      (square(m.xy, c) + square(m.xy, c + 1 + sj)) + (square(m.xy, c + 1) + square(m.xy, c + sj));
  return T(2) * normal + T(0.25) * ((xz + yz) + xy);
}

/// Square of the frequency of buoyancy at c.
template <bool hilly, class T>
HELICITY_HD T buoyancy_square(const Dynamics<T>& d, const Height<T>& h, Index c)
{
  const Level<T>& l = h.here;
  if constexpr (hilly) {
    const T* theta = d.terrain.full_theta;
    return d.gravity * (rise_of(d, l, theta, c) * per_g<true>(d, ground_of(d, l, c))) / theta[c];
  }
  const bool top = l.k + 1 == d.cells.k;
  const T up = top ? l.theta : h.above.theta, weight = top || l.k == 0 ? T(1) : T(0.5);
  const T rise = rise_of(d, l, d.theta, c) + (weight * (up - h.below.theta)) * d.per_dz;
  return d.gravity * rise / (l.theta + d.theta[c]);
}

/// K and K_h of one length.
template <class T>
struct Eddies
{
  T k, heat;
};

template <class T>
HELICITY_HD Eddies<T> capped(T k, T heat, T most)
{
  return {smaller(k, most), smaller(heat, most)};
}

/// Length of eddies, which stable air limits. @param root  square root of e
template <class T>
HELICITY_HD T eddy_length(T length, T root, T n2)
{
  return n2 > T(0) ? smaller(length, T(0.76) * root / square_root(n2)) : length;
}

/// @param square  (c l)^2, or K   @param strain  twice S_ij S_ij   @param root  square root of e
template <class T>
HELICITY_HD Eddies<T> eddies_of(const Mixing<T>& m, T square, T length, T most, T strain, T n2,
                                T root)
{
  if (m.closure == Closure::constant) return capped(square, square * m.per_prandtl, most);
  if (m.closure == Closure::energy) {
    const T s = eddy_length(length, root, n2), k = T(0.1) * s * root;
    return capped(k, (T(1) + T(2) * s / length) * k, most);
  }
  const T k = square * square_root(positive_part(strain - n2 * m.per_prandtl));
  return capped(k, k * m.per_prandtl, most);
}

/// Shear, buoyancy and dissipation of e.
template <class T>
HELICITY_HD T energy_source(const Mixing<T>& m, const Eddies<T>& e, T strain, T n2, T root)
{
  const T s = eddy_length(m.length_up, root, n2);
  const T loss = s > T(0) ? (T(0.19) + T(0.51) * s / m.length_up) * (root * root * root) / s : T(0);
  return (e.k * strain - e.heat * n2) - loss;
}

/// rho K of the cell c.
template <bool slab, bool hilly, class T>
HELICITY_HD void set_eddies(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h, Index c)
{
  const T strain = strain_square<slab>(d, m, h.here, c);
  const T n2 = buoyancy_square<hilly>(d, h, c), rho = full_rho<hilly>(d, h.here, c);
  const T root = m.energy != nullptr ? square_root(m.energy[c]) : T(0);
  const Eddies<T> up = eddies_of(m, m.square_up, m.length_up, m.most_up, strain, n2, root);
  if (m.energy != nullptr) m.energy_source[c] = energy_source(m, up, strain, n2, root);
  m.k_up[c] = rho * up.k;
  m.heat_up[c] = rho * up.heat;
  if (!m.separate) return;
  const Eddies<T> across =
      eddies_of(m, m.square_across, m.length_across, m.most_across, strain, n2, root);
  m.k_across[c] = rho * across.k;
  m.heat_across[c] = rho * across.heat;
}

/// Deformations at a centre become stresses.
template <bool slab, class T>
HELICITY_HD void stress_centre(const Mixing<T>& m, Index c)
{
  const T third = T(1) / T(3);
  T spread = m.xx[c];
  if constexpr (!slab) spread = spread + m.yy[c];
  spread = third * (spread + m.zz[c]);
  const T across = T(2) * m.k_across[c];
  m.xx[c] = across * (m.xx[c] - spread);
  if constexpr (!slab) m.yy[c] = across * (m.yy[c] - spread);
  m.zz[c] = (T(2) * m.k_up[c]) * (m.zz[c] - spread);
}

/// Stress between the ground and the wind `own` of a face, `other` being that along the other axis.
template <class T>
HELICITY_HD T ground_stress(const Ground<T>& g, T rho, T own, T other)
{
  const T speed = square_root(own * own + other * other);
  if (g.friction > T(0))
    return speed > T(0) ? rho * (g.friction * g.friction) * (own / speed) : T(0);
  return rho * g.drag * speed * own;
}

/// Deformations on edges become stresses; that on the ground is the ground's.
template <class T>
HELICITY_HD void stress_xy(const Dynamics<T>& d, const Mixing<T>& m, Index c)
{
  m.xy[c] = about_edge(m.k_across, c, Index{1}, d.sj) * m.xy[c];
}

template <bool hilly, class T>
HELICITY_HD void stress_xz(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l, Index c)
{
  if (l.k > 0) {
    m.xz[c] = about_rows(m.k_up, c, Index{1}, d.sk) * m.xz[c];
    return;
  }
  const T rho = mean(full_rho<hilly>(d, l, c - 1), full_rho<hilly>(d, l, c));
  const T* v = d.v;
  const T other = d.has_v ? T(0.25) * ((v[c - 1] + v[c - 1 + d.sj]) + (v[c] + v[c + d.sj])) : T(0);
  m.xz[c] = ground_stress(m.ground, rho, d.u[c], other);
}

template <bool hilly, class T>
HELICITY_HD void stress_yz(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l, Index c)
{
  const Index sj = d.sj;
  if (l.k > 0) {
    m.yz[c] = about_rows(m.k_up, c, sj, d.sk) * m.yz[c];
    return;
  }
  const T rho = mean(full_rho<hilly>(d, l, c - sj), full_rho<hilly>(d, l, c));
  const T* u = d.u;
  const T other = T(0.25) * ((u[c - sj] + u[c + 1 - sj]) + (u[c] + u[c + 1]));
  m.yz[c] = ground_stress(m.ground, rho, d.v[c], other);
}

/// Upward flux of momentum along x (y) through the low-k face, over terrain less what crosses the
/// sloping face along x and y; `stride` is that of the axis, `side` of the other, `own` and `cross`
/// their stresses.
template <bool slab, bool hilly, class T>
HELICITY_HD T lean_stress(const Dynamics<T>& d, const Level<T>& l, const T* up, const T* own,
                          const T* cross, Index c, Index stride, Index side, const T* slope,
                          const T* slope_side)
{
  if constexpr (!hilly) return up[c];
  const Index g = ground_of(d, l, c), sk = d.sk;
  const T per = mean(d.terrain.per_jacobian[g - stride], d.terrain.per_jacobian[g]);
  if (l.k == 0 || l.k == d.cells.k) return up[c] * per;
  const bool along_y = slab && stride == 0;
  T tilt = along_y ? T(0) : slope[g] * about_rows(own, c, stride, sk);
  if (!slab || along_y)
    tilt = tilt +
           mean(slope_side[g - stride], slope_side[g]) *
               (T(0.25) * ((cross[c] + cross[c + side]) + (cross[c - sk] + cross[c - sk + side])));
  return (up[c] - l.decay_face * tilt) * per;
}

template <bool slab, bool hilly, class T>
HELICITY_HD T mixing_rate_u(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h, Index c)
{
  const Terrain<T>& t = d.terrain;
  T sum = (m.xx[c] - m.xx[c - 1]) * d.per_dx;
  if constexpr (!slab) sum = sum + (m.xy[c + d.sj] - m.xy[c]) * d.per_dy;
  const T high = lean_stress<slab, hilly>(d, h.above, m.xz, m.xx, m.xy, c + d.sk, Index{1}, d.sj,
                                          t.slope_u, t.slope_y);
  const T low = lean_stress<slab, hilly>(d, h.here, m.xz, m.xx, m.xy, c, Index{1}, d.sj, t.slope_u,
                                         t.slope_y);
  return sum + (high - low) * d.per_dz;
}

template <bool slab, bool hilly, class T>
HELICITY_HD T mixing_rate_v(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h, Index c)
{
  const Terrain<T>& t = d.terrain;
  T sum = (m.xy[c + 1] - m.xy[c]) * d.per_dx;
  if constexpr (!slab) sum = (m.yy[c] - m.yy[c - d.sj]) * d.per_dy + sum;
  const T high = lean_stress<slab, hilly>(d, h.above, m.yz, m.yy, m.xy, c + d.sk, d.sj, Index{1},
                                          t.slope_v, t.slope_x);
  const T low = lean_stress<slab, hilly>(d, h.here, m.yz, m.yy, m.xy, c, d.sj, Index{1}, t.slope_v,
                                         t.slope_x);
  return sum + (high - low) * d.per_dz;
}

/// Upward flux of W through the centre c.
template <bool slab, bool hilly, class T>
HELICITY_HD T lean_stress_w(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l, Index c)
{
  if constexpr (!hilly) return m.zz[c];
  const Index g = ground_of(d, l, c);
  T tilt = d.terrain.slope_x[g] * about_centre(m.xz, c, Index{1}, d.sk);
  if constexpr (!slab) tilt = tilt + d.terrain.slope_y[g] * about_centre(m.yz, c, d.sj, d.sk);
  return (m.zz[c] - l.decay * tilt) * d.terrain.per_jacobian[g];
}

/// @pre a face between two cells
template <bool slab, bool hilly, class T>
HELICITY_HD T mixing_rate_w(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h, Index c)
{
  T sum = (m.xz[c + 1] - m.xz[c]) * d.per_dx;
  if constexpr (!slab) sum = sum + (m.yz[c + d.sj] - m.yz[c]) * d.per_dy;
  return sum + (lean_stress_w<slab, hilly>(d, m, h.here, c) -
                lean_stress_w<slab, hilly>(d, m, h.below, c - d.sk)) *
                   d.per_dz;
}

/// rho K_h dq/dx (times G) on the face between c - stride and c.
template <bool hilly, class T>
HELICITY_HD T content_across(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l,
                             const T* q, Index c, Index stride, T per_spacing, const T* jacobian,
                             const T* slope)
{
  T along = (q[c] - q[c - stride]) * per_spacing;
  if constexpr (hilly) {
    const Index g = ground_of(d, l, c);
    along = along - (slope[g] * l.decay / jacobian[g]) *
                        mean(rise_of(d, l, q, c - stride), rise_of(d, l, q, c));
  }
  return mean(m.heat_across[c - stride], m.heat_across[c]) * along;
}

/// slope dq/dx at constant height on the low-k face of c.
template <class T>
HELICITY_HD T content_tilt(const Dynamics<T>& d, const T* q, Index c, Index stride, T per_spacing,
                           T slope, T rise)
{
  const T along = (T(0.25) * ((q[c + stride] - q[c - stride]) +
                              (q[c - d.sk + stride] - q[c - d.sk - stride]))) *
                  per_spacing;
  return slope * (along - slope * rise);
}

/// Upward rho K_h dq/dz on the low-k face of c; `step`: what else q rises by across the face.
/// @pre a face between two cells
template <bool slab, bool hilly, class T>
HELICITY_HD T content_up(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l, const T* q,
                         Index c, T step)
{
  const Index sk = d.sk;
  const T up = mean(m.heat_up[c - sk], m.heat_up[c]);
  const T rise = ((q[c] - q[c - sk]) + step) * d.per_dz;
  if constexpr (!hilly) return up * rise;
  const Index g = ground_of(d, l, c);
  const T per = d.terrain.per_jacobian[g];
  T tilt =
      content_tilt(d, q, c, Index{1}, d.per_dx, d.terrain.slope_x[g] * l.decay_face, rise * per);
  if constexpr (!slab)
    tilt = tilt +
           content_tilt(d, q, c, d.sj, d.per_dy, d.terrain.slope_y[g] * l.decay_face, rise * per);
  return (up * (rise * per) - mean(m.heat_across[c - sk], m.heat_across[c]) * tilt) * per;
}

/// d rho q / dt of the cell c. @param flux  rho times that from the ground
template <bool slab, bool hilly, class T>
HELICITY_HD T content_rate(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h, const T* q,
                           Index c, T step_low, T step_high, T flux)
{
  const Terrain<T>& t = d.terrain;
  const Level<T>& l = h.here;
  const auto x = [&](Index n) {
    return content_across<hilly>(d, m, l, q, n, Index{1}, d.per_dx, t.jacobian_u, t.slope_u);
  };
  T sum = (x(c + 1) - x(c)) * d.per_dx;
  if constexpr (!slab) {
    const auto y = [&](Index n) {
      return content_across<hilly>(d, m, l, q, n, d.sj, d.per_dy, t.jacobian_v, t.slope_v);
    };
    sum = sum + (y(c + d.sj) - y(c)) * d.per_dy;
  }
  const T high =
      l.k + 1 < d.cells.k ? content_up<slab, hilly>(d, m, h.above, q, c + d.sk, step_high) : T(0);
  const T low = l.k > 0 ? content_up<slab, hilly>(d, m, l, q, c, step_low) : -flux;
  return sum + (high - low) * d.per_dz;
}

/// d rho q / dt of a content at c. @param flux  from the ground, q m/s
template <bool slab, bool hilly, class T>
HELICITY_HD T mixed_content(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h,
                            const T* q, Index c, T flux)
{
  const Level<T>& l = h.here;
  return content_rate<slab, hilly>(
      d, m, h, q, c, T(0), T(0),
      (full_rho<hilly>(d, l, c) * per_g<hilly>(d, ground_of(d, l, c))) * flux);
}

/// Mixing of e, with twice K, joins its sources.
template <bool slab, bool hilly, class T>
HELICITY_HD void mix_energy(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h, Index c)
{
  Mixing<T> twice = m;
  twice.heat_across = m.k_across;
  twice.heat_up = m.k_up;
  const T mixed = T(2) * mixed_content<slab, hilly>(d, twice, h, m.energy, c, T(0));
  m.energy_source[c] = m.energy_source[c] + mixed / full_rho<hilly>(d, h.here, c);
}

/// e of the cell c at the end of a stage. Carried so that an even e stays even.
template <bool slab, bool hilly, class T>
HELICITY_HD void next_energy(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h, T step,
                             Index c)
{
  const T *mu = d.stage.u, *mv = d.stage.v, *mw = mass_up<hilly>(d), *e = m.energy;
  const Index sj = d.sj, sk = d.sk;
  const T none = T(0);
  T spread = (mu[c + 1] - mu[c]) * d.per_dx;
  T flux = (flux_across(e, c + 1, Index{1}, mu[c + 1], none, d.across) -
            flux_across(e, c, Index{1}, mu[c], none, d.across)) *
           d.per_dx;
  if constexpr (!slab) {
    spread = spread + (mv[c + sj] - mv[c]) * d.per_dy;
    flux = flux + (flux_across(e, c + sj, sj, mv[c + sj], none, d.across) -
                   flux_across(e, c, sj, mv[c], none, d.across)) *
                      d.per_dy;
  }
  spread = spread + (mw[c + sk] - mw[c]) * d.per_dz;
  flux = flux + (flux_up(e, c, h.high, mw[c + sk], none, h.above.face) -
                 flux_up(e, c, h.low, mw[c], none, h.here.face)) *
                    d.per_dz;
  const T carried = (e[c] * spread - flux) / full_rho<hilly>(d, h.here, c);
  const T next = m.energy_start[c] + step * (carried + m.energy_source[c]);
  m.energy_next[c] = next > m.least_energy ? next : m.least_energy;
}

/// What the large scale does to q of the place c: lowering, upwind. @param steps  as content_rate
template <class T>
HELICITY_HD T lowered(const Dynamics<T>& d, const Level<T>& l, const T* q, Index c, T lowering,
                      T step_low, T step_high)
{
  const Index up = l.k + 1 < d.cells.k ? d.sk : 0, down = l.k > 0 ? d.sk : 0;
  const T fall = (q[c + up] - q[c]) + (up != 0 ? step_high : T(0));
  const T rise = (q[c] - q[c - down]) + (down != 0 ? step_low : T(0));
  return -(lowering * (lowering < T(0) ? fall : rise)) * d.per_dz;
}

/// Flux of theta from the ground, K m/s.
template <class T>
HELICITY_HD T ground_heat(const Dynamics<T>& d, const Mixing<T>& m, Index c, T theta)
{
  const Ground<T>& g = m.ground;
  if (!(g.exchange > T(0))) return g.heat;
  const T u = T(0.5) * (d.u[c] + d.u[c + 1]);
  const T v = d.has_v ? T(0.5) * (d.v[c] + d.v[c + d.sj]) : T(0);
  return g.heat + (g.exchange * square_root(u * u + v * v)) * (g.theta - theta);
}

/// Tendency of Theta at c.
template <bool slab, bool hilly, class T>
HELICITY_HD T mixing_rate_theta(const Dynamics<T>& d, const Mixing<T>& m, const Height<T>& h,
                                Index c)
{
  const Level<T>& l = h.here;
  const bool top = l.k + 1 == d.cells.k;
  const T low = hilly ? T(0) : l.theta - h.below.theta;
  const T high = hilly || top ? T(0) : h.above.theta - l.theta;
  const T* q = hilly && !m.departure ? d.terrain.full_theta : d.theta;
  const T rho = full_rho<hilly>(d, l, c), per = per_g<hilly>(d, ground_of(d, l, c));
  T flux = T(0);
  if (l.k == 0)
    flux = (rho * per) * ground_heat(d, m, c, reference_theta<hilly>(d, l, c) + d.theta[c]);
  T rate = content_rate<slab, hilly>(d, m, h, q, c, m.departure ? T(0) : low,
                                     m.departure ? T(0) : high, flux);
  if constexpr (!hilly) {
    if (m.forced != nullptr) {
      const Forced<T>& f = m.forced[l.k];
      rate = rate + rho * (f.heating + lowered(d, l, d.theta, c, f.lowering, low, high));
    }
  }
  return rate;
}

/// Lowering of the wind u at the face between c - stride and c.
template <bool hilly, class T>
HELICITY_HD T lowered_wind(const Dynamics<T>& d, const Mixing<T>& m, const Level<T>& l, const T* u,
                           Index c, Index stride)
{
  if constexpr (hilly) return T(0);
  if (m.forced == nullptr) return T(0);
  const T rho = mean(full_rho<false>(d, l, c - stride), full_rho<false>(d, l, c));
  return rho * lowered(d, l, u, c, m.forced[l.k].lowering, T(0), T(0));
}

}  // namespace helicity::weather
