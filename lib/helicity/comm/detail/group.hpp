// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>

#include <memory>

namespace helicity::comm {

/// What copies of a communicator share.
struct Communicator::Group
{
  int rank = 0, size = 1;
  int node_rank = 0, node_size = 1;
  int node = 0;                ///< lowest rank of this group on this host
  std::shared_ptr<void> comm;  ///< an MPI_Comm of our own, freed with the last owner
  mutable int tags = 0;        ///< handed out so far; the same on every rank
};

}  // namespace helicity::comm
