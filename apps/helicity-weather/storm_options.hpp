// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/storm_case.hpp>

#include <support/solver_options.hpp>

namespace helicity::app {

using StormRunOptions = SolverRunOptions<weather::StormCase>;

/// @throws UsageError, InputError; Exit after --help, --version, --print-config
StormRunOptions parse_storm_run(int argc, char** argv);

}  // namespace helicity::app
