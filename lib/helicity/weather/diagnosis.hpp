// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/terrain.hpp>

namespace helicity::weather {

/// (1 + x)^gamma - 1 by its series, coefficient n of x^(n + 1) first.
template <class T>
HELICITY_HD T power_less_one(T x, const T* series)
{
  T sum = series[series_terms<T> - 1];
  for (int n = series_terms<T> - 2; n >= 0; --n) sum = series[n] + x * sum;
  return x * sum;
}

/// theta, p' and c of the cell at c.
template <bool hilly, class T>
HELICITY_HD void diagnose_cell(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  const T density = d.stage.theta[c];
  if constexpr (hilly) {
    const Terrain<T>& t = d.terrain;
    const T p = t.pressure[c] * power_less_one(density / t.density[c], &d.series[0]);
    d.pressure[c] = p;
    d.stiffness[c] = d.gamma * (t.pressure[c] + p) / (t.density[c] + density);
    d.theta[c] = (density - t.theta[c] * d.stage.rho[c]) / (t.rho[c] + d.stage.rho[c]);
    t.full_theta[c] = t.theta[c] + d.theta[c];
  } else {
    const T p = l.pressure * power_less_one(density * l.per_density, &d.series[0]);
    d.pressure[c] = p;
    d.stiffness[c] = d.gamma * (l.pressure + p) / (l.density + density);
    d.theta[c] = (density - l.theta * d.stage.rho[c]) / (l.rho + d.stage.rho[c]);
  }
}

/// Velocity on the face between cells of densities a and b.
template <class T>
HELICITY_HD T velocity_at(T momentum, T a, T b)
{
  return momentum / (T(0.5) * (a + b));
}

template <bool hilly, class T>
HELICITY_HD T full_rho(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  return reference_rho<hilly>(d, l, c) + d.stage.rho[c];
}

template <bool hilly, class T>
HELICITY_HD void diagnose_u(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  d.u[c] = velocity_at(d.stage.u[c], full_rho<hilly>(d, l, c - 1), full_rho<hilly>(d, l, c));
}

template <bool hilly, class T>
HELICITY_HD void diagnose_v(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  d.v[c] = velocity_at(d.stage.v[c], full_rho<hilly>(d, l, c - d.sj), full_rho<hilly>(d, l, c));
}

/// @param below  level k - 1   @pre k > 0
template <bool hilly, class T>
HELICITY_HD void diagnose_w(const Dynamics<T>& d, const Level<T>& below, const Level<T>& l, Index c)
{
  d.w[c] = velocity_at(d.stage.w[c], full_rho<hilly>(d, below, c - d.sk), full_rho<hilly>(d, l, c));
}

/// Vertical mass flux over terrain, and w at the ground, along which the lowest air moves.
template <bool slab, class T>
HELICITY_HD void diagnose_flux_up(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  const Index g = ground_of(d, l, c);
  if (l.k > 0)
    d.terrain.flux_up[c] = (d.stage.w[c] - along_face<slab>(d, l, d.stage.u, d.stage.v, c)) *
                           d.terrain.per_jacobian[g];
  else
    d.w[c] = (T(0.5) * along_ground<slab>(d, d.stage.u, d.stage.v, c, g)) / full_rho<true>(d, l, c);
}

/// Velocities at the centre into `deviation`.
template <class T>
HELICITY_HD void centre_velocity(const Dynamics<T>& d, Index c)
{
  d.deviation.u[c] = T(0.5) * (d.u[c] + d.u[c + 1]);
  d.deviation.v[c] = T(0.5) * (d.v[c] + d.v[c + d.sj]);
  d.deviation.w[c] = T(0.5) * (d.w[c] + d.w[c + d.sk]);
}

/// A cell of `start` that cannot be trusted.
template <class T>
HELICITY_HD bool is_bad(const Dynamics<T>& d, const Level<T>& l, Index c, const HealthLimits& m)
{
  const T reference = d.hilly ? d.terrain.rho[c] : l.rho;
  const auto rho = static_cast<double>(reference + d.start.rho[c]);
  const double x = static_cast<double>(d.hilly ? d.start.theta[c] / d.terrain.density[c]
                                               : d.start.theta[c] * l.per_density);
  const double y = static_cast<double>(d.start.rho[c] / reference);
  const double u = static_cast<double>(d.start.u[c]) / rho * m.courant_x;
  const double v = static_cast<double>(d.start.v[c]) / rho * m.courant_y;
  const double w = static_cast<double>(d.start.w[c]) / rho * m.courant_z;
  const bool near = magnitude(x) <= trusted_range && magnitude(y) <= trusted_range;
  return !(near && magnitude(u) + magnitude(v) + magnitude(w) <= m.courant);
}

}  // namespace helicity::weather
