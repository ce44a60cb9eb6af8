// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>

namespace helicity::comm::detail {

/// What the room itself may ask of a communicator.
struct Access
{
  /// Lowest rank of the group on this rank's host: names the host.
  static int node(const Communicator& comm);

  /// A tag for messages, another one at each call. Collective without communication.
  static int next_tag(const Communicator& comm);
};

}  // namespace helicity::comm::detail
