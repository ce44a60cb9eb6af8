// SPDX-License-Identifier: Apache-2.0
#include "storm.hpp"

#include "storm_options.hpp"

#include <helicity/weather/storm_case.hpp>
#include <helicity/weather/storm_validation.hpp>

#include <support/solver_commands.hpp>

namespace helicity::app {

int run_storm(comm::Session& session, int argc, char** argv)
{
  return run_solver(
      session, parse_storm_run(argc, argv), weather::plan_storm,
      [](const weather::StormCase& config, const comm::Communicator& world,
         const comm::Decomposition& split, const Executor& executor, comm::Transport transport) {
        const auto make =
            config.precision == "double" ? weather::make_storm<double> : weather::make_storm<float>;
        return make(make_setup(config), world, split, executor, transport);
      });
}

int validate_storm(comm::Session& session, int argc, char** argv)
{
  return validate_solver<weather::StormValidation>(
      session, argc, argv, "helicity-weather storm validate",
      "rest, density-current, bubble-dry, bubble-moist, gravity-wave, mountain-hydrostatic, "
      "mountain-nonhydrostatic, schar, supercell",
      weather::validate_storm);
}

int list_storm_cases(int argc, char** argv)
{
  return list_cases(argc, argv, "helicity-weather storm cases", weather::storm_cases());
}

}  // namespace helicity::app
