// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/weather/column.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace helicity::weather {

/// Air of a sounding at a height. Vapour is the mixing ratio r: kg per kg of dry air.
struct SoundingLevel
{
  double height = 0;       ///< above the ground, m
  double pressure = 0;     ///< Pa
  double temperature = 0;  ///< K
  double vapour = 0;       ///< r
  double u = 0, v = 0;     ///< wind towards east and north, m/s
};

/// Levels from the ground up; the first is that of the ground, at height 0.
struct Sounding
{
  std::string name;  ///< file or profile, for messages
  std::vector<SoundingLevel> levels;
};

/// Constants of moist air beside those of Constants.
struct SoundingConstants
{
  Constants air;
  double vapour_gas = 461.5;     ///< J/(kg K)
  double vapour_heat = 1870;     ///< J/(kg K)
  double liquid_heat = 4190;     ///< J/(kg K)
  double latent_heat = 2.501e6;  ///< of vaporisation at 0 C, J/kg

  double epsilon() const { return air.gas / vapour_gas; }
};

/// Saturation vapour pressure over water, Pa: Bolton (1980), eq. 10.
HELICITY_EXPORT double saturation_pressure(double temperature);

/// Saturation mixing ratio over water; infinity where water boils.
HELICITY_EXPORT double saturation_ratio(double pressure, double temperature,
                                        const SoundingConstants& c = {});

/// Dew point, K; 0 for dry air.
HELICITY_EXPORT double dew_point(double pressure, double vapour, const SoundingConstants& c = {});

/// Temperature of dry air of the same density and pressure.
HELICITY_EXPORT double virtual_temperature(double temperature, double vapour,
                                           const SoundingConstants& c = {});

/// Potential temperature of a level.
HELICITY_EXPORT double potential_temperature(const SoundingLevel& level,
                                             const SoundingConstants& c = {});

/// Linear in height between levels, in the logarithm of pressure too.
/// @pre  heights increase; 0 <= height <= that of the last level
HELICITY_EXPORT SoundingLevel at_height(const Sounding& sounding, double height);

struct SoundingLimits
{
  double widest_gap = 3000;       ///< between levels, m
  double overturning = 1;         ///< fall of the virtual potential temperature between levels, K
  double supersaturation = 0.02;  ///< relative humidity above 1
  double least_top = 0;           ///< m
};

/// @throws UsageError naming the sounding, heights and values: fewer than two levels, a first level
///   off the ground, heights that do not increase or leave a gap, pressures that do not fall,
///   numbers that are none or out of range, humidity beyond saturation, a virtual potential
///   temperature that falls with height, a top that is too low
HELICITY_EXPORT void check_sounding(const Sounding& sounding, const SoundingLimits& limits = {},
                                    const SoundingConstants& c = {});

/// Reads a file, by content: text columns of the University of Wyoming (a line of names with PRES
/// HGHT TEMP, one of dashes), or an input_sounding of WRF and CM1 (surface pressure in hPa, theta
/// in K, r in g/kg; then z in m above the ground, theta, r, u, v). Lines of a Wyoming file that
/// lack temperature are left out; missing dew points and winds between others are interpolated in
/// height. An input_sounding has its pressures from the hydrostatic equation.
/// @throws InputError naming file and line, and what was expected
HELICITY_EXPORT Sounding read_sounding(const std::string& path, const SoundingConstants& c = {});

/// The same of text; `name` stands for the file in messages.
HELICITY_EXPORT Sounding parse_sounding(const std::string& text, const std::string& name,
                                        const SoundingConstants& c = {});

/// A sounding as the text of an input_sounding.
HELICITY_EXPORT std::string to_input_sounding(const Sounding& sounding,
                                              const SoundingConstants& c = {});

using HeightFunction = std::function<double(double z)>;
using WindFunction = std::function<std::pair<double, double>(double z)>;

/// Vapour of air at a height, pressure and temperature.
using VapourFunction = std::function<double(double z, double pressure, double temperature)>;

