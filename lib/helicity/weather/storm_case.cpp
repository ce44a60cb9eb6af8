// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/ground_map.hpp>
#include <helicity/weather/saturated_column.hpp>
#include <helicity/weather/sounding.hpp>
#include <helicity/weather/storm_case.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace helicity::weather {
namespace {

/// Speed of sound at the surface, the fastest there is where temperature falls with height.
double speed_of_sound(const StormCase& c)
{
  const double t =
      c.column == "isothermal" ? c.temperature : c.theta * exner(c.surface_pressure, c.air);
  return std::sqrt(c.air.gamma() * c.air.gas * t);
}

/// Sound crosses so many cells a second, all axes along which the grid is split into cells.
double sound_per_second(const StormCase& c)
{
  const double x = 1 / c.spacing[0], y = c.cells[1] > 1 ? 1 / c.spacing[1] : 0;
  return speed_of_sound(c) * std::hypot(x, y);
}

constexpr double acoustic_courant = 0.65;  // chosen; explicit forward-backward steps end at 1

void resolve_step(StormCase& c)
{
  if (c.step == 0) {
    const double y = c.cells[1] > 1 ? c.spacing[1] : c.spacing[0];
    c.step = std::min({c.spacing[0], y, 2 * c.spacing[2]}) / 100;
  }
  const double needed = c.step * sound_per_second(c) / acoustic_courant;
  if (c.short_steps == 0)
    c.short_steps = std::max<std::int64_t>(4, 2 * static_cast<std::int64_t>(std::ceil(needed / 2)));
  if (c.short_steps % 2 != 0) throw UsageError("time.short_steps: an even number is needed");
  const double courant = c.step * sound_per_second(c) / static_cast<double>(c.short_steps);
  if (courant > 1)
    throw UsageError(fmt::format(
        "time.step {:.6g} s with time.short_steps {}: sound crosses {:.3g} cells in an "
        "acoustic step, more than 1; {} steps would do",
        c.step, c.short_steps, courant, 2 * static_cast<std::int64_t>(std::ceil(needed / 2))));
}

std::function<double(double)> theta_of(const StormCase& c)
{
  const Constants air = c.air;
  if (c.column == "stratified") {
    const double rate = c.frequency * c.frequency / air.gravity;
    return [t = c.theta, rate](double z) { return t * std::exp(rate * z); };
  }
  if (c.column == "isothermal") {
    const double t = c.temperature / exner(c.surface_pressure, air);
    const double rate = air.gravity / (air.heat * c.temperature);
    return [t, rate](double z) { return t * std::exp(rate * z); };
  }
  return [t = c.theta](double) { return t; };
}

WindFunction ground_wind_of(const StormCase& c)
{
  const auto [u, v] = c.wind_velocity;
  if (c.wind == "quarter-circle") return quarter_circle_wind();
  if (c.wind == "sounding") return wind_of(read_sounding(c.sounding_file));
  if (u == 0 && v == 0) return nullptr;
  return c.wind == "tanh" ? tanh_wind(u, v, c.wind_height) : uniform_wind(u, v);
}

/// Winds as the grid sees them, which may move.
WindFunction wind_of(const StormCase& c)
{
  const WindFunction wind = ground_wind_of(c);
  const auto [x, y] = c.frame;
  if (x == 0 && y == 0) return wind;
  return [wind, x = x, y = y](double z) {
    const auto [u, v] = wind ? wind(z) : std::pair(0., 0.);
    return std::pair(u - x, v - y);
  };
}

bool has_profile(const StormCase& c)
{
  return c.column == "weisman-klemp" || c.column == "sounding";
}

/// theta_rho and vapour of Weisman & Klemp's air, or of a sounding.
void take_profile(StormSetup& s, const StormCase& c)
{
  const double top = static_cast<double>(c.cells[2]) * c.spacing[2];
  SoundingConstants constants;
  constants.air = c.air;
  constants.vapour_gas = c.water_air.gas_vapour;
  constants.vapour_heat = c.water_air.heat_vapour;
  constants.liquid_heat = c.water_air.heat_liquid;
  constants.latent_heat = c.water_air.latent;
  const auto profile = [&] {
    if (c.column == "weisman-klemp") {
      WeismanKlemp wk;
      wk.surface_theta = c.theta;
      wk.most_vapour = c.most_vapour;
      wk.surface_pressure = c.surface_pressure;
      return weisman_klemp(wk, top, constants);
    }
    const Sounding sounding = read_sounding(c.sounding_file, constants);
    check_sounding(sounding, {.least_top = top}, constants);
    s.surface_pressure = sounding.levels.front().pressure;
    return profile_of(sounding, constants);
  };
  const auto air = std::make_shared<const MoistProfile>(profile());
  s.theta = [air](double z) { return air->at(z).theta_rho; };
  s.vapour = [air](double z) { return air->at(z).content; };
}

std::function<double(double, double)> terrain_of(const StormCase& c)
{
  if (c.terrain == "file")
    return [map = std::make_shared<const GroundMap>(c)](double x, double y) {
      return map->height(x, y);
    };
  if (c.terrain == "flat" || c.hill_height == 0) return nullptr;
  const double h = c.hill_height, a = c.hill_width, wave = c.hill_wavelength;
  const auto [x0, y0] = c.hill_centre;
  if (c.terrain == "agnesi")
    return [=, x0 = x0](double x, double) { return h / (1 + (x - x0) * (x - x0) / (a * a)); };
  if (c.terrain == "hill")
    return [=, x0 = x0, y0 = y0](double x, double y) {
      const double r2 = ((x - x0) * (x - x0) + (y - y0) * (y - y0)) / (a * a);
      return h / ((1 + r2) * std::sqrt(1 + r2));
    };
  return [=, x0 = x0](double x, double) {
    const double s = (x - x0) / a, ripple = std::cos(std::numbers::pi * (x - x0) / wave);
    return h * std::exp(-s * s) * ripple * ripple;
  };
}

/// Distance from the centre in radii; a radius of 0 does not count.
double distance(const StormCase& c, const GridPoint& p)
{
  const std::array<double, 3> x{p.x, p.y, p.z};
  double square = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const double d = c.radii[a] > 0 ? (x[a] - c.centre[a]) / c.radii[a] : 0;
    square += d * d;
  }
  return std::sqrt(square);
}

