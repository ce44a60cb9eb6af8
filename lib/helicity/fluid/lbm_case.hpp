// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/fluid/lbm_model.hpp>
#include <helicity/job/config.hpp>
#include <helicity/job/driver.hpp>
#include <helicity/job/run_keys.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::fluid {

/// A body in the flow; cells whose centre lies inside are solid.
struct LbmSolid
{
  std::string shape = "sphere";  ///< sphere, cylinder (along `axis`, through the domain), box
  std::array<double, 3> centre{};
  double radius = 0;
  std::array<double, 3> low{}, high{};  ///< corners of a box
  std::string axis = "z";
  std::array<double, 3> velocity{};  ///< of its surface
};

/// The configuration of `helicity-fluid lbm`, as case files hold it. Zeros stand for what follows
/// from the rest (see resolve).
struct LbmCase : job::RunKeys
{
  LbmCase() : RunKeys("speed", "z", 100) {}

  std::string name = "custom";

  std::array<std::int64_t, 3> cells{64, 64, 64};
  double spacing = 0;  ///< 0: length / cells along the reference axis

  std::string lattice = "auto";  ///< d2q9 if there is one cell along z, else d3q19
  std::string precision = "float";
  std::string collision = "trt";  ///< or srt
  double magic = 3. / 16;
  double speed_limit = 0.5;

  double length = 1;           ///< reference length
  double speed = 1;            ///< reference speed
  double reynolds = 100;       ///< speed length / viscosity, where viscosity is 0
  double lattice_speed = 0.1;  ///< speed in cells per step, where the step is 0
  double viscosity = 0;
  double density = 1;
  std::array<double, 3> acceleration{};

  std::array<std::string, 3> ends{"periodic", "periodic", "periodic"};
  std::array<std::array<std::array<double, 3>, 2>, 3> wall_velocity{};

  std::string initial = "rest";  ///< rest, uniform, taylor-green
  std::array<double, 3> initial_velocity{};

  std::vector<LbmSolid> solids;
  std::string mask_file, mask_dataset = "solid";

  double step = 0;  ///< length of a step
  std::array<std::int64_t, 3> ranks{0, 0, 0};
};

/// A case that can be named: what it is, and its configuration.
struct LbmNamedCase
{
  std::string_view name, summary;
  LbmCase (*make)();
};

/// cavity, taylor-green, poiseuille, couette, custom.
HELICITY_EXPORT const std::vector<LbmNamedCase>& lbm_cases();

/// @throws UsageError for an unknown name, with the nearest
HELICITY_EXPORT LbmCase lbm_case(std::string_view name);

/// Binds all keys.
HELICITY_EXPORT void bind(job::Schema& schema, LbmCase& config);

/// Fills what follows from the rest: spacing, viscosity, step, steps, acceleration of the
/// poiseuille case, lattice, output name.
/// @throws UsageError for contradictions: a wall without a partner, an unstable or too compressible
///   choice (lattice speed above speed_limit), a time that is not given
HELICITY_EXPORT void resolve(LbmCase& config);

/// The flow in lattice units, of a resolved configuration. Every rank reads the whole mask, a byte
/// per cell of the grid. @throws InputError for a mask that cannot be used
HELICITY_EXPORT LbmSetup make_setup(const LbmCase& config);

HELICITY_EXPORT LbmUnits make_units(const LbmCase& config);

/// How the grid is split, before the mask is read.
HELICITY_EXPORT comm::DecompositionOptions decomposition_options(const LbmCase& config);

/// Output, checkpoints and health of a resolved configuration. `toml` is its text, kept in files.
HELICITY_EXPORT job::RunPlan make_plan(const LbmCase& config, const std::string& toml);

/// What a run of a resolved configuration costs this rank, with nothing allocated: a Simulation of
/// which only communicator, decomposition, clock and cost may be asked.
HELICITY_EXPORT std::unique_ptr<job::Simulation> plan_lbm(const LbmCase& config,
                                                          const comm::Communicator& comm,
                                                          const comm::Decomposition& decomposition);

/// Text of all that decides the state, for configuration digests.
HELICITY_EXPORT std::string physics_digest(const LbmCase& config);

}  // namespace helicity::fluid
