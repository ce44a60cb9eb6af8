// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/weather/sounding.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace helicity::weather {

/// What becomes of the water that condenses in a parcel.
enum class Ascent : std::uint8_t {
  pseudo_adiabatic,  ///< it falls out; constant heat of vaporisation
  reversible,        ///< it stays, with its heat and weight
};

/// A parcel before it rises.
struct LiftedParcel
{
  double height = 0, pressure = 0, temperature = 0, vapour = 0;
};

/// A parcel on its way up, every 10 m from where it starts.
struct ParcelPath
{
  std::vector<double> height, pressure;
  std::vector<double> temperature;  ///< of the parcel, K
  std::vector<double> buoyancy;     ///< g (T_rho / T_v of the environment - 1), m/s2
};

/// Numbers of a parcel; NaN: there is none. Heights in m, energies in J/kg.
struct ParcelIndices
{
  LiftedParcel start;
  double cape = 0;  ///< positive buoyancy between lfc and el
  double cin = 0;   ///< negative buoyancy below lfc; 0 without lfc
  double lcl, lcl_pressure;
  double lfc;  ///< lowest height, at or above lcl, where buoyancy becomes positive
  double el;   ///< highest height where it ceases to be; top of the sounding if it does not
  double lifted_index;  ///< virtual temperature of the environment less the parcel's, 500 hPa, K
};

using Wind = std::array<double, 2>;

/// Numbers of the wind; NaN: the sounding ends below. m/s, m2/s2.
struct WindIndices
{
  double shear_1km, shear_3km, shear_6km;  ///< from the ground up
  Wind mean_6km;                           ///< by height
  Wind right_mover, left_mover;            ///< Bunkers et al. (2000), Wea. Forecasting 15
};

/// Numbers of the whole sounding; NaN: there is none.
struct SoundingIndices
{
  ParcelIndices surface, mixed, most_unstable;
  WindIndices wind;
  double precipitable_water;     ///< kg/m2, that is mm
  double freezing_level;         ///< lowest height of 0 C, m
  double k_index, total_totals;  ///< K; 850, 700, 500 hPa
};

struct IndexOptions
{
  Ascent ascent = Ascent::pseudo_adiabatic;
  double mixed_depth = 500;     ///< m, of the mixed parcel
  double mixed_pressure = 0;    ///< Pa; above 0: depth in pressure instead
  double unstable_depth = 3e4;  ///< Pa, where the most unstable parcel is looked for
};

/// @pre  check_sounding accepts it
HELICITY_EXPORT SoundingIndices indices_of(const Sounding& sounding,
                                           const IndexOptions& options = {},
                                           const SoundingConstants& c = {});

HELICITY_EXPORT LiftedParcel surface_parcel(const Sounding& sounding);

/// Mean theta and r of the lowest air, from the ground.
HELICITY_EXPORT LiftedParcel mixed_parcel(const Sounding& sounding,
                                          const IndexOptions& options = {},
                                          const SoundingConstants& c = {});

/// The level of the largest equivalent potential temperature.
HELICITY_EXPORT LiftedParcel most_unstable_parcel(const Sounding& sounding,
                                                  const IndexOptions& options = {},
                                                  const SoundingConstants& c = {});

/// Bolton (1980), eq. 43.
HELICITY_EXPORT double equivalent_potential_temperature(double pressure, double temperature,
                                                        double vapour,
                                                        const SoundingConstants& c = {});

HELICITY_EXPORT ParcelPath lift(const Sounding& sounding, const LiftedParcel& parcel, Ascent ascent,
                                const SoundingConstants& c = {});

HELICITY_EXPORT ParcelIndices parcel_indices(const Sounding& sounding, const LiftedParcel& parcel,
                                             Ascent ascent, const SoundingConstants& c = {});

/// Pressure at which a parcel is saturated.
HELICITY_EXPORT double condensation_pressure(const LiftedParcel& parcel,
                                             const SoundingConstants& c = {});

/// Temperature of saturated air, brought from one pressure to another pseudo-adiabatically.
HELICITY_EXPORT double pseudo_adiabat(double temperature, double from, double to,
                                      const SoundingConstants& c = {});

HELICITY_EXPORT WindIndices wind_indices(const Sounding& sounding);

/// Storm-relative helicity from the ground to `depth`, m2/s2: positive for winds that veer.
/// NaN above the sounding.
HELICITY_EXPORT double storm_relative_helicity(const Sounding& sounding, double depth, Wind motion);

}  // namespace helicity::weather
