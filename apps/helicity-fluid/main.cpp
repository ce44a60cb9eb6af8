// SPDX-License-Identifier: Apache-2.0
// helicity-fluid SOLVER COMMAND ...: flows.
#include "lbm.hpp"
#include "ns.hpp"

#include <support/program.hpp>

namespace {

namespace ha = helicity::app;
using helicity::comm::Session;

constexpr std::string_view help =
    "Flows by solvers that run on CPUs and GPUs, one process or many\n"
    "Usage: helicity-fluid SOLVER run CASE.toml | --case NAME [OPTIONS]\n"
    "       helicity-fluid SOLVER validate [CASE...] [--quick] [--json FILE]\n"
    "       helicity-fluid SOLVER cases\n"
    "       helicity-fluid SOLVER COMMAND --help        tells more\n"
    "       helicity-fluid --help | --version\n\n"
    "Solvers:\n"
    "  lbm   lattice Boltzmann, D2Q9 and D3Q19: weakly compressible flow\n"
    "  ns    incompressible Navier-Stokes on a staggered grid, pressure by FFT (CPUs)\n";

}  // namespace

int main(int argc, char** argv)
{
  return ha::run_program(
      "helicity-fluid", help,
      {{"lbm",
        {},
        {{"run", ha::run_lbm, {}},
         {"validate", ha::validate_lbm, {}},
         {"cases", [](Session&, int n, char** v) { return ha::list_lbm_cases(n, v); }, {}}}},
       {"ns",
        {},
        {{"run", ha::run_ns, {}},
         {"validate", ha::validate_ns, {}},
         {"cases", [](Session&, int n, char** v) { return ha::list_ns_cases(n, v); }, {}}}}},
      argc, argv);
}
