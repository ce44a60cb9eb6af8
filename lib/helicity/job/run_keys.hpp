// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/job/config.hpp>
#include <helicity/job/driver.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helicity::job {

/// What every solver's case file says of its run, beside the physics.
struct RunKeys
{
  RunKeys() = default;
  RunKeys(std::string variable, std::string axis, std::int64_t health)
      : image_variable(std::move(variable)), image_axis(std::move(axis)), health_every(health)
  {}

  double end = 0;  ///< time of the end, s; 0: `steps` says
  std::int64_t steps = 0;

  std::string directory = ".", output_name;
  std::int64_t output_every = 0, image_every = 0, series_every = 0;
  std::vector<std::string> variables;
  bool compress = false;
  std::string image_variable, image_axis = "z";
  std::vector<Probe> probes;

  std::int64_t checkpoint_every = 0, checkpoint_keep = 2, health_every = 100;
};

/// Binds time.end, time.steps, output.*, probe, checkpoint.* and health.every.
/// @param variables       names that snapshots know, for the help
/// @param image_variables names that pictures know
HELICITY_EXPORT void bind(Schema& schema, RunKeys& keys, std::string_view variables,
                          std::string_view image_variables);

/// Steps from time.end. @throws UsageError if both are given
HELICITY_EXPORT void resolve(RunKeys& keys, double step_seconds);

/// Sets what does not change the state to its default, for digests.
HELICITY_EXPORT void forget(RunKeys& keys);

/// The plan that the keys ask for.
/// @param title   of snapshots
/// @param toml    text of the configuration, kept in files
/// @param digest  of all that decides the state
HELICITY_EXPORT RunPlan plan_of(const RunKeys& keys, const std::string& title,
                                const std::string& toml, const std::string& digest);

}  // namespace helicity::job
