// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/sounding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace helicity::weather {
namespace {

double part_of(double low, double high, double part) { return low + part * (high - low); }

void require(bool good, const Sounding& s, const std::string& what)
{
  if (!good) throw UsageError(fmt::format("{}: {}", s.name, what));
}

void check_level(const Sounding& s, const SoundingLevel& l, const SoundingLimits& limits,
                 const SoundingConstants& c)
{
  const auto at = fmt::format("at {:.6g} m ", l.height);
  require(std::isfinite(l.height) && l.pressure > 0 && std::isfinite(l.pressure), s,
          at + fmt::format("the pressure is {:.6g} Pa: positive numbers are expected", l.pressure));
  require(l.temperature > 100 && l.temperature < 400, s,
          at + fmt::format("the temperature is {:.6g} K: 100 to 400 are expected", l.temperature));
  require(l.vapour >= 0 && l.vapour < 0.1, s,
          at + fmt::format("the mixing ratio is {:.6g}: 0 to 0.1 kg/kg are expected", l.vapour));
  const double saturated = saturation_ratio(l.pressure, l.temperature, c);
  require(l.vapour <= saturated * (1 + limits.supersaturation), s,
          at + fmt::format("the mixing ratio {:.5g} g/kg is beyond saturation, {:.5g} g/kg",
                           1e3 * l.vapour, 1e3 * saturated));
  require(std::isfinite(l.u) && std::isfinite(l.v), s, at + "no wind is given");
}

void check_pair(const Sounding& s, const SoundingLevel& low, const SoundingLevel& high,
                const SoundingLimits& limits, const SoundingConstants& c)
{
  const auto between = fmt::format("between {:.6g} and {:.6g} m ", low.height, high.height);
  require(high.height > low.height, s, between + "heights do not increase");
  require(high.height - low.height <= limits.widest_gap, s,
          between + fmt::format("levels are missing: {:.6g} m apart, at most {:.6g} are expected",
                                high.height - low.height, limits.widest_gap));
  require(high.pressure < low.pressure, s,
          between + fmt::format("the pressure does not fall: {:.6g} and {:.6g} Pa", low.pressure,
                                high.pressure));
  const auto theta_v = [&](const SoundingLevel& l) {
    return virtual_temperature(potential_temperature(l, c), l.vapour, c);
  };
  require(theta_v(high) >= theta_v(low) - limits.overturning, s,
          between + fmt::format("the virtual potential temperature falls from {:.6g} to {:.6g} K: "
                                "such air overturns by itself",
                                theta_v(low), theta_v(high)));
}

}  // namespace

double saturation_pressure(double temperature)
{
  return 611.2 * std::exp(17.67 * (temperature - 273.15) / (temperature - 29.65));
}

double saturation_ratio(double pressure, double temperature, const SoundingConstants& c)
{
  const double e = temperature > 30 ? saturation_pressure(temperature) : 0;
  if (e >= pressure) return std::numeric_limits<double>::infinity();
  return c.epsilon() * e / (pressure - e);
}

double dew_point(double pressure, double vapour, const SoundingConstants& c)
{
  if (!(vapour > 0)) return 0;
  const double ln = std::log(pressure * vapour / (c.epsilon() + vapour) / 611.2);
  return (17.67 * 273.15 - 29.65 * ln) / (17.67 - ln);
}

double virtual_temperature(double temperature, double vapour, const SoundingConstants& c)
{
  return temperature * (1 + vapour / c.epsilon()) / (1 + vapour);
}

double potential_temperature(const SoundingLevel& level, const SoundingConstants& c)
{
  return level.temperature / exner(level.pressure, c.air);
}

SoundingLevel at_height(const Sounding& sounding, double height)
{
  const auto& levels = sounding.levels;
  auto high = std::upper_bound(levels.begin(), levels.end(), height,
                               [](double z, const SoundingLevel& l) { return z < l.height; });
  high = std::clamp(high, levels.begin() + 1, levels.end() - 1);
  const SoundingLevel &a = *(high - 1), &b = *high;
  const double part = (height - a.height) / (b.height - a.height);
  return {height,
          std::exp(part_of(std::log(a.pressure), std::log(b.pressure), part)),
          part_of(a.temperature, b.temperature, part),
          part_of(a.vapour, b.vapour, part),
          part_of(a.u, b.u, part),
          part_of(a.v, b.v, part)};
}

void check_sounding(const Sounding& sounding, const SoundingLimits& limits,
                    const SoundingConstants& c)
{
  const auto& levels = sounding.levels;
  require(levels.size() >= 2, sounding,
          fmt::format("{} levels: two are needed at least", levels.size()));
  require(levels.front().height == 0, sounding,
          fmt::format("the lowest level is at {:.6g} m: the ground, at 0 m, is expected",
                      levels.front().height));
  for (const SoundingLevel& l : levels) check_level(sounding, l, limits, c);
  for (std::size_t n = 1; n < levels.size(); ++n)
    check_pair(sounding, levels[n - 1], levels[n], limits, c);
  require(levels.back().height >= limits.least_top, sounding,
          fmt::format("the sounding ends at {:.6g} m, below the {:.6g} m of the domain",
                      levels.back().height, limits.least_top));
}

}  // namespace helicity::weather
