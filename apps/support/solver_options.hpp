// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/session.hpp>
#include <helicity/core/exec.hpp>

#include <support/options.hpp>

#include <string>

namespace CLI {
class App;
}

namespace helicity::app {

/// What the command line of a solver's `run` says. Case: the solver's configuration.
template <class Case>
struct SolverRunOptions
{
  Case config;       ///< resolved
  std::string toml;  ///< the same as text
  Exec exec;
  comm::SessionOptions session;
  Verbosity verbosity;
  std::string restart, metrics;
  double walltime = 0;
  bool dry_run = false;
};

/// Adds --gpu-aware-mpi and --share-gpu.
void add_session_options(CLI::App& app, std::string& gpu_aware, bool& share_gpu);

/// Reads auto, on or off. @throws UsageError for anything else
comm::TransportRequest parse_gpu_aware(const std::string& text);

/// Reads 90m, 2h, seconds. @throws UsageError naming --walltime
double parse_walltime(const std::string& text);

/// Chooses how halos travel; rank 0 tells it and the table of ranks where there is more than one
/// CPU process.
comm::Transport announce_transport(const comm::Session& session, const Executor& executor,
                                   comm::TransportRequest request);

}  // namespace helicity::app
