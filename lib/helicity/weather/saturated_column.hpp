// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/weather/column.hpp>
#include <helicity/weather/thermodynamics.hpp>

#include <vector>

namespace helicity::weather {

/// Saturated, hydrostatic air at rest of one wet equivalent potential temperature and one total
/// water: neutral to lifting where all condensed water stays.
/// @see Bryan & Fritsch (2002), Mon. Weather Rev. 130, 2917, section 4
class HELICITY_EXPORT SaturatedColumn
{
 public:
  /// @param theta_e  K   @param water  kg per kg of dry air   @param top  of heights asked for, m
  /// @throws UsageError naming the height where the water does not saturate the air, or no air is
  ///   left
  SaturatedColumn(double theta_e, double water, double top, double surface_pressure,
                  const Constants& c, const MoistConstants& m);

  struct Air
  {
    double pressure, temperature, theta_rho;
    double vapour, cloud;  ///< contents: masses per mass of air and water
  };

  /// @pre 0 <= z <= top
  Air at(double z) const;

  /// Air of the pressure and the water at a height with theta_rho `factor` times as high, saturated
  /// if there is enough water.
  Air raised(double z, double factor) const;

 private:
  Air air_of(double pressure, double temperature) const;
  Air saturated_at(double pressure, double guess) const;
  double fall(double pressure, double dz) const;

  MoistAir<double> air_;
  double theta_e_, water_, reference_, gravity_, spacing_;
  std::vector<double> pressure_;
};

}  // namespace helicity::weather