/// Exner function of the hydrostatic column at a height.
double exner_at(const StormCase& c, double z)
{
  const double surface = exner(c.surface_pressure, c.air);
  const double g = c.air.gravity, cp = c.air.heat, n2 = c.frequency * c.frequency;
  if (c.column == "isothermal") return surface * std::exp(-g * z / (cp * c.temperature));
  if (c.column == "stratified" && n2 > 0)
    return surface - g * g / (cp * c.theta * n2) * (1 - std::exp(-n2 * z / g));
  return surface - g * z / (cp * c.theta);
}

std::optional<Scheme> scheme_of(const StormCase& c)
{
  if (c.water == "condensation") return Scheme::condensation;
  if (c.water == "kessler") return Scheme::kessler;
  if (c.water == "kessler-dcmip") return Scheme::klemp_wilhelmson;
  if (c.water == "ice") return Scheme::ice;
  return std::nullopt;
}

/// theta_rho and water of a saturated column, and of a bubble in it that is as buoyant as one of
/// dry air of column.theta.
void saturate(StormSetup& s, const StormCase& c)
{
  const double top = static_cast<double>(c.cells[2]) * c.spacing[2];
  const auto air = std::make_shared<const SaturatedColumn>(c.equivalent_theta, c.total_water, top,
                                                           c.surface_pressure, c.air, c.water_air);
  s.theta = [air](double z) { return air->at(z).theta_rho; };
  s.vapour = [air](double z) { return air->at(z).vapour; };
  s.cloud = [air](double z) { return air->at(z).cloud; };
  if (!s.initial) return;
  s.initial = [air, f = s.initial, base = c.theta](const GridPoint& p) {
    StormInitial v = f(p);
    if (v.theta == 0) return v;
    const SaturatedColumn::Air before = air->at(p.z), after = air->raised(p.z, 1 + v.theta / base);
    v.theta = after.theta_rho - before.theta_rho;
    v.vapour = after.vapour - before.vapour;
    v.cloud = after.cloud - before.cloud;
    return v;
  };
}

/// Excesses of theta become those of theta_rho at the vapour and cloud of the column.
void weigh(StormSetup& s)
{
  if (!s.initial || (!s.vapour && !s.cloud)) return;
  const double ratio = s.water.gas_vapour / s.constants.gas;
  s.initial = [f = s.initial, steam = s.vapour, drops = s.cloud, ratio](const GridPoint& p) {
    StormInitial v = f(p);
    const double q = steam ? steam(p.z) : 0, c = drops ? drops(p.z) : 0;
    v.theta *= 1 - (q + c) + q * ratio;
    return v;
  };
}

