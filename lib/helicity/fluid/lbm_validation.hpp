// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/transport.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/job/gates.hpp>

#include <functional>
#include <string>
#include <vector>

namespace helicity::fluid {

struct LbmValidation
{
  bool quick = false;              ///< small grids, seconds
  std::vector<std::string> cases;  ///< cavity, taylor-green, poiseuille, couette; empty: all
  std::function<void(const std::string&)> progress;  ///< told what is run next
};

/// Runs the published and the exact cases and holds ours against them. Collective; the same gates
/// on every rank.
/// @throws UsageError for a case that has no gates
/// @see Ghia, Ghia & Shin (1982), J. Comput. Phys. 48; Botella & Peyret (1998), Comput. Fluids 27
HELICITY_EXPORT std::vector<job::Gate> validate_lbm(const comm::Communicator& comm,
                                                    const Executor& executor,
                                                    comm::Transport transport,
                                                    const LbmValidation& options);

}  // namespace helicity::fluid
