// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/session.hpp>

namespace helicity::app {

/// helicity-weather storm run: argv[0] is "run". Returns the exit code.
int run_storm(comm::Session& session, int argc, char** argv);

/// helicity-weather storm validate
int validate_storm(comm::Session& session, int argc, char** argv);

/// helicity-weather storm cases
int list_storm_cases(int argc, char** argv);

}  // namespace helicity::app
