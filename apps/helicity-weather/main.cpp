// SPDX-License-Identifier: Apache-2.0
// helicity-weather SOLVER COMMAND ...: weather.
#include "sounding.hpp"
#include "storm.hpp"

#include <support/program.hpp>

namespace {

namespace ha = helicity::app;
using helicity::comm::Session;

constexpr std::string_view help =
    "Weather by solvers that run on CPUs and GPUs, one process or many\n"
    "Usage: helicity-weather storm run CASE.toml | --case NAME [OPTIONS]\n"
    "       helicity-weather storm validate [CASE...] [--quick] [--json FILE]\n"
    "       helicity-weather storm cases\n"
    "       helicity-weather sounding FILE | --profile NAME [OPTIONS]\n"
    "       helicity-weather storm COMMAND --help        tells more\n"
    "       helicity-weather --help | --version\n\n"
    "Solvers:\n"
    "  storm   compressible, nonhydrostatic air in a box: split-explicit, on a C grid\n"
    "Soundings:\n"
    "  sounding   numbers of a sounding, its skew-T and hodograph\n";

}  // namespace

int main(int argc, char** argv)
{
  return ha::run_program(
      "helicity-weather", help,
      {{"storm",
        {},
        {{"run", ha::run_storm, {}},
         {"validate", ha::validate_storm, {}},
         {"cases", [](Session&, int n, char** v) { return ha::list_storm_cases(n, v); }, {}}}},
       {"sounding", [](Session&, int n, char** v) { return ha::tell_sounding(n, v); }, {}}},
      argc, argv);
}
