// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/weather/thermodynamics.hpp>
#include <helicity/weather/water.hpp>

/// Cloud and rain at constant volume: rates of Kessler (1969), Meteorol. Monogr. 10, 32, in two
/// forms, condensation to saturation, and fall. Densities in kg/m3.
namespace helicity::weather {

enum class Scheme : int {
  condensation,  ///< 2 species: cloud that does not fall
  /// 3 species: Kessler in SI units. @see Bryan & Fritsch (2002); Soong & Ogura (1973), J. Atmos.
  /// Sci. 30, 879
  kessler,
  /// 3 species: Kessler of Klemp & Wilhelmson (1978), J. Atmos. Sci. 35, 1070, as DCMIP-2016 has
  /// it, but at constant volume; wants Saturation::klemp_wilhelmson
  klemp_wilhelmson,
  ice,  ///< 6 species: that of ice.hpp
};

/// Species that a scheme needs.
HELICITY_HD constexpr int species_of(Scheme scheme)
{
  return scheme == Scheme::condensation ? 2 : scheme == Scheme::ice ? 6 : 3;
}

/// What the kernels below need to know.
template <class T>
struct Microphysics
{
  Scheme scheme = Scheme::condensation;
  MoistAir<T> air;    ///< moist_air()
  T step = 0;         ///< s
  T surface_rho = 0;  ///< density of dry air at the ground, of the fall speed of klemp_wilhelmson
  T fall_courant = T(0.8);  ///< largest Courant number of a substep of the fall
};

/// Substeps of the fall in one step, at most: what falls further stays a level higher.
inline constexpr int most_substeps = 64;

/// Phase changes and fall over one step, in place on d.start (rho', Theta') and w.start, on owned
/// and halo columns. Writes w.loss, the change of rho' (times G, as rho' is), and adds to w.fallen.
/// Per column; water and internal energy are conserved but for what falls. Negative amounts of
/// what is not vapour take no part.
/// @pre w.species is species_of(m.scheme); halos of d.start and w.start are filled
/// @note asynchronous on CUDA, T is float or double
template <class T>
HELICITY_EXPORT void moist_physics(Cpu exec, const Dynamics<T>& d, const Water<T>& w,
                                   const Microphysics<T>& m);
template <class T>
HELICITY_EXPORT void moist_physics(Cuda exec, const Dynamics<T>& d, const Water<T>& w,
                                   const Microphysics<T>& m);

/// d.start.u, v (if has_v) and w times the ratio of the new to the old density of the face, so that
/// velocities stay as they were before moist_physics: on the faces between two of its columns.
template <class T>
HELICITY_EXPORT void keep_velocities(Cpu exec, const Dynamics<T>& d, const Water<T>& w);
template <class T>
HELICITY_EXPORT void keep_velocities(Cuda exec, const Dynamics<T>& d, const Water<T>& w);

/// Cell while its water changes.
template <class T>
struct Parcel
{
  T dry = 0, pressure = 0, temperature = 0;
  T vapour = 0, cloud = 0, rain = 0, cloud_ice = 0, snow = 0, graupel = 0;
};

template <class T>
HELICITY_HD Content<T> content_of(const Parcel<T>& p)
{
  return {p.dry, p.vapour, p.cloud + p.rain, (p.cloud_ice + p.snow) + p.graupel};
}

/// Less than this, kg/m3 or per mass, counts as none.
template <class T>
inline constexpr T least_amount = T(1e-20);

/// An amount and its logarithm, for powers of it: exp(a log(x)) in T, to some units of the last
/// place for |a log(x)| of order 10, as here.
template <class T>
struct Amount
{
  T x, log;
};

template <class T>
HELICITY_HD Amount<T> amount_of(T x)
{
  return {x, math::log(most(x, least_amount<T>))};
}

template <class T>
HELICITY_HD T power_of(Amount<T> a, T exponent)
{
  const T power = math::exp(exponent * a.log);
  return a.x > least_amount<T> ? power : T(0);
}

/// Cloud that becomes rain in a step, kg/m3: autoconversion 1e-3 max(q_c - 1e-3, 0) / s, accretion
/// 2.2 q_c q_r^0.875 / s with q per mass of dry air; of klemp_wilhelmson, accretion of what
/// autoconversion leaves, implicitly.
template <Scheme scheme, class T>
HELICITY_HD T made_rain(const Microphysics<T>& m, T dry, T cloud, T rain)
{
  const T all = most(cloud, T(0)), c = all / dry, r = rain / dry;
  const T automatic = m.step * (T(1e-3) * most(c - T(1e-3), T(0)));
  const T collected = m.step * (T(2.2) * power_of(amount_of(r), T(0.875)));
  if constexpr (scheme == Scheme::klemp_wilhelmson) {
    const T left = most(c - automatic, T(0)) / (T(1) + collected);
    return least(dry * (c - left), all);
  }
  return least(dry * (automatic + c * collected), all);
}

/// Evaporation of rain, kg/(m3 s), into air that is not saturated.
/// @param saturated  saturation vapour pressure
template <Scheme scheme, class T>
HELICITY_HD T rain_evaporation(const MoistAir<T>& a, const Parcel<T>& p, T saturated)
{
  if constexpr (scheme == Scheme::klemp_wilhelmson) {
    // per g/cm3 of rain: (1.6 + 124.9 x^0.2046) x^0.525 / (5.4e5 + 2.55e6 / (q_vs p / hPa))
    const Amount<T> x = amount_of(T(1e-3) * p.rain);
    const T ventilation = T(1.6) + T(124.9) * power_of(x, T(0.2046));
    const T saturation = a.ratio * saturated / p.pressure;
    const T deficit = most(T(1) - p.vapour / (p.dry * saturation), T(0));
    return deficit * ventilation * power_of(x, T(0.525)) /
           (T(540) + T(2.55e5) / (saturation * p.pressure));
  }
  const Amount<T> x = amount_of(p.rain);
  const T ventilation = T(1.6) + T(30.3922) * power_of(x, T(0.2046));
  const T others = most(p.pressure - saturated, T(0.1) * p.pressure);
  const T saturation = a.ratio * saturated / others;
  const T deficit = most(T(1) - p.vapour / (p.dry * saturation), T(0));
  return deficit * ventilation * power_of(x, T(0.525)) /
         (T(2.03e4) + T(9.584e6) / (saturation * p.pressure));
}

/// Fall speed of rain, m/s.
template <Scheme scheme, class T>
HELICITY_HD T rain_speed(const Microphysics<T>& m, T dry, T rain)
{
  if constexpr (scheme == Scheme::klemp_wilhelmson)
    return T(36.34) * power_of(amount_of(T(1e-3) * rain), T(0.1364)) *
           math::sqrt(m.surface_rho / dry);
  return T(14.34) * power_of(amount_of(rain), T(0.1346)) * math::sqrt(T(1.15) / dry);
}

/// Phase changes of a cell. Cloud evaporates before rain.
/// @return relative change of Theta
template <Scheme scheme, class T>
HELICITY_HD T change_phases(const Microphysics<T>& m, Parcel<T>& p)
{
  const MoistAir<T>& a = m.air;
  const T saturated = saturation_pressure(a.over_water, p.temperature);
  if constexpr (scheme != Scheme::condensation) {
    const T made = made_rain<scheme>(m, p.dry, p.cloud, p.rain);
    p.cloud = p.cloud - made;
    p.rain = p.rain + made;
  }
  const T capacity = heat_capacity(a, content_of(p));
  const T cloud = most(p.cloud, T(0)), rain = most(p.rain, T(0));
  T drying = 0;
  if constexpr (scheme != Scheme::condensation)
    drying = least(rain, m.step * rain_evaporation<scheme>(a, p, saturated));
  const T x =
      most(condensation(a, p.temperature, capacity, p.vapour, saturated), -(cloud + drying));
  const T dried = least(most(-x - cloud, T(0)), drying);
  const T gas = gas_density(a, p.dry, p.vapour), warmed = warming(a, p.temperature, capacity, x);
  const T change = theta_change(a, p.temperature, warmed, gas, -x);
  p.vapour = p.vapour - x;
  p.cloud = p.cloud + most(x, -cloud);
  p.rain = p.rain - dried;
  p.temperature = p.temperature + warmed;
  return change;
}

/// Equivalent reflectivity of rain, dBZ: Z = 720 N0 / (pi rho_w N0)^1.75 (rain)^1.75 of drops of
/// Marshall & Palmer with N0 = 8e6 / m4, in mm6/m3; 0 dBZ at least.
/// @see Smith, Myers & Orville (1975), J. Appl. Meteorol. 14, 1156
template <class T>
HELICITY_HD T rain_reflectivity(T rain)
{
  constexpr T factor = T(3.630803e9);  // 1e18 * 720 * 8e6 / (pi * 1000 * 8e6)^1.75
  const T z = factor * math::exp(T(1.75) * math::log(most(rain, T(0))));
  return T(4.3429448) * math::log(most(z, T(1)));
}

}  // namespace helicity::weather
