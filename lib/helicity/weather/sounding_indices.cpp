// SPDX-License-Identifier: Apache-2.0
#include <helicity/weather/sounding_indices.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace helicity::weather {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double celsius = 273.15, spacing = 10;

double top_of(const Sounding& s) { return s.levels.back().height; }

/// Heights from `low` to `high`, about every 10 m.
std::vector<double> heights_between(double low, double high)
{
  const double count = std::max(1.0, std::ceil((high - low) / spacing));
  std::vector<double> heights;
  for (double n = 0; n < count; ++n) heights.push_back(low + n * (high - low) / count);
  heights.push_back(high);
  return heights;
}

/// Mean of f over heights, by trapezoids.
template <class F>
double mean(double low, double high, F f)
{
  const auto heights = heights_between(low, high);
  double sum = 0;
  for (std::size_t n = 1; n < heights.size(); ++n)
    sum += (f(heights[n - 1]) + f(heights[n])) / 2 * (heights[n] - heights[n - 1]);
  return sum / (high - low);
}

/// Height of a pressure; NaN: outside the sounding.
double height_of(const Sounding& s, double pressure)
{
  for (std::size_t n = 1; n < s.levels.size(); ++n) {
    const SoundingLevel &a = s.levels[n - 1], &b = s.levels[n];
    if (pressure > a.pressure || pressure < b.pressure) continue;
    return a.height + std::log(pressure / a.pressure) / std::log(b.pressure / a.pressure) *
                          (b.height - a.height);
  }
  return none;
}

/// d T / d ln p of saturated air whose water falls out: cp dT = R T d ln p - L dr, with the heat
/// and the gas of dry air and r as saturation_ratio has it.
double pseudo_slope(double ln_p, double t, const SoundingConstants& c)
{
  const double r = saturation_ratio(std::exp(ln_p), t, c), latent = c.latent_heat * r;
  const double moist = latent * (1 + r / c.epsilon());
  const double growth = 17.67 * 243.5 / ((t - 29.65) * (t - 29.65));  // d ln e / dT
  return (c.air.gas * t + moist) / (c.air.heat + moist * growth);
}

/// Entropy of saturated air and its water, per kg of dry air: Emanuel (1994), eq. 4.5.10.
double moist_entropy(double pressure, double t, double water, const SoundingConstants& c)
{
  const double latent = c.latent_heat - (c.liquid_heat - c.vapour_heat) * (t - celsius);
  return (c.air.heat + water * c.liquid_heat) * std::log(t) -
         c.air.gas * std::log(pressure - saturation_pressure(t)) +
         latent * saturation_ratio(pressure, t, c) / t;
}

