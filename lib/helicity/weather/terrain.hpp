// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/dynamics.hpp>

/// Points of what terrain changes. `hilly` = false leaves the flat ground's arithmetic as it is.
namespace helicity::weather {

/// Place of the column of c in fields of two dimensions.
template <class T>
HELICITY_HD Index ground_of(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  return c - l.k * d.sk;
}

/// Reference density (times G) at c.
template <bool hilly, class T>
HELICITY_HD T reference_rho(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  if constexpr (hilly) return d.terrain.rho[c];
  return l.rho;
}

template <bool hilly, class T>
HELICITY_HD T reference_theta(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  if constexpr (hilly) return d.terrain.theta[c];
  return l.theta;
}

/// Upward mass flux of `stage` on low-k faces.
template <bool hilly, class T>
HELICITY_HD const T* mass_up(const Dynamics<T>& d)
{
  if constexpr (hilly) return d.terrain.flux_up;
  return d.stage.w;
}

/// Momentum of the wind of the start on the face between cells a and b of a level.
template <bool hilly, class T>
HELICITY_HD T wind_momentum(const Dynamics<T>& d, T flat, T wind, Index a, Index b)
{
  if constexpr (hilly) return T(0.5) * (d.terrain.rho[a] + d.terrain.rho[b]) * wind;
  return flat;
}

/// dp/dx (times G, at constant height) of p on the face between c - stride and c.
template <bool hilly, class T>
HELICITY_HD T slope_of(const Dynamics<T>& d, const Level<T>& l, const T* p, Index c, Index stride,
                       T per_spacing, const T* jacobian, const T* slope)
{
  const T along = (p[c] - p[c - stride]) * per_spacing;
  if constexpr (!hilly) return along;
  const Index g = ground_of(d, l, c);
  const Index up = l.k + 1 < d.cells.k ? d.sk : 0, down = l.k > 0 ? d.sk : 0;
  const T weight = up != 0 && down != 0 ? T(0.25) : T(0.5);
  const T rise = (p[c - stride + up] - p[c - stride - down]) + (p[c + up] - p[c - down]);
  return jacobian[g] * along - (slope[g] * l.decay) * ((weight * rise) * d.per_dz);
}

template <bool hilly, class T>
HELICITY_HD T slope_x(const Dynamics<T>& d, const Level<T>& l, const T* p, Index c)
{
  return slope_of<hilly>(d, l, p, c, Index{1}, d.per_dx, d.terrain.jacobian_u, d.terrain.slope_u);
}

template <bool hilly, class T>
HELICITY_HD T slope_y(const Dynamics<T>& d, const Level<T>& l, const T* p, Index c)
{
  return slope_of<hilly>(d, l, p, c, d.sj, d.per_dy, d.terrain.jacobian_v, d.terrain.slope_v);
}

/// Twice U dh/dx + V dh/dy of the ground under c, from momenta of the level of c.
template <bool slab, class T>
HELICITY_HD T along_ground(const Dynamics<T>& d, const T* u, const T* v, Index c, Index g)
{
  T sum = d.terrain.slope_x[g] * (u[c] + u[c + 1]);
  if constexpr (!slab) sum = sum + d.terrain.slope_y[g] * (v[c] + v[c + d.sj]);
  return sum;
}

/// U dz/dx + V dz/dy on the low-k face of c; 0 at the lids, through which nothing goes.
/// @param l  the face's
template <bool slab, class T>
HELICITY_HD T along_face(const Dynamics<T>& d, const Level<T>& l, const T* u, const T* v, Index c)
{
  if (l.k == 0 || l.k == d.cells.k) return T(0);
  const Index g = ground_of(d, l, c);
  return l.decay_face *
         (T(0.25) * (along_ground<slab>(d, u, v, c - d.sk, g) + along_ground<slab>(d, u, v, c, g)));
}

}  // namespace helicity::weather
