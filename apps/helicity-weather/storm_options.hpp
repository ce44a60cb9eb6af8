// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/session.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/weather/storm_case.hpp>

#include <support/options.hpp>

#include <string>

namespace helicity::app {

/// What the command line of `storm run` says.
struct StormRunOptions
{
  weather::StormCase config;  ///< resolved
  std::string toml;           ///< the same as text
  Exec exec;
  comm::SessionOptions session;
  Verbosity verbosity;
  std::string restart, metrics;
  double walltime = 0;
  bool dry_run = false;
};

/// @throws UsageError, InputError; Exit after --help, --version, --print-config
StormRunOptions parse_storm_run(int argc, char** argv);

/// Adds --gpu-aware-mpi and --share-gpu.
void add_session_options(CLI::App& app, std::string& gpu_aware, bool& share_gpu);

/// Reads auto, on or off. @throws UsageError for anything else
comm::TransportRequest parse_gpu_aware(const std::string& text);

}  // namespace helicity::app
