// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/sounding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helicity::weather {
namespace {

constexpr double pi_number = 3.14159265358979323846;

/// Heights of integration: every 5 m, or 1/20000 of the top, and the breaks.
std::vector<double> heights_to(double top, const std::vector<double>& breaks)
{
  const double spacing = std::max(5.0, top / 20000);
  std::vector<double> heights;
  for (double n = 0; n * spacing < top; ++n) heights.push_back(n * spacing);
  for (const double z : breaks)
    if (z > 0 && z < top) heights.push_back(z);
  heights.push_back(top);
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  return heights;
}

VapourFunction dry()
{
  return [](double, double, double) { return 0.0; };
}

/// Saturation of DCMIP-2016, by content.
double dcmip_saturation(double pressure, double temperature)
{
  return 380 / pressure * std::exp(17.27 * (temperature - 273) / (temperature - 36));
}

double weisman_klemp_vapour(const WeismanKlemp& wk, double z, double pressure, double temperature,
                            const SoundingConstants& c)
{
  const double humidity = weisman_klemp_humidity(wk, z);
  if (!wk.dcmip)
    return std::min(humidity * saturation_ratio(pressure, temperature, c), wk.most_vapour);
  return humidity * std::min(dcmip_saturation(pressure, temperature), wk.most_vapour);
}

}  // namespace

MoistProfile::MoistProfile(HeightFunction theta, VapourFunction vapour, double top,
                           double surface_pressure, const SoundingConstants& c,
                           const std::vector<double>& breaks)
    : theta_(std::move(theta)), vapour_(std::move(vapour)), c_(c)
{
  if (!(top > 0) || !std::isfinite(top) || !(surface_pressure > 0))
    throw UsageError(fmt::format("a profile up to {:.6g} m from {:.6g} Pa: both must be above 0",
                                 top, surface_pressure));
  double pi = exner(surface_pressure, c.air), below = 0;
  for (const double z : heights_to(top, breaks)) {
    const double t = theta_(z);
    if (!(t > 0) || !std::isfinite(t))
      throw UsageError(fmt::format("theta at z = {:.6g} m is {}: it must be above 0 K", z, t));
    if (z > 0) pi = advance(below, pi, z - below);
    if (!(pi > 0.01))
      throw UsageError(fmt::format("no air is left at z = {:.6g} m: the domain is too high", z));
    nodes_.emplace_back(z, pi);
    below = z;
  }
}

MoistProfile::Air MoistProfile::air_of(double z, double pi) const
{
  const double theta = theta_(z), temperature = theta * pi;
  const double pressure = c_.air.reference_pressure * std::pow(pi, c_.air.heat / c_.air.gas);
  const double r = vapour_(z, pressure, temperature);
  return {pressure, temperature, theta, r, virtual_temperature(theta, r, c_), r / (1 + r)};
}

double MoistProfile::slope(double z, double pi) const
{
  return -c_.air.gravity / (c_.air.heat * air_of(z, pi).theta_rho);
}

/// Runge and Kutta's step of fourth order.
double MoistProfile::advance(double z, double pi, double length) const
{
  if (length == 0) return pi;
  const double a = slope(z, pi);
  const double b = slope(z + length / 2, pi + length / 2 * a);
  const double c = slope(z + length / 2, pi + length / 2 * b);
  const double d = slope(z + length, pi + length * c);
  return pi + length / 6 * (a + 2 * (b + c) + d);
}

MoistProfile::Air MoistProfile::at(double z) const
{
  auto node = std::upper_bound(nodes_.begin(), nodes_.end(), z,
                               [](double height, const auto& n) { return height < n.first; });
  if (node != nodes_.begin()) --node;
  return air_of(z, advance(node->first, node->second, z - node->first));
}

