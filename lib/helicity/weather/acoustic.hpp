// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/terrain.hpp>

/// Points of the acoustic steps: deviations from `stage`.
namespace helicity::weather {

/// push at the start of a stage.
template <class T>
HELICITY_HD void start_push(const Dynamics<T>& d, Index c)
{
  d.push[c] = d.stiffness[c] * (d.start.theta[c] - d.stage.theta[c]);
}

/// Numbers of the vertical sweep.
template <class T>
struct Sweep
{
  T step, ahead, behind;  ///< short step; weights of new and old time
  T rise, fall;           ///< step times weight of the new, of the old time / dz
  T square;               ///< rise^2
  T lift;                 ///< g step ahead rise / 2
  T slope, weight;        ///< step / dz, step g / 2
};

template <class T>
HELICITY_HD Sweep<T> sweep_of(const Dynamics<T>& d)
{
  const T step = d.short_step, ahead = d.ahead, behind = T(1) - ahead;
  const T rise = step * ahead * d.per_dz;
  return {step,
          ahead,
          behind,
          rise,
          step * behind * d.per_dz,
          rise * rise,
          T(0.5) * d.gravity * (step * ahead) * rise,
          step * d.per_dz,
          T(0.5) * (step * d.gravity)};
}

/// x, or x / G over terrain: what a unit of W does to Theta and rho.
template <bool hilly, class T>
HELICITY_HD T per_depth(const Dynamics<T>& d, const Level<T>& l, Index c, T x)
{
  if constexpr (hilly) return x * d.terrain.per_jacobian[ground_of(d, l, c)];
  return x;
}

/// Factor of W below in the row of the face at c.
template <bool hilly, class T>
HELICITY_HD T lower_factor(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l, Index c)
{
  return per_depth<hilly>(d, l, c,
                          s.lift - s.square * (d.stiffness[c - d.sk] * d.theta_face[c - d.sk]));
}

/// theta on the low-k face of c. @pre a face between two cells
template <bool hilly, class T>
HELICITY_HD void set_theta_face(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  if constexpr (hilly)
    d.theta_face[c] = T(0.5) * (d.terrain.full_theta[c - d.sk] + d.terrain.full_theta[c]);
  else
    d.theta_face[c] = T(0.5) * (d.theta[c - d.sk] + d.theta[c]) + l.theta_face;
}

/// Row of the matrix for W on the low-k face of c, eliminated from below upwards.
/// @pre a face between two cells whose face below is done (gain 0 at the lid); theta_face, 0 at the
///   lids
template <bool hilly, class T>
HELICITY_HD void eliminate(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l, Index c)
{
  const Index sk = d.sk;
  const T upper =
      -per_depth<hilly>(d, l, c, s.lift + s.square * (d.stiffness[c] * d.theta_face[c + sk]));
  const T stiff = s.square * ((d.stiffness[c] + d.stiffness[c - sk]) * d.theta_face[c]);
  const T middle = T(1) + per_depth<hilly>(d, l, c, stiff);
  const T pivot = T(1) / (middle - lower_factor<hilly>(d, s, l, c) * d.gain[c - sk]);
  d.pivot[c] = pivot;
  d.gain[c] = upper * pivot;
}

/// Horizontal divergence of deviations of mass and of Theta.
template <class T>
struct Spread
{
  T mass, theta;
};

template <bool slab, bool hilly, class T>
HELICITY_HD Spread<T> spread_of(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  const T *u = d.deviation.u, *v = d.deviation.v, *t = hilly ? d.terrain.full_theta : d.theta;
  const Index sj = d.sj;
  T mass = (u[c + 1] - u[c]) * d.per_dx;
  T theta =
      (u[c + 1] * (T(0.5) * (t[c] + t[c + 1])) - u[c] * (T(0.5) * (t[c - 1] + t[c]))) * d.per_dx;
  if constexpr (!slab) {
    mass = mass + (v[c + sj] - v[c]) * d.per_dy;
    theta =
        theta + (v[c + sj] * (T(0.5) * (t[c] + t[c + sj])) - v[c] * (T(0.5) * (t[c - sj] + t[c]))) *
                    d.per_dy;
  }
  if constexpr (hilly) return {mass, theta};
  return {mass, theta + l.theta * mass};
}

/// What a level hands to the one above on the way up.
template <class T>
struct Carried
{
  T pressure, weight;  ///< time averages of c Theta and rho, less the new W's part
};

/// What leaves a cell by vertical mass fluxes that are known before the new W is.
template <bool slab, bool hilly, class T>
HELICITY_HD Spread<T> known_rise(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l,
                                 const Level<T>& above, Index c)
{
  const Variables<T>& x = d.deviation;
  const Index sk = d.sk;
  T low = s.fall * x.w[c], high = s.fall * x.w[c + sk];
  if constexpr (hilly) {
    const T whole = s.fall + s.rise;
    low = per_depth<true>(d, l, c, low - whole * along_face<slab>(d, l, x.u, x.v, c));
    high = per_depth<true>(d, l, c, high - whole * along_face<slab>(d, above, x.u, x.v, c + sk));
  }
  return {high - low, d.theta_face[c + sk] * high - d.theta_face[c] * low};
}

/// One level on the way up: density and Theta but for the new W, right-hand side of W eliminated.
/// Deviations are overwritten; the old Theta is left in push.
/// @param lid  whether the face below is the lower lid
template <bool slab, bool hilly, class T>
HELICITY_HD Carried<T> sweep_up(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l,
                                const Level<T>& above, Index c, bool lid, const Carried<T>& below)
{
  const Variables<T>& x = d.deviation;
  const Spread<T> spread = spread_of<slab, hilly>(d, l, c);
  const Spread<T> risen = known_rise<slab, hilly>(d, s, l, above, c);
  const T old_theta = x.theta[c], old_rho = x.rho[c];
  const T theta = (old_theta + s.step * (d.rate.theta[c] - spread.theta)) - risen.theta;
  const T rho = (old_rho + s.step * (d.rate.rho[c] - spread.mass)) - risen.mass;
  const Carried<T> here{d.stiffness[c] * (s.ahead * theta + s.behind * old_theta),
                        s.ahead * rho + s.behind * old_rho};
  d.push[c] = old_theta;
  x.theta[c] = theta;
  x.rho[c] = rho;
  if (lid) return here;
  const T right = ((x.w[c] + s.step * d.rate.w[c]) - s.slope * (here.pressure - below.pressure)) -
                  s.weight * (here.weight + below.weight);
  x.w[c] = (right - lower_factor<hilly>(d, s, l, c) * x.w[c - d.sk]) * d.pivot[c];
  return here;
}

/// One level on the way down: W, then density, Theta and push. @pre the level above is done
template <bool hilly, class T>
HELICITY_HD void sweep_down(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l, Index c)
{
  const Variables<T>& x = d.deviation;
  const Index sk = d.sk;
  const T over = x.w[c + sk];
  const T w = x.w[c] - d.gain[c] * over;
  const T rise = per_depth<hilly>(d, l, c, s.rise);
  const T theta = x.theta[c] - rise * (d.theta_face[c + sk] * over - d.theta_face[c] * w);
  x.w[c] = w;
  x.rho[c] = x.rho[c] - rise * (over - w);
  x.theta[c] = theta;
  d.push[c] = d.stiffness[c] * (theta + d.damping * (theta - d.push[c]));
}

template <bool hilly, class T>
HELICITY_HD void push_u(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  T& u = d.deviation.u[c];
  u = u + d.short_step * (d.rate.u[c] - slope_x<hilly>(d, l, d.push, c));
}

template <bool hilly, class T>
HELICITY_HD void push_v(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  T& v = d.deviation.v[c];
  v = v + d.short_step * (d.rate.v[c] - slope_y<hilly>(d, l, d.push, c));
}

}  // namespace helicity::weather
