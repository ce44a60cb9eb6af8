// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/session.hpp>

#include <functional>
#include <string_view>

namespace helicity::app {

/// run_app for programs that may run on several MPI ranks. Rank 0 speaks for all: other ranks tell
/// warnings only, with their number. An error that all ranks meet is told once; a rank that fails
/// alone tells "NAME: rank 3: error: ..." and ends the job, so that no rank waits for it. Exit
/// codes as run_app, besides what the body returns.
int run_mpi_app(std::string_view name, int argc, char** argv,
                const std::function<int(comm::Session&)>& body) noexcept;

}  // namespace helicity::app
