// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/saturated_column.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace helicity::weather {
namespace {

constexpr int intervals = 1024;

/// Where a rising f is `wanted`, by Newton's method with differences.
template <class F>
double solve(double guess, double wanted, F&& f)
{
  double x = guess;
  for (int n = 0; n < 30; ++n) {
    const double step = 1e-4, here = f(x), slope = (f(x + step) - here) / step;
    const double next = x - (here - wanted) / slope;
    if (std::fabs(next - x) < 1e-12 * x) return next;
    x = next;
  }
  return x;
}

}  // namespace

SaturatedColumn::SaturatedColumn(double theta_e, double water, double top, double surface_pressure,
                                 const Constants& c, const MoistConstants& m)
    : air_(moist_air<double>(c, m)),
      theta_e_(theta_e),
      water_(water),
      reference_(c.reference_pressure),
      gravity_(c.gravity),
      spacing_(top / intervals)
{
  pressure_.push_back(surface_pressure);
  for (int n = 0; n <= intervals; ++n) {
    const double p = pressure_.back(), z = n * spacing_;
    if (!(p > 1000))
      throw UsageError(fmt::format("no air is left at z = {:.6g} m: the domain is too high", z));
    if (!(saturated_at(p, 0).cloud >= 0))
      throw UsageError(fmt::format(
          "{:.4g} kg/kg of water do not saturate air of theta_e {:.6g} K at z = {:.6g} m", water,
          theta_e, z));
    pressure_.push_back(fall(p, spacing_));
  }
}

SaturatedColumn::Air SaturatedColumn::air_of(double pressure, double temperature) const
{
  const double e = saturation_pressure(air_.over_water, temperature);
  const double steam = air_.ratio * e / (pressure - e), all = 1 + water_;
  const double theta =
      temperature * std::pow(reference_ / pressure, air_.gas / (air_.heat_dry + air_.gas));
  return {pressure, temperature, density_temperature(air_, theta, steam, water_), steam / all,
          (water_ - steam) / all};
}

/// Air of theta_e. @param guess  of temperature; 0: none
SaturatedColumn::Air SaturatedColumn::saturated_at(double pressure, double guess) const
{
  if (guess == 0) guess = 285 * std::pow(pressure / reference_, 0.2);
  const double temperature = solve(guess, theta_e_, [&](double t) {
    const double steam = air_of(pressure, t).vapour * (1 + water_);
    return equivalent_temperature(air_, t, pressure, steam, water_, reference_);
  });
  return air_of(pressure, temperature);
}

/// Pressure dz further up: dp/dz = -g p / (R T_rho), a step of Runge and Kutta.
double SaturatedColumn::fall(double pressure, double dz) const
{
  double guess = 0;
  const auto slope = [&](double p) {
    const Air a = saturated_at(p, guess);
    guess = a.temperature;
    return -gravity_ * p /
           (air_.gas * density_temperature(air_, a.temperature, a.vapour * (1 + water_), water_));
  };
  const double k1 = slope(pressure), k2 = slope(pressure + dz / 2 * k1),
               k3 = slope(pressure + dz / 2 * k2), k4 = slope(pressure + dz * k3);
  return pressure + dz / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

SaturatedColumn::Air SaturatedColumn::at(double z) const
{
  const auto node = static_cast<std::size_t>(std::clamp(z / spacing_, 0., double{intervals}));
  const double rest = z - static_cast<double>(node) * spacing_;
  return saturated_at(fall(pressure_[node], rest), 0);
}

SaturatedColumn::Air SaturatedColumn::raised(double z, double factor) const
{
  const Air before = at(z);
  const double p = before.pressure;
  const double temperature = solve(before.temperature, before.theta_rho * factor,
                                   [&](double t) { return air_of(p, t).theta_rho; });
  Air after = air_of(p, temperature);
  if (after.cloud < 0) {  // not enough water: all of it is vapour
    const double all = 1 + water_;
    after.temperature = before.theta_rho * factor * all / (1 + water_ / air_.ratio) *
                        std::pow(p / reference_, air_.gas / (air_.heat_dry + air_.gas));
    after = {p, after.temperature, before.theta_rho * factor, water_ / all, 0};
  }
  return after;
}

}  // namespace helicity::weather