/// Hydrostatic moist air by height, of a theta(z) and a rule for vapour: Exner function pi from
///   d pi / dz = -g / (cp theta_rho),  theta_rho = theta (1 + r Rv / R) / (1 + r)
/// to 1e-8. theta_rho is that of water.hpp; the content of vapour is r / (1 + r).
class HELICITY_EXPORT MoistProfile
{
 public:
  /// @param breaks  heights where theta or vapour bend, besides others
  /// @throws UsageError where theta is not positive and finite, or no air is left
  MoistProfile(HeightFunction theta, VapourFunction vapour, double top, double surface_pressure,
               const SoundingConstants& c = {}, const std::vector<double>& breaks = {});

  struct Air
  {
    double pressure, temperature, theta, vapour, theta_rho, content;
  };

  /// @pre 0 <= z <= top
  Air at(double z) const;

  double top() const { return nodes_.back().first; }

 private:
  Air air_of(double z, double pi) const;
  double slope(double z, double pi) const;
  double advance(double z, double pi, double length) const;

  HeightFunction theta_;
  VapourFunction vapour_;
  SoundingConstants c_;
  std::vector<std::pair<double, double>> nodes_;  ///< height, Exner function
};

/// The air of theta and r linear in height between points, constant beyond them.
/// @pre  heights increase, two at least, and there are as many values
HELICITY_EXPORT MoistProfile linear_profile(const std::vector<double>& heights,
                                            const std::vector<double>& theta,
                                            const std::vector<double>& vapour, double top,
                                            double surface_pressure,
                                            const SoundingConstants& c = {});

/// The air of a sounding: theta, r linear in height. @throws UsageError as MoistProfile
HELICITY_EXPORT MoistProfile profile_of(const Sounding& sounding, const SoundingConstants& c = {});

/// Weisman & Klemp (1982), Mon. Wea. Rev. 110, eqs. 1, 2, and the choices of models that run it.
struct WeismanKlemp
{
  double surface_theta = 300, tropopause_theta = 343;  ///< K
  double tropopause_temperature = 213;                 ///< K
  double tropopause = 12000;                           ///< m
  double most_vapour = 0.014;                          ///< r in the mixed layer
  double surface_pressure = 1e5;
  /// DCMIP-2016: Tetens' formula for saturation, and relative humidity times the capped saturation,
  /// rather than the cap on vapour.
  bool dcmip = false;
};

/// Relative humidity of Weisman & Klemp by height.
HELICITY_EXPORT double weisman_klemp_humidity(const WeismanKlemp& wk, double z);

HELICITY_EXPORT double weisman_klemp_theta(const WeismanKlemp& wk, double z,
                                           const SoundingConstants& c = {});

HELICITY_EXPORT MoistProfile weisman_klemp(const WeismanKlemp& wk, double top,
                                           const SoundingConstants& c = {});

/// Dry air of one theta.
HELICITY_EXPORT MoistProfile neutral_profile(double theta, double top, double surface_pressure,
                                             const SoundingConstants& c = {});

/// Dry air of a constant frequency of buoyancy, 1/s.
HELICITY_EXPORT MoistProfile stratified_profile(double theta, double frequency, double top,
                                                double surface_pressure,
                                                const SoundingConstants& c = {});

/// Dry air of one temperature.
HELICITY_EXPORT MoistProfile isothermal_profile(double temperature, double top,
                                                double surface_pressure,
                                                const SoundingConstants& c = {});

HELICITY_EXPORT WindFunction uniform_wind(double u, double v);

/// (u, v) tanh(z / height).
HELICITY_EXPORT WindFunction tanh_wind(double u, double v, double height);

/// Quarter circle of 7 m/s up to 2 km, u grows to 31 m/s at 6 km, constant above: as in CM1, after
/// Weisman & Rotunno (2000), J. Atmos. Sci. 57.
HELICITY_EXPORT WindFunction quarter_circle_wind();

/// The wind of a sounding: linear in height, that of the last level above. Keeps a copy.
HELICITY_EXPORT WindFunction wind_of(const Sounding& sounding);

/// A profile at heights 0, spacing, ... up to its top.
HELICITY_EXPORT Sounding sample(const MoistProfile& profile, const WindFunction& wind,
                                double spacing, const std::string& name);

}  // namespace helicity::weather
