// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fluid/lbm_case.hpp>

#include <support/solver_options.hpp>

namespace helicity::app {

using LbmRunOptions = SolverRunOptions<fluid::LbmCase>;

/// @throws UsageError, InputError; Exit after --help, --version, --print-config
LbmRunOptions parse_lbm_run(int argc, char** argv);

}  // namespace helicity::app
