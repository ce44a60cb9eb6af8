// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

#include <functional>
#include <vector>

namespace helicity::weather {

/// Constants of dry air and of the planet. Cases state their own.
struct Constants
{
  double gravity = 9.81;            ///< m/s2
  double gas = 287.04;              ///< J/(kg K)
  double heat = 1005.7;             ///< at constant pressure, J/(kg K)
  double reference_pressure = 1e5;  ///< of theta and Exner, Pa

  double gamma() const { return heat / (heat - gas); }
};

/// A column at rest, at the centres of its levels.
struct Column
{
  std::vector<double> theta, rho, density, pressure;  ///< density is rho theta
};

/// The column of theta(z), hydrostatic in the discrete sense that the model sees:
///   (p_k - p_{k-1}) / dz = -g (rho_k + rho_{k-1}) / 2,   p_0 + g rho_0 dz / 2 = surface pressure.
/// @throws UsageError naming the height where theta is not positive and finite, where it falls with
///   height (the column would overturn), or where no air is left
HELICITY_EXPORT Column hydrostatic_column(const std::function<double(double z)>& theta,
                                          Index levels, double dz, double surface_pressure,
                                          const Constants& c);

/// The same column between its levels: Exner function of hydrostatic air by height, to rounding.
class HELICITY_EXPORT HydrostaticProfile
{
 public:
  /// @throws UsageError as hydrostatic_column, for heights up to `top`
  HydrostaticProfile(std::function<double(double z)> theta, double top, double surface_pressure,
                     const Constants& c);

  struct Air
  {
    double theta, rho, density, pressure;  ///< density is rho theta
  };

  /// @pre 0 <= z <= top
  Air at(double z) const;

 private:
  double fall(double from, double to) const;

  std::function<double(double)> theta_;
  Constants c_;
  double spacing_;
  std::vector<double> exner_;
};

/// Temperature over theta at a pressure: (p / p00)^(R / cp).
HELICITY_EXPORT double exner(double pressure, const Constants& c);

}  // namespace helicity::weather
