// SPDX-License-Identifier: Apache-2.0
#include "storm_options.hpp"

#include <support/solver_run.hpp>

namespace helicity::app {

StormRunOptions parse_storm_run(int argc, char** argv)
{
  return parse_solver_run<weather::StormCase>(
      argc, argv, "Runs a storm. Keys of the case file are options too.",
      "helicity-weather storm run", "helicity-weather storm cases", weather::storm_case);
}

}  // namespace helicity::app