/// Temperature below `warmest` of saturated air of an entropy.
double reversible_adiabat(double entropy, double pressure, double water, double warmest,
                          const SoundingConstants& c)
{
  double low = 80, high = warmest;
  for (int n = 0; n < 60; ++n) {
    const double middle = (low + high) / 2;
    (moist_entropy(pressure, middle, water, c) < entropy ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// A parcel at pressures that fall.
class Rise
{
 public:
  Rise(const LiftedParcel& parcel, Ascent ascent, const SoundingConstants& c)
      : c_(c),
        ascent_(ascent),
        water_(parcel.vapour),
        theta_(parcel.temperature / exner(parcel.pressure, c.air)),
        pressure_(condensation_pressure(parcel, c)),
        temperature_(theta_ * exner(pressure_, c.air)),
        condensation_(pressure_)
  {
    if (ascent == Ascent::reversible && water_ > 0)
      entropy_ = moist_entropy(pressure_, temperature_, water_, c);
  }

  struct State
  {
    double temperature, density_temperature;
  };

  State at(double pressure)
  {
    if (pressure >= condensation_) {
      const double t = theta_ * exner(pressure, c_.air);
      return {t, virtual_temperature(t, water_, c_)};
    }
    temperature_ = ascent_ == Ascent::reversible
                       ? reversible_adiabat(entropy_, pressure, water_, temperature_, c_)
                       : pseudo_adiabat(temperature_, pressure_, pressure, c_);
    pressure_ = pressure;
    const double r = saturation_ratio(pressure, temperature_, c_);
    const double load = ascent_ == Ascent::reversible ? water_ : r;
    return {temperature_, temperature_ * (1 + r / c_.epsilon()) / (1 + load)};
  }

 private:
  SoundingConstants c_;
  Ascent ascent_;
  double water_, theta_, pressure_, temperature_, condensation_, entropy_ = 0;
};

/// Integral over height of the part of a linear function that has a sign.
double part_with(double sign, double a, double b, double length)
{
  a *= sign;
  b *= sign;
  if (a <= 0 && b <= 0) return 0;
  if (a >= 0 && b >= 0) return sign * (a + b) / 2 * length;
  const double most = std::max(a, b);
  return sign * most * most / (2 * std::abs(a - b)) * length;
}

double crossing(const ParcelPath& path, std::size_t n)
{
  const double a = path.buoyancy[n - 1], b = path.buoyancy[n];
  return path.height[n - 1] + a / (a - b) * (path.height[n] - path.height[n - 1]);
}

/// Fills lfc and el: the ends of positive buoyancy above lcl.
void find_buoyant_layer(const ParcelPath& path, ParcelIndices& found)
{
  for (std::size_t n = 1; n < path.height.size(); ++n) {
    if (path.height[n] < found.lcl) continue;
    const bool was = path.buoyancy[n - 1] > 0, is = path.buoyancy[n] > 0;
    if (is && std::isnan(found.lfc))
      found.lfc =
          was ? std::max(found.lcl, path.height[n - 1]) : std::max(found.lcl, crossing(path, n));
    if (was && !is && !std::isnan(found.lfc)) found.el = crossing(path, n);
    if (is && n + 1 == path.height.size()) found.el = path.height[n];
  }
}

void add_energy(const ParcelPath& path, ParcelIndices& found)
{
  for (std::size_t n = 1; n < path.height.size(); ++n) {
    const double length = path.height[n] - path.height[n - 1];
    const double a = path.buoyancy[n - 1], b = path.buoyancy[n];
    if (path.height[n] > found.lfc) found.cape += part_with(1, a, b, length);
    if (path.height[n - 1] < found.lfc) found.cin += part_with(-1, a, b, length);
  }
}

Wind mean_wind(const Sounding& s, double low, double high)
{
  return {mean(low, high, [&](double z) { return at_height(s, z).u; }),
          mean(low, high, [&](double z) { return at_height(s, z).v; })};
}

double shear_to(const Sounding& s, double height)
{
  if (height > top_of(s)) return none;
  const SoundingLevel high = at_height(s, height), &ground = s.levels.front();
  return std::hypot(high.u - ground.u, high.v - ground.v);
}

double precipitable_water(const Sounding& s, const SoundingConstants& c)
{
  const auto content = [](const SoundingLevel& l) { return l.vapour / (1 + l.vapour); };
  const auto heights = heights_between(0, top_of(s));
  double sum = 0;
  for (std::size_t n = 1; n < heights.size(); ++n) {
    const SoundingLevel a = at_height(s, heights[n - 1]), b = at_height(s, heights[n]);
    sum += (content(a) + content(b)) / 2 * (a.pressure - b.pressure);
  }
  return sum / c.air.gravity;
}

double freezing_level(const Sounding& s)
{
  for (std::size_t n = 1; n < s.levels.size(); ++n) {
    const SoundingLevel &a = s.levels[n - 1], &b = s.levels[n];
    if (a.temperature > celsius && b.temperature <= celsius)
      return a.height +
             (a.temperature - celsius) / (a.temperature - b.temperature) * (b.height - a.height);
  }
  return none;
}

void add_stability(const Sounding& s, SoundingIndices& found, const SoundingConstants& c)
{
  found.k_index = found.total_totals = none;
  std::array<double, 3> t{}, dew{};
  const std::array<double, 3> pressures{85000, 70000, 50000};
  for (std::size_t n = 0; n < 3; ++n) {
    const double z = height_of(s, pressures[n]);
    if (std::isnan(z)) return;
    const SoundingLevel l = at_height(s, z);
    t[n] = l.temperature - celsius;
    dew[n] = l.vapour > 0 ? dew_point(l.pressure, l.vapour, c) - celsius : none;
  }
  found.k_index = t[0] - t[2] + dew[0] - (t[1] - dew[1]);
  found.total_totals = t[0] + dew[0] - 2 * t[2];
}

}  // namespace

double condensation_pressure(const LiftedParcel& parcel, const SoundingConstants& c)
{
  const double theta = parcel.temperature / exner(parcel.pressure, c.air);
  const auto saturated = [&](double p) {
    return parcel.vapour >= saturation_ratio(p, theta * exner(p, c.air), c);
  };
  if (saturated(parcel.pressure)) return parcel.pressure;
  double low = 1, high = parcel.pressure;
  if (!saturated(low)) return 0;
  for (int n = 0; n < 80; ++n) {
    const double middle = (low + high) / 2;
    (saturated(middle) ? low : high) = middle;
  }
  return high;
}

double pseudo_adiabat(double temperature, double from, double to, const SoundingConstants& c)
{
  const double length = std::log(to / from);
  const double count = std::max(1.0, std::ceil(std::abs(length) / 0.005)), h = length / count;
  double t = temperature;
  for (double n = 0; n < count; ++n) {
    const double x = std::log(from) + n * h;
    const double k1 = pseudo_slope(x, t, c), k2 = pseudo_slope(x + h / 2, t + h / 2 * k1, c);
    const double k3 = pseudo_slope(x + h / 2, t + h / 2 * k2, c);
    t += h / 6 * (k1 + 2 * (k2 + k3) + pseudo_slope(x + h, t + h * k3, c));
  }
  return t;
}

double equivalent_potential_temperature(double pressure, double temperature, double vapour,
                                        const SoundingConstants& c)
{
  const double e = std::max(pressure * vapour / (c.epsilon() + vapour), 1e-9) / 100;
  const double condensing = 2840 / (3.5 * std::log(temperature) - std::log(e) - 4.805) + 55;
  return temperature * std::pow(c.air.reference_pressure / pressure, 0.2854 * (1 - 0.28 * vapour)) *
         std::exp((3.376 / condensing - 0.00254) * 1e3 * vapour * (1 + 0.81 * vapour));
}

LiftedParcel surface_parcel(const Sounding& sounding)
{
  const SoundingLevel& l = sounding.levels.front();
  return {l.height, l.pressure, l.temperature, l.vapour};
}

LiftedParcel mixed_parcel(const Sounding& sounding, const IndexOptions& options,
                          const SoundingConstants& c)
{
  const SoundingLevel& ground = sounding.levels.front();
  double depth = options.mixed_depth;
  if (options.mixed_pressure > 0)
    depth = height_of(sounding, ground.pressure - options.mixed_pressure);
  depth = depth <= top_of(sounding) ? depth : top_of(sounding);
  const double theta =
      mean(0, depth, [&](double z) { return potential_temperature(at_height(sounding, z), c); });
  const double vapour = mean(0, depth, [&](double z) { return at_height(sounding, z).vapour; });
  return {0, ground.pressure, theta * exner(ground.pressure, c.air), vapour};
}

LiftedParcel most_unstable_parcel(const Sounding& sounding, const IndexOptions& options,
                                  const SoundingConstants& c)
{
  LiftedParcel best = surface_parcel(sounding);
  double most = 0;
  for (const SoundingLevel& l : sounding.levels) {
    if (l.pressure < sounding.levels.front().pressure - options.unstable_depth) break;
    const double theta = equivalent_potential_temperature(l.pressure, l.temperature, l.vapour, c);
    if (theta > most) best = {l.height, l.pressure, l.temperature, l.vapour};
    most = std::max(most, theta);
  }
  return best;
}

ParcelPath lift(const Sounding& sounding, const LiftedParcel& parcel, Ascent ascent,
                const SoundingConstants& c)
{
  ParcelPath path;
  Rise rise(parcel, ascent, c);
  for (const double z : heights_between(parcel.height, top_of(sounding))) {
    const SoundingLevel air = at_height(sounding, z);
    const auto state = rise.at(air.pressure);
    const double environment = virtual_temperature(air.temperature, air.vapour, c);
    path.height.push_back(z);
    path.pressure.push_back(air.pressure);
    path.temperature.push_back(state.temperature);
    path.buoyancy.push_back(c.air.gravity * (state.density_temperature / environment - 1));
  }
  return path;
}

ParcelIndices parcel_indices(const Sounding& sounding, const LiftedParcel& parcel, Ascent ascent,
                             const SoundingConstants& c)
{
  ParcelIndices found{parcel, 0, 0, none, none, none, none, none};
  const ParcelPath path = lift(sounding, parcel, ascent, c);
  const double condensing = condensation_pressure(parcel, c);
  found.lcl = height_of(sounding, condensing);
  if (!std::isnan(found.lcl)) {
    found.lcl_pressure = condensing;
    find_buoyant_layer(path, found);
    if (!std::isnan(found.lfc)) add_energy(path, found);
  }
  const double z = height_of(sounding, 50000);
  if (z >= parcel.height) {
    const SoundingLevel air = at_height(sounding, z);
    Rise rise(parcel, ascent, c);
    found.lifted_index = virtual_temperature(air.temperature, air.vapour, c) -
                         rise.at(air.pressure).density_temperature;
  }
  return found;
}

WindIndices wind_indices(const Sounding& sounding)
{
  WindIndices found{shear_to(sounding, 1000),
                    shear_to(sounding, 3000),
                    shear_to(sounding, 6000),
                    {none, none},
                    {none, none},
                    {none, none}};
  if (top_of(sounding) < 6000) return found;
  found.mean_6km = mean_wind(sounding, 0, 6000);
  const Wind low = mean_wind(sounding, 0, 500), high = mean_wind(sounding, 5500, 6000);
  const double x = high[0] - low[0], y = high[1] - low[1], shear = std::hypot(x, y);
  const double off = shear > 0 ? 7.5 / shear : 0;
  found.right_mover = {found.mean_6km[0] + off * y, found.mean_6km[1] - off * x};
  found.left_mover = {found.mean_6km[0] - off * y, found.mean_6km[1] + off * x};
  return found;
}

double storm_relative_helicity(const Sounding& sounding, double depth, Wind motion)
{
  if (depth > top_of(sounding)) return none;
  const auto heights = heights_between(0, depth);
  double sum = 0;
  for (std::size_t n = 1; n < heights.size(); ++n) {
    const SoundingLevel a = at_height(sounding, heights[n - 1]),
                        b = at_height(sounding, heights[n]);
    sum += (b.u - motion[0]) * (a.v - motion[1]) - (a.u - motion[0]) * (b.v - motion[1]);
  }
  return sum;
}

SoundingIndices indices_of(const Sounding& sounding, const IndexOptions& options,
                           const SoundingConstants& c)
{
  SoundingIndices found{};
  const auto indices = [&](const LiftedParcel& parcel) {
    return parcel_indices(sounding, parcel, options.ascent, c);
  };
  found.surface = indices(surface_parcel(sounding));
  found.mixed = indices(mixed_parcel(sounding, options, c));
  found.most_unstable = indices(most_unstable_parcel(sounding, options, c));
  found.wind = wind_indices(sounding);
  found.precipitable_water = precipitable_water(sounding, c);
  found.freezing_level = freezing_level(sounding);
  add_stability(sounding, found, c);
  return found;
}

}  // namespace helicity::weather
