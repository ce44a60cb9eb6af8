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

namespace helicity::weather {

struct StormValidation
{
  bool quick = false;              ///< coarse grids only, seconds
  std::vector<std::string> cases;  ///< rest, density-current, bubble-dry, bubble-moist,
                                   ///< gravity-wave, mountain-hydrostatic, mountain-nonhydrostatic,
                                   ///< schar, supercell; empty: all
  std::function<void(const std::string&)> progress;  ///< told what is run next
};

/// Runs the published cases and holds ours against them. Collective; the same gates on every rank.
/// @throws UsageError for a case that has no gates
/// @see Straka et al. (1993), Int. J. Numer. Meth. Fluids 17, 1; Bryan & Fritsch (2002), Mon.
///   Weather Rev. 130, 2917; Skamarock & Klemp (1994), Mon. Weather Rev. 122, 2623; Weisman &
///   Klemp (1982), Mon. Weather Rev. 110, 504
HELICITY_EXPORT std::vector<job::Gate> validate_storm(const comm::Communicator& comm,
                                                      const Executor& executor,
                                                      comm::Transport transport,
                                                      const StormValidation& options);

}  // namespace helicity::weather
