// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace helicity::bench {

/// A storm that a peer computed.
struct PeerStorm
{
  double cpu_seconds = 0;     ///< of the whole program, user and system
  std::vector<double> theta;  ///< theta' at the end, i fastest
};

/// Programs of other models below a prefix that scripts/install_peers.sh filled.
class StormPeers
{
 public:
  explicit StormPeers(std::filesystem::path prefix) : prefix_(std::move(prefix)) {}

  /// CM1 r21.1: its namelist of a supercell with other values for the keys given. Writes theta'
  /// only.
  /// @throws UsageError naming what is missing; RuntimeFault if the program fails
  PeerStorm run_cm1(Index3 cells, double end,
                    const std::vector<std::pair<std::string, std::string>>& keys) const;

  /// miniWeather, C with MPI: thermal, 400 x 200 cells, 400 s.
  /// @throws as run_cm1
  PeerStorm run_miniweather() const;

 private:
  std::filesystem::path find(const std::string& name) const;

  std::filesystem::path prefix_;
};

}  // namespace helicity::bench
