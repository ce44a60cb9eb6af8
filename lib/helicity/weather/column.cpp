// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/column.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helicity::weather {
namespace {

/// rho theta of air at a pressure.
double density_at(double p, const Constants& c)
{
  return c.reference_pressure / c.gas * std::pow(p / c.reference_pressure, 1 / c.gamma());
}

/// Pressure p with p + weight rho(p, theta) = total, by Newton's method; 0 if there is none.
double solve_level(double total, double weight, double theta, const Constants& c)
{
  double p = total;
  for (int n = 0; n < 50 && p > 0; ++n) {
    const double rho = density_at(p, c) / theta;
    const double next = p - (p + weight * rho - total) / (1 + weight * rho / (c.gamma() * p));
    if (next == p) break;
    p = next;
  }
  return p > 0 ? p : 0;
}

}  // namespace

HydrostaticProfile::HydrostaticProfile(std::function<double(double)> theta, double top,
                                       double surface_pressure, const Constants& c)
    : theta_(std::move(theta)), c_(c), spacing_(top / 4096)
{
  exner_.push_back(exner(surface_pressure, c));
  for (int n = 0; n < 4096; ++n) {
    const double z = n * spacing_;
    exner_.push_back(exner_.back() - fall(z, z + spacing_));
    if (!(exner_.back() > 0.01))
      throw UsageError(fmt::format("no air is left at z = {:.6g} m: the domain is too high", z));
  }
}

/// Simpson's rule for the integral of g / (cp theta).
double HydrostaticProfile::fall(double from, double to) const
{
  const double middle = (from + to) / 2;
  const double sum = 1 / theta_(from) + 4 / theta_(middle) + 1 / theta_(to);
  return c_.gravity / c_.heat * (to - from) / 6 * sum;
}

HydrostaticProfile::Air HydrostaticProfile::at(double z) const
{
  const double node = std::floor(std::min(z / spacing_, 4096.0));
  const double pi = exner_[static_cast<std::size_t>(node)] - fall(node * spacing_, z);
  const double p = c_.reference_pressure * std::pow(pi, c_.heat / c_.gas);
  const double density = density_at(p, c_), theta = theta_(z);
  return {theta, density / theta, density, p};
}

double exner(double pressure, const Constants& c)
{
  return std::pow(pressure / c.reference_pressure, c.gas / c.heat);
}

Column hydrostatic_column(const std::function<double(double)>& theta, Index levels, double dz,
                          double surface_pressure, const Constants& c)
{
  Column column;
  const double weight = c.gravity * dz / 2;
  double total = surface_pressure;
  for (Index k = 0; k < levels; ++k) {
    const double z = (static_cast<double>(k) + 0.5) * dz, t = theta(z);
    if (!(t > 0) || !std::isfinite(t))
      throw UsageError(fmt::format("theta at z = {:.6g} m is {}: it must be above 0 K", z, t));
    if (k > 0 && t < column.theta.back() * (1 - 1e-12))
      throw UsageError(fmt::format(
          "theta falls from {:.6g} to {:.6g} K at z = {:.6g} m: such a column overturns by itself",
          column.theta.back(), t, z));
    const double p = solve_level(total, weight, t, c);
    if (!(p > 1))
      throw UsageError(fmt::format("no air is left at z = {:.6g} m: the domain is too high", z));
    const double density = density_at(p, c);
    column.theta.push_back(t);
    column.density.push_back(density);
    column.rho.push_back(density / t);
    column.pressure.push_back(p);
    total = p - weight * density / t;
  }
  return column;
}

}  // namespace helicity::weather
