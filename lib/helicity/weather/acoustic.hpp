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

/// Offsets from a cell to those below and above it, 0 at the lids; the same for a whole level.
struct Beside
{
  Index down, up;
};

template <class T>
HELICITY_HD Beside beside_level(const Dynamics<T>& d, Index k)
{
  return {k > 0 ? d.sk : 0, k + 1 < d.cells.k ? d.sk : 0};
}

/// theta on the face between the cells a and b; at the lids, through which nothing goes, they are
/// the same. @param l  the face's
template <bool hilly, class T>
HELICITY_HD T theta_on_face(const Dynamics<T>& d, const Level<T>& l, Index a, Index b)
{
  if constexpr (hilly) return T(0.5) * (d.terrain.full_theta[a] + d.terrain.full_theta[b]);
  return T(0.5) * (d.theta[a] + d.theta[b]) + l.theta_face;
}

/// Factor of W on the low-k face of c in the row of the face above. @param theta  on that face
template <bool hilly, class T>
HELICITY_HD T lower_factor(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l, Index c,
                           T theta)
{
  return per_depth<hilly>(d, l, c, s.lift - s.square * (d.stiffness[c] * theta));
}

/// Factor of W above in the row of the low-k face of c. @param theta  on the face above
template <bool hilly, class T>
HELICITY_HD T upper_factor(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l, Index c,
                           T theta)
{
  return -per_depth<hilly>(d, l, c, s.lift + s.square * (d.stiffness[c] * theta));
}

/// What a row of the matrix hands to the one above.
template <class T>
struct Eliminated
{
  T gain;   ///< upper factor / pivot; 0 at the lid
  T lower;  ///< lower factor of the row above
};

/// Row of the matrix for W on the low-k face of c, eliminated from below upwards.
/// @pre a face between two cells
template <bool hilly, class T>
HELICITY_HD Eliminated<T> eliminate(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l,
                                    const Level<T>& above, const Beside& at, Index c,
                                    const Eliminated<T>& below)
{
  const T theta = theta_on_face<hilly>(d, l, c - at.down, c);
  const T upper = upper_factor<hilly>(d, s, l, c, theta_on_face<hilly>(d, above, c, c + at.up));
  const T stiff = s.square * ((d.stiffness[c] + d.stiffness[c - at.down]) * theta);
  const T middle = T(1) + per_depth<hilly>(d, l, c, stiff);
  const T pivot = T(1) / (middle - below.lower * below.gain);
  d.pivot[c] = pivot;
  return {upper * pivot, lower_factor<hilly>(d, s, l, c, theta)};
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
  T lower;             ///< lower factor of the row above
};

/// What leaves a cell by vertical mass fluxes that are known before the new W is.
/// @param below, over  theta on its low-k and high-k face
template <bool slab, bool hilly, class T>
HELICITY_HD Spread<T> known_rise(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l,
                                 const Level<T>& above, Index c, T below, T over)
{
  const Variables<T>& x = d.deviation;
  const Index sk = d.sk;
  T low = s.fall * x.w[c], high = s.fall * x.w[c + sk];
  if constexpr (hilly) {
    const T whole = s.fall + s.rise;
    low = per_depth<true>(d, l, c, low - whole * along_face<slab>(d, l, x.u, x.v, c));
    high = per_depth<true>(d, l, c, high - whole * along_face<slab>(d, above, x.u, x.v, c + sk));
  }
  return {high - low, over * high - below * low};
}

/// One level on the way up: density and Theta but for the new W, right-hand side of W eliminated.
/// Deviations are overwritten; the old Theta is left in push.
/// @param lid  whether the face below is the lower lid
template <bool slab, bool hilly, class T>
HELICITY_HD Carried<T> sweep_up(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l,
                                const Level<T>& above, const Beside& at, Index c, bool lid,
                                const Carried<T>& below)
{
  const Variables<T>& x = d.deviation;
  const Spread<T> spread = spread_of<slab, hilly>(d, l, c);
  const T theta_low = theta_on_face<hilly>(d, l, c - at.down, c);
  const T theta_high = theta_on_face<hilly>(d, above, c, c + at.up);
  const Spread<T> risen = known_rise<slab, hilly>(d, s, l, above, c, theta_low, theta_high);
  const T old_theta = x.theta[c], old_rho = x.rho[c];
  const T theta = (old_theta + s.step * (d.rate.theta[c] - spread.theta)) - risen.theta;
  const T rho = (old_rho + s.step * (d.rate.rho[c] - spread.mass)) - risen.mass;
  const Carried<T> here{d.stiffness[c] * (s.ahead * theta + s.behind * old_theta),
                        s.ahead * rho + s.behind * old_rho,
                        lower_factor<hilly>(d, s, l, c, theta_low)};
  d.push[c] = old_theta;
  x.theta[c] = theta;
  x.rho[c] = rho;
  if (lid) return here;
  const T right = ((x.w[c] + s.step * d.rate.w[c]) - s.slope * (here.pressure - below.pressure)) -
                  s.weight * (here.weight + below.weight);
  x.w[c] = (right - below.lower * x.w[c - d.sk]) * d.pivot[c];
  return here;
}

/// One level on the way down: W, then density, Theta and push. @pre the level above is done
template <bool hilly, class T>
HELICITY_HD void sweep_down(const Dynamics<T>& d, const Sweep<T>& s, const Level<T>& l,
                            const Level<T>& above, const Beside& at, Index c)
{
  const Variables<T>& x = d.deviation;
  const T theta_low = theta_on_face<hilly>(d, l, c - at.down, c);
  const T theta_high = theta_on_face<hilly>(d, above, c, c + at.up);
  const T over = x.w[c + d.sk];
  const T gain = upper_factor<hilly>(d, s, l, c, theta_high) * d.pivot[c];
  const T w = x.w[c] - gain * over;
  const T rise = per_depth<hilly>(d, l, c, s.rise);
  const T theta = x.theta[c] - rise * (theta_high * over - theta_low * w);
  x.w[c] = w;
  x.rho[c] = x.rho[c] - rise * (over - w);
  x.theta[c] = theta;
  d.push[c] = d.stiffness[c] * (theta + d.damping * (theta - d.push[c]));
}

/// The new state of a cell, when its last acoustic step is done.
template <class T>
HELICITY_HD void finish_cell(const Dynamics<T>& d, Index c)
{
  const Variables<T>&to = d.next, &a = d.stage, &b = d.deviation;
  to.rho[c] = a.rho[c] + b.rho[c];
  to.theta[c] = a.theta[c] + b.theta[c];
  to.u[c] = a.u[c] + b.u[c];
  if (d.has_v) to.v[c] = a.v[c] + b.v[c];
  to.w[c] = a.w[c] + b.w[c];
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
