// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/math.hpp>
#include <helicity/weather/column.hpp>
#include <helicity/weather/diagnosis.hpp>

/// Thermodynamics of moist air at constant volume: densities rho of dry air, vapour, liquid and ice
/// in kg/m3, one temperature. Heat capacities are constant, so that the internal energy
///   e = (rho_d cvd + rho_v cvv + rho_l cl + rho_i ci) T + rho_v L00 - rho_i F00
/// is linear in T; L00 and F00 are the latent heats of vaporization and fusion continued to 0 K.
/// Phase changes conserve e and water.
/// @see Bryan & Fritsch (2002), Mon. Weather Rev. 130, 2917; Satoh (2003), Mon. Weather Rev. 131,
///   1033
namespace helicity::weather {

/// Constants of water. Cases state their own.
struct MoistConstants
{
  double gas_vapour = 461.5;  ///< J/(kg K)
  double heat_vapour = 1870;  ///< at constant pressure, J/(kg K)
  double heat_liquid = 4190;  ///< J/(kg K)
  double heat_ice = 2106;     ///< J/(kg K)
  double latent = 2.501e6;    ///< of vaporization at `freezing`, J/kg
  double fusion = 3.34e5;     ///< of fusion at `freezing`, J/kg
  double freezing = 273.15;   ///< K
};

/// Saturation vapour pressure over water.
enum class Saturation {
  bolton,            ///< 611.2 exp(17.67 (T - 273.15) / (T - 29.65)) Pa
  klemp_wilhelmson,  ///< 380 Rv / R exp(17.27 (T - 273) / (T - 36)) Pa: that of DCMIP-2016
};

/// A saturation vapour pressure: base exp(slope (T - origin) / (T - pole)).
template <class T>
struct SaturationCurve
{
  T base = 0, slope = 0, origin = 0, pole = 0;
};

/// The numbers of the formulas below. Heats are at constant volume.
template <class T>
struct MoistAir
{
  T gas = 0, gas_vapour = 0, ratio = 0;  ///< R, Rv, R / Rv
  T heat_dry = 0, heat_vapour = 0, heat_liquid = 0, heat_ice = 0;
  T latent_zero = 0, fusion_zero = 0;  ///< L00, F00
  T freezing = 0;
  SaturationCurve<T> over_water, over_ice;
  T series[series_terms<T>] = {};  ///< of (1 + x)^(1 / gamma) - 1 for power_less_one
};

/// Over ice: 611.2 exp(21.8745584 (T - 273.16) / (T - 7.66)) Pa.
template <class T>
MoistAir<T> moist_air(const Constants& c, const MoistConstants& m,
                      Saturation saturation = Saturation::bolton)
{
  MoistAir<T> a;
  a.gas = static_cast<T>(c.gas);
  a.gas_vapour = static_cast<T>(m.gas_vapour);
  a.ratio = static_cast<T>(c.gas / m.gas_vapour);
  a.heat_dry = static_cast<T>(c.heat - c.gas);
  a.heat_vapour = static_cast<T>(m.heat_vapour - m.gas_vapour);
  a.heat_liquid = static_cast<T>(m.heat_liquid);
  a.heat_ice = static_cast<T>(m.heat_ice);
  a.latent_zero = static_cast<T>(m.latent + (m.heat_liquid - m.heat_vapour) * m.freezing);
  a.fusion_zero = static_cast<T>(m.fusion - (m.heat_liquid - m.heat_ice) * m.freezing);
  a.freezing = static_cast<T>(m.freezing);
  if (saturation == Saturation::bolton)
    a.over_water = {T(611.2), T(17.67), T(273.15), T(29.65)};
  else
    a.over_water = {static_cast<T>(380 * m.gas_vapour / c.gas), T(17.27), T(273), T(36)};
  a.over_ice = {T(611.2), T(21.8745584), T(273.16), T(7.66)};
  double coefficient = 1;
  for (int n = 0; n < series_terms<T>; ++n) {
    coefficient = coefficient * (1 / c.gamma() - n) / (n + 1);
    a.series[n] = static_cast<T>(coefficient);
  }
  return a;
}

template <class T>
HELICITY_HD T least(T a, T b)
{
  return b < a ? b : a;
}

template <class T>
HELICITY_HD T most(T a, T b)
{
  return a < b ? b : a;
}

/// Pa. @pre T is above the pole: the formulas are for the atmosphere
template <class T>
HELICITY_HD T saturation_pressure(const SaturationCurve<T>& s, T temperature)
{
  return s.base * math::exp(s.slope * (temperature - s.origin) / (temperature - s.pole));
}

/// d ln e / dT of a curve.
template <class T>
HELICITY_HD T steepness(const SaturationCurve<T>& s, T temperature)
{
  const T above = temperature - s.pole;
  return s.slope * (s.origin - s.pole) / (above * above);
}

/// Latent heat of vaporization, J/kg: Lv0 - (cl - cpv) (T - T0).
template <class T>
HELICITY_HD T latent_heat(const MoistAir<T>& a, T temperature)
{
  return a.latent_zero - (a.heat_liquid - (a.heat_vapour + a.gas_vapour)) * temperature;
}

/// Latent heat of fusion, J/kg.
template <class T>
HELICITY_HD T fusion_heat(const MoistAir<T>& a, T temperature)
{
  return a.fusion_zero + (a.heat_liquid - a.heat_ice) * temperature;
}

/// The content of a volume, kg/m3.
template <class T>
struct Content
{
  T dry = 0, vapour = 0, liquid = 0, ice = 0;
};

/// J/(m3 K) at constant volume.
template <class T>
HELICITY_HD T heat_capacity(const MoistAir<T>& a, const Content<T>& q)
{
  return (q.dry * a.heat_dry + q.vapour * a.heat_vapour) +
         (q.liquid * a.heat_liquid + q.ice * a.heat_ice);
}

/// e, J/m3.
template <class T>
HELICITY_HD T internal_energy(const MoistAir<T>& a, const Content<T>& q, T temperature)
{
  return heat_capacity(a, q) * temperature + (q.vapour * a.latent_zero - q.ice * a.fusion_zero);
}

/// p / T: rho_d R + rho_v Rv.
template <class T>
HELICITY_HD T gas_density(const MoistAir<T>& a, T dry, T vapour)
{
  return dry * a.gas + vapour * a.gas_vapour;
}

/// T (1 + r_v Rv / R) / (1 + r_t), r per mass of dry air: what dry air of the same p and rho has.
template <class T>
HELICITY_HD T density_temperature(const MoistAir<T>& a, T temperature, T vapour, T water)
{
  return temperature * (T(1) + vapour / a.ratio) / (T(1) + water);
}

/// T (p00 / p)^(R / cp) with the numbers of dry air.
template <class T>
HELICITY_HD T potential_temperature(const MoistAir<T>& a, T temperature, T pressure, T reference)
{
  return temperature * math::pow(reference / pressure, a.gas / (a.heat_dry + a.gas));
}

/// Wet equivalent potential temperature of saturated air:
///   T (p00 / p_d)^(R / (cp + cl r_t)) exp(Lv r_v / ((cp + cl r_t) T))   (Bryan & Fritsch, eq. 23).
/// @param pressure of dry air and vapour   @param vapour, water  per mass of dry air
template <class T>
HELICITY_HD T equivalent_temperature(const MoistAir<T>& a, T temperature, T pressure, T vapour,
                                     T water, T reference)
{
  const T heat = (a.heat_dry + a.gas) + a.heat_liquid * water;
  const T dry = pressure / (T(1) + vapour / a.ratio);
  return temperature * math::pow(reference / dry, a.gas / heat) *
         math::exp(latent_heat(a, temperature) * vapour / (heat * temperature));
}

/// Warming by condensation of x kg/m3 of vapour (< 0: evaporation).
/// @param capacity  heat_capacity before
template <class T>
HELICITY_HD T warming(const MoistAir<T>& a, T temperature, T capacity, T x)
{
  const T more = a.heat_liquid - a.heat_vapour;
  return x * (a.latent_zero - more * temperature) / (capacity + x * more);
}

/// Newton steps of condensation: to rounding where it warms by some kelvins at most.
template <class T>
inline constexpr int newton_steps = sizeof(T) == 4 ? 3 : 5;

/// One Newton step of condensation. @param now  temperature after x   @param pressure  saturated
template <class T>
HELICITY_HD T newton_step(const MoistAir<T>& a, T now, T pressure, T capacity, T vapour, T x)
{
  const T more = a.heat_liquid - a.heat_vapour;
  const T saturated = pressure / (a.gas_vapour * now);
  const T slope = saturated * (steepness(a.over_water, now) - T(1) / now);
  const T per_x = (a.latent_zero - more * now) / (capacity + x * more);
  return x + ((vapour - x) - saturated) / (T(1) + slope * per_x);
}

/// x after the steps from n on.
template <int n, class T>
HELICITY_HD T newton_steps_from(const MoistAir<T>& a, T temperature, T capacity, T vapour, T x)
{
  if constexpr (n == newton_steps<T>) {
    return x;
  } else {
    const T now = temperature + warming(a, temperature, capacity, x);
    const T pressure = saturation_pressure(a.over_water, now);
    return newton_steps_from<n + 1>(a, temperature, capacity, vapour,
                                    newton_step(a, now, pressure, capacity, vapour, x));
  }
}

/// Vapour that has to condense, kg/m3, until e / (Rv T) is what remains; < 0: what could evaporate.
/// The first step goes past the answer, the others return to it from one side.
/// @param capacity  heat_capacity   @param pressure  saturated, over water, at the temperature
template <class T>
HELICITY_HD T condensation(const MoistAir<T>& a, T temperature, T capacity, T vapour, T pressure)
{
  const T x = newton_step(a, temperature, pressure, capacity, vapour, T(0));
  return newton_steps_from<1>(a, temperature, capacity, vapour, x);
}

/// Terms of power_less_one from n on, over x^(n + 1), without a loop: loops about it stay simple.
template <int n, class T>
HELICITY_HD T series_from(T x, const T* series)
{
  if constexpr (n + 1 == series_terms<T>)
    return series[n];
  else
    return series[n] + x * series_from<n + 1>(x, series);
}

/// power_less_one, bit by bit.
template <class T>
HELICITY_HD T unrolled_power_less_one(T x, const T* series)
{
  return x * series_from<0>(x, series);
}

/// (p_new / p)^(1 / gamma) - 1, the relative change of Theta, where T changes by `warmed` and
/// vapour by `gained`: to rounding for changes of p up to trusted_range.
/// @param gas  gas_density before
template <class T>
HELICITY_HD T theta_change(const MoistAir<T>& a, T temperature, T warmed, T gas, T gained)
{
  const T x = warmed / temperature, y = a.gas_vapour * gained / gas;
  return unrolled_power_less_one(x + (y + x * y), &a.series[0]);
}

}  // namespace helicity::weather
