// SPDX-License-Identifier: Apache-2.0
#include "ns.hpp"

#include "ns_options.hpp"

#include <helicity/fluid/ns_case.hpp>
#include <helicity/fluid/ns_validation.hpp>

#include <support/solver_commands.hpp>

namespace helicity::app {

int run_ns(comm::Session& session, int argc, char** argv)
{
  return run_solver(
      session, parse_ns_run(argc, argv), fluid::plan_ns,
      [](const fluid::NsCase& config, const comm::Communicator& world,
         const comm::Decomposition& split, const Executor& executor, comm::Transport transport) {
        const auto make =
            config.precision == "double" ? fluid::make_ns<double> : fluid::make_ns<float>;
        return make(make_setup(config), world, split, executor, transport);
      });
}

int validate_ns(comm::Session& session, int argc, char** argv)
{
  return validate_solver<fluid::NsValidation>(
      session, argc, argv, "helicity-fluid ns validate",
      "couette, poiseuille, taylor-green-2d, taylor-green-3d, shear-layer, cavity, heated-cavity",
      fluid::validate_ns);
}

int list_ns_cases(int argc, char** argv)
{
  return list_cases(argc, argv, "helicity-fluid ns cases", fluid::ns_cases());
}

}  // namespace helicity::app
