// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/core/exec.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace helicity::job::detail {

/// A host or device, and what the ranks there need of its memory.
struct MemoryPlace
{
  std::string name;  ///< "host node1", "CUDA device 0000:3b:00.0 of host node1"
  int ranks = 0;
  std::size_t needed = 0;
  std::size_t available = 0;  ///< 0: unknown
};

/// All places of a job, the same on every rank. Collective.
std::vector<MemoryPlace> memory_places(const comm::Communicator& comm, const Executor& executor,
                                       std::size_t bytes);

}  // namespace helicity::job::detail
