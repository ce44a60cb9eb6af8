// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/fluid/ns_model.hpp>
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

/// The configuration of `helicity-fluid ns`, as case files hold it. Zeros stand for what follows
/// from the rest (see resolve).
struct NsCase : job::RunKeys
{
  NsCase() : RunKeys("speed", "z", 50) {}

  std::string name = "custom";

  std::array<std::int64_t, 3> cells{64, 64, 64};
  std::array<double, 3> length{1, 1, 1};  ///< of the box
  double stretching = 0;                  ///< of levels towards both ends of z: stretched_faces
  std::string precision = "double";

  double viscosity = 0;  ///< 0: speed reference_length / reynolds
  double reynolds = 100;
  double speed = 1;             ///< reference
  double reference_length = 1;  ///< of the Reynolds number
  std::array<double, 3> force{};
  double bulk_velocity = 0;  ///< mean along x that a force keeps; 0: none does

  std::string scalar = "none";  ///< or carried
  double diffusivity = 0;
  std::array<double, 3> lift{};
  std::array<std::array<std::string, 2>, 3> scalar_ends{};  ///< a number, or empty: no flux

  std::array<std::string, 3> ends{"periodic", "periodic", "periodic"};
  std::array<std::array<std::array<double, 3>, 2>, 3> wall_velocity{};

  std::string initial = "rest";  ///< rest, taylor-green-2d, taylor-green-3d, shear-layer, channel
  double thickness = 30;         ///< of shear layers: u = tanh(thickness (y - 1/4))
  double disturbance = 0.05;     ///< of shear layers and channels, times speed

  double step = 0;     ///< 0: from courant
  double courant = 1;  ///< of the reference speed along all axes, where the step is chosen
  double courant_limit = 1.7;
  std::int64_t ranks = 0;
};

/// A case that can be named: what it is, and its configuration.
struct NsNamedCase
{
  std::string_view name, summary;
  NsCase (*make)();
};

/// cavity, taylor-green-2d, taylor-green-3d, shear-layer, poiseuille, channel-180, heated-cavity,
/// custom.
HELICITY_EXPORT const std::vector<NsNamedCase>& ns_cases();

/// @throws UsageError for an unknown name, with the nearest
HELICITY_EXPORT NsCase ns_case(std::string_view name);

/// Binds all keys.
HELICITY_EXPORT void bind(job::Schema& schema, NsCase& config);

/// Fills what follows from the rest: viscosity, step, steps, output name.
/// @throws UsageError for contradictions
HELICITY_EXPORT void resolve(NsCase& config);

/// The flow of a resolved configuration.
HELICITY_EXPORT NsSetup make_setup(const NsCase& config);

HELICITY_EXPORT comm::DecompositionOptions decomposition_options(const NsCase& config);

/// Output, checkpoints and health of a resolved configuration. `toml` is its text, kept in files.
HELICITY_EXPORT job::RunPlan make_plan(const NsCase& config, const std::string& toml);

/// What a run of a resolved configuration costs this rank, with nothing allocated.
HELICITY_EXPORT std::unique_ptr<job::Simulation> plan_ns(const NsCase& config,
                                                         const comm::Communicator& comm,
                                                         const comm::Decomposition& decomposition);

/// Text of all that decides the state, for configuration digests.
HELICITY_EXPORT std::string physics_digest(const NsCase& config);

}  // namespace helicity::fluid
