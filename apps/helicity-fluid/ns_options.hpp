// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fluid/ns_case.hpp>

#include <support/solver_options.hpp>

namespace helicity::app {

using NsRunOptions = SolverRunOptions<fluid::NsCase>;

NsRunOptions parse_ns_run(int argc, char** argv);

}  // namespace helicity::app