/// A number of -1 to 1 for a cell: splitmix64 (Steele, Lea & Flood 2014) of its index and the seed.
double noise_at(const StormCase& c, Index3 twice)
{
  const auto cells = [&](std::size_t a) { return static_cast<std::uint64_t>(c.cells[a]); };
  const auto half = [](Index n) { return static_cast<std::uint64_t>(n / 2); };
  const std::uint64_t cell = half(twice.i) + cells(0) * (half(twice.j) + cells(1) * half(twice.k));
  std::uint64_t x = (static_cast<std::uint64_t>(c.noise_seed) << 48) ^ cell;
  x = (x + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return std::ldexp(static_cast<double>(x >> 11), -52) - 1;
}

std::function<StormInitial(const GridPoint&)> shape_of(const StormCase& c)
{
  if (c.initial == "none" || c.excess == 0) return nullptr;
  const double height = static_cast<double>(c.cells[2]) * c.spacing[2];
  if (c.initial == "wave")
    return [c, height](const GridPoint& p) {
      const double x = c.radii[0] > 0 ? (p.x - c.centre[0]) / c.radii[0] : 0;
      return StormInitial{c.excess * std::sin(std::numbers::pi * p.z / height) / (1 + x * x), {}};
    };
  return [c](const GridPoint& p) {
    const double r = distance(c, p);
    if (r >= 1) return StormInitial{};
    const double excess = c.excess * (1 + std::cos(std::numbers::pi * r)) / 2;
    return StormInitial{c.excess_of == "temperature" ? excess / exner_at(c, p.z) : excess, {}};
  };
}

std::function<StormInitial(const GridPoint&)> initial_of(const StormCase& c)
{
  auto shape = shape_of(c);
  if (c.noise == 0 || c.noise_below == 0) return shape;
  return [shape, c](const GridPoint& p) {
    StormInitial s = shape ? shape(p) : StormInitial{};
    if (p.z < c.noise_below) s.theta += c.noise * noise_at(c, p.twice);
    return s;
  };
}

/// The large scale at a height.
StormLevel level_at(const std::vector<StormLevel>& levels, double z)
{
  const auto above =
      std::find_if(levels.begin(), levels.end(), [z](const StormLevel& l) { return l.height > z; });
  if (above == levels.begin()) return levels.front();
  if (above == levels.end()) return levels.back();
  const StormLevel &a = *(above - 1), &b = *above;
  const double part = (z - a.height) / (b.height - a.height);
  const auto between = [part](double x, double y) { return x + (y - x) * part; };
  return {
      z,
      between(a.lowering, b.lowering),
      between(a.heating, b.heating),
      {between(a.geostrophic[0], b.geostrophic[0]), between(a.geostrophic[1], b.geostrophic[1])}};
}

StormForcing forcing_of(const StormCase& c)
{
  StormForcing f;
  const auto& levels = c.forcing;
  const auto any = [&](double StormLevel::*value) {
    return std::any_of(levels.begin(), levels.end(),
                       [&](const StormLevel& l) { return l.*value != 0; });
  };
  if (any(&StormLevel::lowering))
    f.lowering = [levels](double z) { return level_at(levels, z).lowering; };
  if (any(&StormLevel::heating))
    f.heating = [levels](double z) { return level_at(levels, z).heating; };
  if (c.balance == "geostrophic")
    f.geostrophic = [levels](double z) {
      const auto [u, v] = level_at(levels, z).geostrophic;
      return std::pair(u, v);
    };
  return f;
}

void resolve_forcing(const StormCase& c)
{
  if (c.balance == "geostrophic" && c.forcing.empty())
    throw UsageError("rotation.balance = geostrophic: [[forcing]] must give the wind");
  if ((c.noise > 0) != (c.noise_below > 0))
    throw UsageError("initial.noise and initial.noise_below: both are needed, or none");
  for (std::size_t n = 1; n < c.forcing.size(); ++n)
    if (!(c.forcing[n].height > c.forcing[n - 1].height))
      throw UsageError(fmt::format("forcing: heights must rise, but {:.6g} m follows {:.6g} m",
                                   c.forcing[n].height, c.forcing[n - 1].height));
}

}  // namespace

void resolve(StormCase& c)
{
  constexpr double most_cells = 281474976710656.0;  // 2^48
  if (static_cast<double>(c.cells[0]) * static_cast<double>(c.cells[1]) *
          static_cast<double>(c.cells[2]) >
      most_cells)
    throw UsageError("grid.cells: more cells than there can be");
  if (c.cells[1] == 1 && c.ends[1] != "periodic")
    throw UsageError("boundary.y: with one cell along y the axis is periodic");
  if (c.beta != 0 && c.ends[1] == "periodic")
    throw UsageError("rotation.beta: boundary.y must not be periodic");
  const double top = static_cast<double>(c.cells[2]) * c.spacing[2];
  if (c.layer_rate > 0 && c.layer_base >= top)
    throw UsageError(
        fmt::format("layer.base {:.6g} m is not below the top, {:.6g} m", c.layer_base, top));
  if (c.column == "saturated" && c.water == "none")
    throw UsageError("column.kind saturated: water.kind says what its water does, not none");
  if (c.column == "saturated" && c.excess_of == "temperature")
    throw UsageError("initial.excess_of: in a saturated column an excess is one of theta");
  if (has_profile(c) && c.water == "none")
    throw UsageError(
        fmt::format("column.kind {}: water.kind says what its water does, not none", c.column));
  if (has_profile(c) && c.excess_of == "temperature")
    throw UsageError(fmt::format(
        "initial.excess_of: in a column of kind {} an excess is one of theta", c.column));
  if ((c.column == "sounding" || c.wind == "sounding") && c.sounding_file.empty())
    throw UsageError("column.file: a sounding is asked for and no file is named");
  resolve_forcing(c);
  resolve_step(c);
  resolve(c, c.step);
  if (c.output_name.empty()) c.output_name = c.name;
}

