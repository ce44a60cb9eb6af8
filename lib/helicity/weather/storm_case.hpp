// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/job/config.hpp>
#include <helicity/job/driver.hpp>
#include <helicity/job/run_keys.hpp>
#include <helicity/weather/column.hpp>
#include <helicity/weather/storm_model.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::weather {

/// The large scale at a height; straight between heights, constant beyond them.
struct StormLevel
{
  double height = 0, lowering = 0, heating = 0;
  std::array<double, 2> geostrophic{};
};

/// The configuration of `helicity-weather storm`, as case files hold it. Zeros stand for what
/// follows from the rest (see resolve).
struct StormCase : job::RunKeys
{
  StormCase() : RunKeys("theta_perturbation", "y", 10) {}

  std::string name = "custom";

  std::array<std::int64_t, 3> cells{100, 1, 50};
  std::array<double, 3> spacing{100, 100, 100};
  std::string precision = "float";

  Constants air;
  /// neutral, stratified (constant frequency), isothermal, saturated (SaturatedColumn)
  std::string column = "neutral";
  double theta = 300;        ///< at the surface, K
  double frequency = 0.01;   ///< of buoyancy, stratified, 1/s
  double temperature = 250;  ///< isothermal, K
  double surface_pressure = 1e5;
  double equivalent_theta = 320, total_water = 0.02;  ///< saturated, K and kg per kg of dry air

  std::string water = "none";  ///< or condensation, kessler, kessler-dcmip, ice
  MoistConstants water_air;

  double most_vapour = 0.014;  ///< of weisman-klemp, near the ground
  std::string sounding_file;

  std::array<double, 2> frame{};  ///< velocity of the grid, taken off every wind
  std::string wind = "uniform";   ///< or tanh: velocity tanh(z / wind_height)
  std::array<double, 2> wind_velocity{};
  double wind_height = 3000;

  std::string terrain = "flat";  ///< flat, agnesi, schar, hill, file
  double hill_height = 250, hill_width = 5000, hill_wavelength = 4000;
  std::array<double, 2> hill_centre{};
  std::string terrain_file, terrain_variable;  ///< raster of heights; empty: its only variable
  std::array<double, 2> terrain_origin{};      ///< where in it the low corner of the domain lies
  std::int64_t terrain_smoothing = 0;          ///< passes
  double terrain_taper = 0;                    ///< width along the sides, m

  std::string initial = "none";     ///< none, bubble, wave
  double excess = 0;                ///< largest, K
  std::string excess_of = "theta";  ///< or temperature
  std::array<double, 3> centre{};
  std::array<double, 3> radii{};  ///< 0: as long as the domain

  /// Along x, y: periodic, symmetry, open, symmetry-open, open-symmetry (low-high).
  std::array<std::string, 2> ends{"periodic", "periodic"};
  double phase_speed = 30;  ///< of waves that leave through open ends, m/s
  std::int64_t order_across = 5, order_up = 5;
  std::string water_advection = "order";  ///< or weno5
  double diffusivity = 0;
  std::string closure = "none";  ///< or smagorinsky, energy
  double closure_coefficient = 0.18, closure_prandtl = 1. / 3;
  double energy_start = 1e-3, energy_least = 1e-6;
  std::string closure_lengths = "one";  ///< or separate
  StormSurface surface;
  std::vector<StormLevel> forcing;
  std::string balance = "wind";  ///< of the Coriolis force: wind of the start, or geostrophic
  double noise = 0, noise_below = 0;
  std::int64_t noise_seed = 1;
  double coriolis = 0, beta = 0;
  double layer_base = 0, layer_rate = 0;
  double divergence_damping = 0.1, off_centring = 0.2;

  double step = 0;               ///< 0: chosen
  std::int64_t short_steps = 0;  ///< 0: chosen
  double courant_limit = 1.4;
  std::array<std::int64_t, 2> ranks{0, 0};
};

/// A case that can be named: what it is, and its configuration.
struct StormNamedCase
{
  std::string_view name, summary;
  StormCase (*make)();
};

/// density-current, bubble-dry, bubble-moist, gravity-wave, mountain-hydrostatic,
/// mountain-nonhydrostatic, schar, custom.
HELICITY_EXPORT const std::vector<StormNamedCase>& storm_cases();

/// @throws UsageError for an unknown name, with the nearest
HELICITY_EXPORT StormCase storm_case(std::string_view name);

/// Binds all keys.
HELICITY_EXPORT void bind(job::Schema& schema, StormCase& config);

/// Fills what follows from the rest: step, acoustic steps, steps, output name.
/// @throws UsageError for contradictions: one cell along a symmetric axis, an acoustic step that is
///   too long, two ends
HELICITY_EXPORT void resolve(StormCase& config);

/// The storm of a resolved configuration.
HELICITY_EXPORT StormSetup make_setup(const StormCase& config);

HELICITY_EXPORT comm::DecompositionOptions decomposition_options(const StormCase& config);

/// Output, checkpoints and health of a resolved configuration. `toml` is its text, kept in files.
HELICITY_EXPORT job::RunPlan make_plan(const StormCase& config, const std::string& toml);

/// What a run of a resolved configuration costs this rank, with nothing allocated: a Simulation of
/// which only communicator, decomposition, clock and cost may be asked.
HELICITY_EXPORT std::unique_ptr<job::Simulation> plan_storm(
    const StormCase& config, const comm::Communicator& comm,
    const comm::Decomposition& decomposition);

/// Longest steps, by what limits them, for a wind of the start and a speed of sound of the surface.
HELICITY_EXPORT std::vector<std::pair<std::string, double>> step_limits(const StormCase& config);

/// Text of all that decides the state, for configuration digests.
HELICITY_EXPORT std::string physics_digest(const StormCase& config);

}  // namespace helicity::weather
