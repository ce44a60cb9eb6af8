// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/session.hpp>

namespace helicity::app {

/// helicity-fluid ns run: argv[0] is "run". Returns the exit code.
int run_ns(comm::Session& session, int argc, char** argv);

/// helicity-fluid ns validate
int validate_ns(comm::Session& session, int argc, char** argv);

/// helicity-fluid ns cases
int list_ns_cases(int argc, char** argv);

}  // namespace helicity::app