std::vector<std::pair<std::string, double>> step_limits(const StormCase& c)
{
  std::vector<std::pair<std::string, double>> limits{
      {"sound, in time.short_steps parts",
       static_cast<double>(c.short_steps) / sound_per_second(c)}};
  const double wind = std::fabs(c.wind_velocity[0]) / c.spacing[0] +
                      (c.cells[1] > 1 ? std::fabs(c.wind_velocity[1]) / c.spacing[1] : 0);
  if (wind > 0) limits.emplace_back("advection by the wind of the start", c.courant_limit / wind);
  double leaving = 0;
  for (const std::size_t a : {0u, 1u})
    if (c.ends[a].find("open") != std::string::npos)
      leaving = std::max(leaving, (c.phase_speed + std::fabs(c.wind_velocity[a])) / c.spacing[a]);
  if (leaving > 0) limits.emplace_back("waves that leave through open ends", 1 / leaving);
  double squares = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (c.cells[a] > 1) squares += 1 / (c.spacing[a] * c.spacing[a]);
  if (c.diffusivity > 0) limits.emplace_back("diffusion", 0.5 / (c.diffusivity * squares));
  return limits;
}

StormSetup make_setup(const StormCase& c)
{
  StormSetup s;
  s.cells = {c.cells[0], c.cells[1], c.cells[2]};
  s.spacing = c.spacing;
  s.step = c.step;
  s.short_steps = static_cast<int>(c.short_steps);
  s.constants = c.air;
  s.surface_pressure = c.surface_pressure;
  s.theta = theta_of(c);
  s.wind = wind_of(c);
  s.initial = initial_of(c);
  s.terrain = terrain_of(c);
  s.periodic = {c.ends[0] == "periodic", c.ends[1] == "periodic"};
  for (const std::size_t axis : {0u, 1u})
    s.open[axis] = {c.ends[axis].starts_with("open"), c.ends[axis].ends_with("open")};
  s.phase_speed = c.phase_speed;
  s.order_across = static_cast<int>(c.order_across);
  s.order_up = static_cast<int>(c.order_up);
  s.diffusivity = c.diffusivity;
  s.mixing = {c.closure == "smagorinsky" ? Closure::smagorinsky
              : c.closure == "energy"    ? Closure::energy
                                         : Closure::none,
              c.closure_coefficient,
              c.closure_prandtl,
              c.closure_lengths == "separate",
              c.energy_start,
              c.energy_least};
  s.surface = c.surface;
  s.forcing = forcing_of(c);
  s.coriolis = c.coriolis;
  s.beta = c.beta;
  s.damping_base = c.layer_base;
  s.damping_rate = c.layer_rate;
  s.divergence_damping = c.divergence_damping;
  s.off_centring = c.off_centring;
  s.courant_limit = c.courant_limit;
  s.scheme = scheme_of(c);
  if (s.scheme) s.species = species_of(*s.scheme);
  s.water = c.water_air;
  s.weno = c.water_advection == "weno5";
  if (has_profile(c)) take_profile(s, c);
  if (c.column == "saturated")
    saturate(s, c);
  else
    weigh(s);
  return s;
}

comm::DecompositionOptions decomposition_options(const StormCase& c)
{
  StormSetup s;
  s.periodic = {c.ends[0] == "periodic", c.ends[1] == "periodic"};
  comm::DecompositionOptions options = decomposition_options(s);
  options.ranks = {c.ranks[0], c.ranks[1], 1};
  return options;
}

job::RunPlan make_plan(const StormCase& c, const std::string& toml)
{
  job::RunPlan plan = plan_of(c, "storm: " + c.name, toml, physics_digest(c));
  plan.output.image.map = io::ColourMap::balance;
  plan.output.snapshot.coordinates.spacing = c.spacing;
  return plan;
}

}  // namespace helicity::weather
