// SPDX-License-Identifier: Apache-2.0
#include "lbm.hpp"

#include "lbm_options.hpp"

#include <helicity/fluid/lbm_case.hpp>
#include <helicity/fluid/lbm_validation.hpp>

#include <support/solver_commands.hpp>

namespace helicity::app {

int run_lbm(comm::Session& session, int argc, char** argv)
{
  return run_solver(
      session, parse_lbm_run(argc, argv), fluid::plan_lbm,
      [](const fluid::LbmCase& config, const comm::Communicator& world,
         const comm::Decomposition& split, const Executor& executor, comm::Transport transport) {
        const auto make =
            config.precision == "double" ? fluid::make_lbm<double> : fluid::make_lbm<float>;
        return make(make_setup(config), make_units(config), world, split, executor, transport);
      });
}

int validate_lbm(comm::Session& session, int argc, char** argv)
{
  return validate_solver<fluid::LbmValidation>(session, argc, argv, "helicity-fluid lbm validate",
                                               "cavity, taylor-green, poiseuille, couette",
                                               fluid::validate_lbm);
}

int list_lbm_cases(int argc, char** argv)
{
  return list_cases(argc, argv, "helicity-fluid lbm cases", fluid::lbm_cases());
}

}  // namespace helicity::app
