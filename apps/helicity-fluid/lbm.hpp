// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/session.hpp>

namespace helicity::app {

/// helicity-fluid lbm run: argv[0] is "run". Returns the exit code.
int run_lbm(comm::Session& session, int argc, char** argv);

/// helicity-fluid lbm validate
int validate_lbm(comm::Session& session, int argc, char** argv);

/// helicity-fluid lbm cases
int list_lbm_cases(int argc, char** argv);

}  // namespace helicity::app
