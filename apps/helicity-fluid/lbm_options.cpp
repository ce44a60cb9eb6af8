// SPDX-License-Identifier: Apache-2.0
#include "lbm_options.hpp"

#include <support/solver_run.hpp>

namespace helicity::app {

LbmRunOptions parse_lbm_run(int argc, char** argv)
{
  return parse_solver_run<fluid::LbmCase>(
      argc, argv, "Runs a lattice Boltzmann flow. Keys of the case file are options too.",
      "helicity-fluid lbm run", "helicity-fluid lbm cases", fluid::lbm_case);
}

}  // namespace helicity::app
