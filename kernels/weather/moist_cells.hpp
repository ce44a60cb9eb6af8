// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/ice.hpp>

/// Points of moist_physics: a cell's phase changes, and a substep of its fall. `l` is the level of
/// c, c the place of the cell.
namespace helicity::weather {

template <Scheme scheme>
inline constexpr bool rains = scheme != Scheme::condensation;
template <Scheme scheme>
inline constexpr bool freezes = scheme == Scheme::ice;

/// 1 / G of the column of c.
template <bool hilly, class T>
HELICITY_HD T per_jacobian(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  if constexpr (hilly) return d.terrain.per_jacobian[ground_of(d, l, c)];
  return T(1);
}

/// Density of all, not times G.
template <bool hilly, class T>
HELICITY_HD T air_density(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  return (reference_rho<hilly>(d, l, c) + d.start.rho[c]) * per_jacobian<hilly>(d, l, c);
}

template <bool hilly, class T>
HELICITY_HD T reference_density(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  if constexpr (hilly) return d.terrain.density[c];
  return l.density;
}

template <bool hilly, class T>
HELICITY_HD T pressure_of(const Dynamics<T>& d, const Level<T>& l, Index c)
{
  if constexpr (hilly) {
    const T p = d.terrain.pressure[c];
    return p + p * unrolled_power_less_one(d.start.theta[c] / d.terrain.density[c], &d.series[0]);
  }
  return l.pressure +
         l.pressure * unrolled_power_less_one(d.start.theta[c] * l.per_density, &d.series[0]);
}

template <Scheme scheme, bool hilly, class T>
HELICITY_HD Parcel<T> parcel_at(const Dynamics<T>& d, const Water<T>& w, const Microphysics<T>& m,
                                const Level<T>& l, Index c)
{
  const T g = per_jacobian<hilly>(d, l, c);
  Parcel<T> p;
  p.vapour = w.start[vapour][c] * g;
  p.cloud = w.start[cloud][c] * g;
  if constexpr (rains<scheme>) p.rain = w.start[rain][c] * g;
  T water = p.vapour + (p.cloud + p.rain);
  if constexpr (freezes<scheme>) {
    p.cloud_ice = w.start[cloud_ice][c] * g;
    p.snow = w.start[snow][c] * g;
    p.graupel = w.start[graupel][c] * g;
    water = water + (p.cloud_ice + (p.snow + p.graupel));
  }
  p.dry = air_density<hilly>(d, l, c) - water;
  p.pressure = pressure_of<hilly>(d, l, c);
  p.temperature = p.pressure / gas_density(m.air, p.dry, p.vapour);
  return p;
}

/// Speed of a species, m/s.
template <Scheme scheme, Species species, class T>
HELICITY_HD T fall_speed(const Microphysics<T>& m, const Parcel<T>& p)
{
  if constexpr (!freezes<scheme>)
    return rain_speed<scheme>(m, p.dry, p.rain);
  else if constexpr (species == rain)
    return ice::rain_speed(p);
  else if constexpr (species == cloud_ice)
    return ice::cloud_ice_speed(p);
  else if constexpr (species == snow)
    return ice::snow_speed(m.air, p);
  else
    return ice::graupel_speed(p);
}

/// Courant number of the fastest fall of the cell in one step.
template <Scheme scheme, bool hilly, class T>
HELICITY_HD T fall_courant(const Dynamics<T>& d, const Microphysics<T>& m, const Level<T>& l,
                           Index c, const Parcel<T>& p)
{
  T speed = fall_speed<scheme, rain>(m, p);
  if constexpr (freezes<scheme>)
    speed = most(most(speed, fall_speed<scheme, cloud_ice>(m, p)),
                 most(fall_speed<scheme, snow>(m, p), fall_speed<scheme, graupel>(m, p)));
  return m.step * (speed * (d.per_dz * per_jacobian<hilly>(d, l, c)));
}

/// Replaces `field`, which is `old` times G, by `now` times G; leaves its bits where nothing is
/// new.
template <class T>
HELICITY_HD void replace(T& field, T old, T now, T per_jacobian)
{
  field = now == old ? field : now / per_jacobian;
}

/// Phase changes of a cell. @return fall_courant after them
template <Scheme scheme, bool hilly, class T>
HELICITY_HD T change_cell(const Dynamics<T>& d, const Water<T>& w, const Microphysics<T>& m,
                          const Level<T>& l, Index c)
{
  const Parcel<T> old = parcel_at<scheme, hilly>(d, w, m, l, c);
  const T g = per_jacobian<hilly>(d, l, c), theta = d.start.theta[c];
  Parcel<T> p = old;
  T change = 0;
  if constexpr (freezes<scheme>)
    change = ice::change_phases(m, p);
  else
    change = change_phases<scheme>(m, p);
  d.start.theta[c] = theta + (reference_density<hilly>(d, l, c) + theta) * change;
  w.loss[c] = T(0);
  replace(w.start[vapour][c], old.vapour, p.vapour, g);
  replace(w.start[cloud][c], old.cloud, p.cloud, g);
  if constexpr (!rains<scheme>) return T(0);
  replace(w.start[rain][c], old.rain, p.rain, g);
  if constexpr (freezes<scheme>) {
    replace(w.start[cloud_ice][c], old.cloud_ice, p.cloud_ice, g);
    replace(w.start[snow][c], old.snow, p.snow, g);
    replace(w.start[graupel][c], old.graupel, p.graupel, g);
  }
  return fall_courant<scheme, hilly>(d, m, l, c, p);
}

/// Substeps of a column. @param courant  greatest fall_courant of its cells
template <class T>
HELICITY_HD int substeps_of(const Microphysics<T>& m, T courant)
{
  const T x = courant / m.fall_courant;
  if (!(x > T(1))) return 1;
  return x < T(most_substeps) ? 1 + static_cast<int>(x) : most_substeps;
}

/// One substep of the fall of a species. @param above  what falls into the cell
/// @return what falls out of it; both are densities (times G) of a cell
template <Scheme scheme, Species species, bool hilly, class T>
HELICITY_HD T fall_through(const Dynamics<T>& d, const Water<T>& w, const Microphysics<T>& m,
                           const Level<T>& l, Index c, T step, T above)
{
  const Parcel<T> p = parcel_at<scheme, hilly>(d, w, m, l, c);
  const T g = per_jacobian<hilly>(d, l, c), stored = w.start[species][c];
  const T part = step * (fall_speed<scheme, species>(m, p) * (d.per_dz * g));
  const T leaves = most(stored, T(0)) * least(part, T(1));
  const T change = above - leaves;
  w.start[species][c] = stored + change;
  w.loss[c] = w.loss[c] + change;
  d.start.rho[c] = d.start.rho[c] + change;
  return leaves;
}

/// Ratio of the density of a face after moist_physics to that before.
template <bool hilly, class T>
HELICITY_HD T density_ratio(const Dynamics<T>& d, const Water<T>& w, const Level<T>& la, Index a,
                            const Level<T>& lb, Index b)
{
  const T x = reference_rho<hilly>(d, la, a) + d.start.rho[a];
  const T y = reference_rho<hilly>(d, lb, b) + d.start.rho[b];
  return (x + y) / ((x - w.loss[a]) + (y - w.loss[b]));
}

}  // namespace helicity::weather
