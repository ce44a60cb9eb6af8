// SPDX-License-Identifier: Apache-2.0
// The keys of a case file, the named cases, and the digest.
#include <helicity/job/named_case.hpp>
#include <helicity/weather/ground_map.hpp>
#include <helicity/weather/storm_case.hpp>

#include <fmt/format.h>

#include <string>

namespace helicity::weather {
namespace {

using job::Schema;
using job::Unit;

constexpr Schema::RealRange positive{.lowest = 0, .above = true};
constexpr Schema::RealRange not_negative{.lowest = 0};

void bind_air(Schema& s, StormCase& c)
{
  s.integers("grid.cells", c.cells.data(), 3, "cells along x, y, z; 1 along y: a slab",
             {.lowest = 1, .highest = 1 << 24});
  s.reals("grid.spacing", c.spacing.data(), 3, Unit::metres, "sides of a cell", positive);
  s.choice("weather.precision", c.precision, {"float", "double"}, "type of all numbers");
  s.real("air.gravity", c.air.gravity, Unit::metres_per_second_squared, "acceleration of gravity",
         positive);
  s.real("air.gas_constant", c.air.gas, Unit::none, "of dry air, J/(kg K)", positive);
  s.real("air.heat_capacity", c.air.heat, Unit::none, "at constant pressure, J/(kg K)", positive);
  s.real("air.reference_pressure", c.air.reference_pressure, Unit::none,
         "of potential temperature, Pa", positive);
  s.choice(
      "column.kind", c.column,
      {"neutral", "stratified", "isothermal", "saturated", "weisman-klemp", "sounding"},
      "air before anything is added: constant theta, constant frequency of buoyancy, constant "
      "temperature; saturated: constant equivalent theta and total water; weisman-klemp: their "
      "moist, unstable air; sounding: column.file");
  s.real("column.theta", c.theta, Unit::none, "potential temperature at the surface, K", positive);
  s.real("column.frequency", c.frequency, Unit::none, "of buoyancy, stratified, 1/s", not_negative);
  s.real("column.temperature", c.temperature, Unit::none, "isothermal, K", positive);
  s.real("column.surface_pressure", c.surface_pressure, Unit::none, "Pa", positive);
  s.real("column.equivalent_theta", c.equivalent_theta, Unit::none, "wet, saturated, K", positive);
  s.real("column.total_water", c.total_water, Unit::none, "saturated, kg per kg of dry air",
         positive);
  s.real("column.vapour", c.most_vapour, Unit::none,
         "weisman-klemp: most there is near the ground, kg per kg of dry air", positive);
  s.text("column.file", c.sounding_file, "Wyoming text or input_sounding");
  s.choice("wind.kind", c.wind, {"uniform", "tanh", "quarter-circle", "sounding"},
           "the same everywhere; times tanh(z/height); turning with height up to 2 km, with more "
           "shear up to 6 km; of column.file");
  s.reals("wind.frame", c.frame.data(), 2, Unit::metres_per_second,
          "velocity of the grid, taken off every wind", {});
  s.reals("wind.velocity", c.wind_velocity.data(), 2, Unit::metres_per_second, "along x and y", {});
  s.real("wind.height", c.wind_height, Unit::metres, "of tanh", positive);
}

void bind_water(Schema& s, StormCase& c)
{
  s.choice("water.kind", c.water, {"none", "condensation", "kessler", "kessler-dcmip", "ice"},
           "none: dry air; condensation: vapour and cloud; kessler, kessler-dcmip: rain too; ice: "
           "six classes");
  s.real("water.gas_constant", c.water_air.gas_vapour, Unit::none, "of vapour, J/(kg K)", positive);
  s.real("water.heat_vapour", c.water_air.heat_vapour, Unit::none, "at constant pressure, J/(kg K)",
         positive);
  s.real("water.heat_liquid", c.water_air.heat_liquid, Unit::none, "J/(kg K)", positive);
  s.real("water.heat_ice", c.water_air.heat_ice, Unit::none, "J/(kg K)", positive);
  s.real("water.latent_heat", c.water_air.latent, Unit::none, "of vaporization at freezing, J/kg",
         positive);
  s.real("water.fusion_heat", c.water_air.fusion, Unit::none, "at freezing, J/kg", positive);
  s.choice("advection.water", c.water_advection, {"order", "weno5"},
           "of water: by the orders of advection, or WENO of fifth order; never negative");
}

void bind_motion(Schema& s, StormCase& c)
{
  constexpr Schema::IntegerRange order{.lowest = 1, .highest = 6};
  s.choice("terrain.kind", c.terrain, {"flat", "agnesi", "schar", "hill", "file"},
           "agnesi: ridge h / (1 + x^2/a^2); schar: ridges h exp(-x^2/a^2) cos^2(pi x/wavelength); "
           "hill: h / (1 + r^2/a^2)^1.5; file: a raster of heights");
  s.real("terrain.height", c.hill_height, Unit::metres, "h", not_negative);
  s.real("terrain.half_width", c.hill_width, Unit::metres, "a", positive);
  s.real("terrain.wavelength", c.hill_wavelength, Unit::metres, "of schar", positive);
  s.reals("terrain.centre", c.hill_centre.data(), 2, Unit::metres, "x and y of its top", {});
  s.text("terrain.file", c.terrain_file,
         "HDF5 or netCDF-4: heights (y, x) in m, coordinates x and y in m");
  s.text("terrain.variable", c.terrain_variable, "in it; empty: the only one of two dimensions");
  s.reals("terrain.origin", c.terrain_origin.data(), 2, Unit::metres,
          "x and y in the file of the low corner of the domain", {});
  s.integer("terrain.smoothing", c.terrain_smoothing, "passes of weights 1, 2, 1 along x and y",
            {.lowest = 0, .highest = 1000});
  s.real("terrain.taper", c.terrain_taper, Unit::metres,
         "width along the sides over which the ground comes down to its lowest height",
         not_negative);
  s.choice(
      "initial.kind", c.initial, {"none", "bubble", "wave"},
      "bubble: excess (1 + cos(pi r)) / 2 for r < 1; wave: excess sin(pi z/top) / (1 + r_x^2)");
  s.real("initial.excess", c.excess, Unit::none, "largest, K; negative: cold", {});
  s.choice("initial.excess_of", c.excess_of, {"theta", "temperature"}, "of a bubble");
  s.reals("initial.centre", c.centre.data(), 3, Unit::metres, "its middle", {});
  s.reals("initial.radii", c.radii.data(), 3, Unit::metres, "r = 1 there; 0: along all of the axis",
          not_negative);
  const std::vector<std::string> ends{"periodic", "symmetry", "open", "symmetry-open",
                                      "open-symmetry"};
  s.choice("boundary.x", c.ends[0], ends, "ends along x: both, or low-high; open: waves leave");
  s.choice("boundary.y", c.ends[1], ends, "ends along y");
  s.real("boundary.phase_speed", c.phase_speed, Unit::metres_per_second,
         "of the waves that leave through open ends", not_negative);
  s.integer("advection.order", c.order_across, "along x and y: odd upwind-biased, even centred",
            order);
  s.integer("advection.vertical_order", c.order_up, "along z; lower next to the lids", order);
  s.real("diffusion.coefficient", c.diffusivity, Unit::square_metres_per_second,
         "of momentum and theta", not_negative);
  s.real("rotation.coriolis", c.coriolis, Unit::none,
         "parameter f in the middle along y, 1/s, on what departs from the wind", {});
  s.real("rotation.beta", c.beta, Unit::none, "df/dy, 1/(m s)", {});
  s.choice("rotation.balance", c.balance, {"wind", "geostrophic"},
           "that wind: the one of the start, or geostrophic of [[forcing]]");
  s.real("layer.base", c.layer_base, Unit::metres, "where the Rayleigh layer begins", not_negative);
  s.real("layer.rate", c.layer_rate, Unit::none, "of the Rayleigh layer at the top, 1/s; 0: none",
         not_negative);
  s.real("acoustic.divergence_damping", c.divergence_damping, Unit::none, "of sound",
         {.lowest = 0, .highest = 1});
  s.real("acoustic.off_centring", c.off_centring, Unit::none, "of vertical averages in time",
         {.lowest = 0, .highest = 1});
}

void bind_eddies(Schema& s, StormCase& c)
{
  s.choice("mixing.kind", c.closure, {"none", "smagorinsky", "energy"},
           "by eddies smaller than a cell");
  s.real("mixing.coefficient", c.closure_coefficient, Unit::none, "of smagorinsky", not_negative);
  s.real("mixing.prandtl", c.closure_prandtl, Unit::none, "K of momentum over that of theta",
         positive);
  s.real("mixing.energy_start", c.energy_start, Unit::none, "subgrid energy at the start, m2/s2",
         positive);
  s.real("mixing.energy_least", c.energy_least, Unit::none, "it stays at that or above", positive);
  s.choice("mixing.lengths", c.closure_lengths, {"one", "separate"},
           "one: of the volume of a cell; separate: sqrt(dx dy) across, dz up");
  s.real("surface.drag", c.surface.drag, Unit::none, "coefficient: stress over rho |u| u",
         not_negative);
  s.real("surface.friction", c.surface.friction, Unit::metres_per_second,
         "velocity u*: stress rho u*^2", not_negative);
  s.real("surface.roughness", c.surface.roughness, Unit::metres, "of the log law of neutral air",
         not_negative);
  s.real("surface.heat", c.surface.heat, Unit::none, "flux of theta into the air, K m/s", {});
  s.real("surface.exchange", c.surface.exchange, Unit::none,
         "coefficient: flux of theta over |u| (surface.theta - theta)", not_negative);
  s.real("surface.theta", c.surface.theta, Unit::none, "of the ground, K", not_negative);
  s.tables("forcing", "the large scale at a height, rising; straight lines between", c.forcing,
           [](Schema& e, StormLevel& l) {
             e.real("height", l.height, Unit::metres, "above ground", not_negative);
             e.real("lowering", l.lowering, Unit::metres_per_second,
                    "vertical velocity that advects theta and wind", {});
             e.real("heating", l.heating, Unit::none, "of theta, K/s", {});
             e.reals("geostrophic", l.geostrophic.data(), 2, Unit::metres_per_second,
                     "wind along x and y", {});
           });
  s.real("initial.noise", c.noise, Unit::none, "largest random part of theta, K", not_negative);
  s.real("initial.noise_below", c.noise_below, Unit::metres, "height", not_negative);
  s.integer("initial.noise_seed", c.noise_seed, "other numbers, other noise",
            {.lowest = 0, .highest = 1 << 30});
}

void bind_run(Schema& s, StormCase& c)
{
  s.real("time.step", c.step, Unit::seconds, "length of a step; 0: 1 s per 100 m", not_negative);
  s.integer("time.short_steps", c.short_steps, "acoustic steps in one, even; 0: chosen",
            {.lowest = 0, .highest = 1000});
  bind(s, static_cast<job::RunKeys&>(c),
       "theta_perturbation, velocity_x, velocity_y, velocity_z, pressure_perturbation, "
       "density_perturbation, vapour, cloud_water, rain_water, cloud_ice, snow, graupel, "
       "rain, height",
       "a variable");
  s.real("health.courant_limit", c.courant_limit, Unit::none, "Courant number that is too large",
         {.lowest = 0, .highest = 2, .above = true});
  s.integers("ranks", c.ranks.data(), 2, "ranks along x, y; 0: chosen", {.lowest = 0});
}

StormCase custom_case() { return {}; }

StormCase density_current_case()
{
  StormCase c;
  c.name = "density-current";
  c.cells = {256, 1, 64};
  c.initial = "bubble";
  c.excess = -15;
  c.excess_of = "temperature";
  c.centre = {0, 0, 3000};
  c.radii = {4000, 0, 2000};
  c.ends = {"symmetry", "periodic"};
  c.diffusivity = 75;
  c.end = 900;
  return c;
}

StormCase bubble_dry_case()
{
  StormCase c;
  c.name = "bubble-dry";
  c.cells = {200, 1, 100};
  c.initial = "bubble";
  c.excess = 2;
  c.centre = {10000, 0, 2000};
  c.radii = {2000, 0, 2000};
  c.ends = {"symmetry", "periodic"};
  c.end = 1000;
  return c;
}

StormCase bubble_moist_case()
{
  StormCase c = bubble_dry_case();
  c.name = "bubble-moist";
  c.air.gas = 287;
  c.air.heat = 1004;
  c.column = "saturated";
  c.water = "condensation";
  c.water_air.gas_vapour = 461;
  c.water_air.heat_vapour = 1885;
  c.water_air.heat_liquid = 4186;
  c.water_air.latent = 2.5e6;
  return c;
}

StormCase gravity_wave_case()
{
  StormCase c;
  c.name = "gravity-wave";
  c.cells = {600, 1, 20};
  c.spacing = {500, 500, 500};
  c.column = "stratified";
  c.wind_velocity = {20, 0};
  c.initial = "wave";
  c.excess = 0.01;
  c.centre = {100000, 0, 0};
  c.radii = {5000, 0, 0};
  c.end = 3000;
  return c;
}

/// Steady waves over a ridge in a box of width periods, air absorbed in the upper part.
StormCase mountain_case()
{
  StormCase c;
  c.terrain = "agnesi";
  c.hill_height = 1;
  c.column = "stratified";
  c.layer_rate = 0.01;
  return c;
}

StormCase mountain_hydrostatic_case()
{
  StormCase c = mountain_case();
  c.name = "mountain-hydrostatic";
  c.cells = {400, 1, 120};
  c.spacing = {2000, 2000, 250};
  c.column = "isothermal";
  c.temperature = 250;
  c.wind_velocity = {20, 0};
  c.hill_width = 10000;
  c.hill_centre = {400000, 0};
  c.layer_base = 15000;
  c.step = 10;
  c.end = 36000;
  return c;
}

StormCase mountain_nonhydrostatic_case()
{
  StormCase c = mountain_case();
  c.name = "mountain-nonhydrostatic";
  c.cells = {720, 1, 100};
  c.spacing = {200, 200, 300};
  c.wind_velocity = {10, 0};
  c.hill_width = 1000;
  c.hill_centre = {72000, 0};
  c.layer_base = 18000;
  c.step = 2;
  c.end = 18000;
  return c;
}

StormCase schar_case()
{
  StormCase c = mountain_case();
  c.name = "schar";
  c.cells = {400, 1, 100};
  c.spacing = {500, 500, 300};
  c.terrain = "schar";
  c.hill_height = 250;
  c.hill_width = 5000;
  c.theta = 288;
  c.wind_velocity = {10, 0};
  c.hill_centre = {100000, 0};
  c.layer_base = 18000;
  c.step = 5;
  c.end = 36000;
  return c;
}

/// Weisman & Klemp's air with a bubble of 2 K, sides open.
StormCase convection_case()
{
  StormCase c;
  c.column = "weisman-klemp";
  c.water = "kessler";
  c.initial = "bubble";
  c.excess = 2;
  c.layer_base = 15000;
  c.layer_rate = 1 / 300.;
  c.step = 6;
  c.end = 7200;
  return c;
}

StormCase supercell_case()
{
  StormCase c = convection_case();
  c.name = "supercell";
  c.cells = {120, 120, 40};
  c.spacing = {1000, 1000, 500};
  c.wind = "quarter-circle";
  c.frame = {12.5, 3};
  c.centre = {60000, 60000, 1400};
  c.radii = {10000, 10000, 1400};
  c.ends = {"open", "open"};
  return c;
}

StormCase squall_line_case()
{
  StormCase c = convection_case();
  c.name = "squall-line";
  c.cells = {400, 1, 40};
  c.spacing = {500, 500, 500};
  c.wind = "tanh";
  c.wind_velocity = {12, 0};
  c.wind_height = 2500;
  c.frame = {12, 0};
  c.excess = 3;
  c.centre = {100000, 0, 1400};
  c.radii = {10000, 0, 1400};
  c.ends = {"open", "periodic"};
  c.step = 4;
  return c;
}

}  // namespace

const std::vector<StormNamedCase>& storm_cases()
{
  static const std::vector<StormNamedCase> cases{
      {"density-current", "cold air falls and spreads (Straka et al. 1993)", density_current_case},
      {"bubble-dry", "warm air rises (Bryan & Fritsch 2002)", bubble_dry_case},
      {"bubble-moist", "warm air rises in clouds (Bryan & Fritsch 2002)", bubble_moist_case},
      {"gravity-wave", "waves in a channel (Skamarock & Klemp 1994)", gravity_wave_case},
      {"mountain-hydrostatic", "wide ridge of 1 m in isothermal wind", mountain_hydrostatic_case},
      {"mountain-nonhydrostatic", "narrow ridge of 1 m", mountain_nonhydrostatic_case},
      {"schar", "waves over a row of ridges (Schaer et al. 2002)", schar_case},
      {"supercell", "a thunderstorm splits in sheared air (Weisman & Klemp 1982)", supercell_case},
      {"squall-line", "a line of thunderstorms, in a slab", squall_line_case},
      {"custom", "whatever the keys say", custom_case}};
  return cases;
}

StormCase storm_case(std::string_view name) { return job::named_case(storm_cases(), name); }

void bind(Schema& schema, StormCase& c)
{
  schema.choice("case", c.name, job::case_names(storm_cases()),
                "named case that the keys start from");
  bind_air(schema, c);
  bind_water(schema, c);
  bind_motion(schema, c);
  bind_eddies(schema, c);
  bind_run(schema, c);
}

std::string physics_digest(const StormCase& config)
{
  StormCase c = config;  // what does not change the state is set alike
  const StormCase neutral;
  forget(c);
  c.ranks = neutral.ranks;
  c.courant_limit = neutral.courant_limit;
  if (c.terrain == "file")  // what it holds counts, not where it lies
    c.terrain_file = fmt::format("{:016x}", GroundMap(c).hash());
  Schema schema;
  bind(schema, c);
  return schema.print();
}

}  // namespace helicity::weather