MoistProfile linear_profile(const std::vector<double>& heights, const std::vector<double>& theta,
                            const std::vector<double>& vapour, double top, double surface_pressure,
                            const SoundingConstants& c)
{
  const auto linear = [&heights](const std::vector<double>& values) {
    return [heights, values](double z) {
      auto high = std::upper_bound(heights.begin(), heights.end(), z);
      high = std::clamp(high, heights.begin() + 1, heights.end() - 1);
      const auto n = static_cast<std::size_t>(high - heights.begin());
      const double part = (z - heights[n - 1]) / (heights[n] - heights[n - 1]);
      return values[n - 1] + std::clamp(part, 0.0, 1.0) * (values[n] - values[n - 1]);
    };
  };
  const auto r = linear(vapour);
  return {linear(theta), [r](double z, double, double) { return r(z); }, top, surface_pressure, c,
          heights};
}

MoistProfile profile_of(const Sounding& sounding, const SoundingConstants& c)
{
  std::vector<double> heights, theta, vapour;
  for (const SoundingLevel& l : sounding.levels) {
    heights.push_back(l.height);
    theta.push_back(potential_temperature(l, c));
    vapour.push_back(l.vapour);
  }
  return linear_profile(heights, theta, vapour, heights.back(), sounding.levels.front().pressure,
                        c);
}

double weisman_klemp_humidity(const WeismanKlemp& wk, double z)
{
  return z >= wk.tropopause ? 0.25 : 1 - 0.75 * std::pow(z / wk.tropopause, 1.25);
}

double weisman_klemp_theta(const WeismanKlemp& wk, double z, const SoundingConstants& c)
{
  if (z <= wk.tropopause)
    return wk.surface_theta +
           (wk.tropopause_theta - wk.surface_theta) * std::pow(z / wk.tropopause, 1.25);
  return wk.tropopause_theta *
         std::exp(c.air.gravity / (c.air.heat * wk.tropopause_temperature) * (z - wk.tropopause));
}

MoistProfile weisman_klemp(const WeismanKlemp& wk, double top, const SoundingConstants& c)
{
  return {[wk, c](double z) { return weisman_klemp_theta(wk, z, c); },
          [wk, c](double z, double p, double t) { return weisman_klemp_vapour(wk, z, p, t, c); },
          top,
          wk.surface_pressure,
          c,
          {wk.tropopause}};
}

MoistProfile neutral_profile(double theta, double top, double surface_pressure,
                             const SoundingConstants& c)
{
  return {[theta](double) { return theta; }, dry(), top, surface_pressure, c};
}

MoistProfile stratified_profile(double theta, double frequency, double top, double surface_pressure,
                                const SoundingConstants& c)
{
  const double rate = frequency * frequency / c.air.gravity;
  return {[=](double z) { return theta * std::exp(rate * z); }, dry(), top, surface_pressure, c};
}

MoistProfile isothermal_profile(double temperature, double top, double surface_pressure,
                                const SoundingConstants& c)
{
  const double surface = temperature / exner(surface_pressure, c.air);
  const double rate = c.air.gravity / (c.air.heat * temperature);
  return {[=](double z) { return surface * std::exp(rate * z); }, dry(), top, surface_pressure, c};
}

WindFunction uniform_wind(double u, double v)
{
  return [=](double) { return std::pair(u, v); };
}

WindFunction tanh_wind(double u, double v, double height)
{
  return [=](double z) {
    const double shape = std::tanh(z / height);
    return std::pair(u * shape, v * shape);
  };
}

WindFunction quarter_circle_wind()
{
  return [](double z) {
    const double angle = pi_number * z / 4000;
    if (z < 2000) return std::pair(7 - 7 * std::cos(angle), 7 * std::sin(angle));
    return std::pair(7 + 6e-3 * (std::min(z, 6000.0) - 2000), 7.0);
  };
}

WindFunction wind_of(const Sounding& sounding)
{
  return [sounding](double z) {
    const SoundingLevel l = at_height(sounding, std::min(z, sounding.levels.back().height));
    return std::pair(l.u, l.v);
  };
}

Sounding sample(const MoistProfile& profile, const WindFunction& wind, double spacing,
                const std::string& name)
{
  Sounding s{name, {}};
  for (double n = 0; n * spacing <= profile.top() * (1 + 1e-12); ++n) {
    const double z = std::min(n * spacing, profile.top());
    const auto air = profile.at(z);
    const auto [u, v] = wind(z);
    s.levels.push_back({z, air.pressure, air.temperature, air.vapour, u, v});
  }
  return s;
}

}  // namespace helicity::weather
