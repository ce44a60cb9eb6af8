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

struct NsValidation
{
  bool quick = false;  ///< small grids, seconds
  /// couette, poiseuille, taylor-green-2d, taylor-green-3d, shear-layer, cavity, heated-cavity;
  /// empty: all
  std::vector<std::string> cases;
  std::function<void(const std::string&)> progress;  ///< told what is run next
};

/// Runs the published and the exact cases and holds ours against them. Collective; the same gates
/// on every rank.
/// @throws UsageError for a case that has no gates
/// @see Botella & Peyret (1998), Comput. Fluids 27, 421; de Vahl Davis (1983), Int. J. Numer. Meth.
///   Fluids 3, 249; Minion & Brown (1997), J. Comput. Phys. 138, 734; van Rees et al. (2011), J.
///   Comput. Phys. 230, 2794
HELICITY_EXPORT std::vector<job::Gate> validate_ns(const comm::Communicator& comm,
                                                   const Executor& executor,
                                                   comm::Transport transport,
                                                   const NsValidation& options);

}  // namespace helicity::fluid
