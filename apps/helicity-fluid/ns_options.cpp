// SPDX-License-Identifier: Apache-2.0
#include "ns_options.hpp"

#include <support/solver_run.hpp>

namespace helicity::app {

NsRunOptions parse_ns_run(int argc, char** argv)
{
  return parse_solver_run<fluid::NsCase>(
      argc, argv, "Runs an incompressible flow. Keys of the case file are options too.",
      "helicity-fluid ns run", "helicity-fluid ns cases", fluid::ns_case);
}

}  // namespace helicity::app
