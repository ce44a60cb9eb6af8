// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/session.hpp>

namespace helicity::test {

/// The session of a test program whose main() is mpi_main.cpp.
const comm::Session& session();

/// Its ranks.
const comm::Communicator& world();

}  // namespace helicity::test
