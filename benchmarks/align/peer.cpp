// SPDX-License-Identifier: Apache-2.0
#include "peer.hpp"

namespace helicity::bench {

std::vector<PeerFactory>& peer_factories()
{
  static std::vector<PeerFactory> factories;
  return factories;
}

}  // namespace helicity::bench
