// SPDX-License-Identifier: Apache-2.0
// helicity-weather SOLVER COMMAND ...: weather.
#include "sounding.hpp"
#include "storm.hpp"

#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/core/version.hpp>

#include <support/app.hpp>
#include <support/mpi_app.hpp>

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace {

namespace ha = helicity::app;

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

/// The word at argv[n], which must be one of `known`.
template <std::size_t Count>
std::string_view word(int argc, char** argv, int n, std::string_view what,
                      const std::array<std::string_view, Count>& known)
{
  if (argc <= n)
    throw helicity::UsageError(fmt::format("a {} is missing: {} (try helicity-weather --help)",
                                           what, helicity::join(known, ", ")));
  const std::string_view given = argv[n];
  for (const std::string_view name : known)
    if (name == given) return name;
  throw helicity::UsageError(fmt::format("unknown {} '{}'{}; known: {}", what, given,
                                         helicity::did_you_mean(given, known),
                                         helicity::join(known, ", ")));
}

int dispatch(helicity::comm::Session& session, int argc, char** argv)
{
  constexpr std::array<std::string_view, 2> solvers{"storm", "sounding"};
  constexpr std::array<std::string_view, 3> commands{"run", "validate", "cases"};
  if (word(argc, argv, 1, "solver", solvers) == "sounding")
    return ha::tell_sounding(argc - 1, argv + 1);
  const bool wants_help =
      argc > 2 && (argv[2] == std::string_view("--help") || argv[2] == std::string_view("-h"));
  if (wants_help) {
    fmt::print("{}", help);
    return ha::success;
  }
  const std::string_view command = word(argc, argv, 2, "command", commands);
  if (command == "run") return ha::run_storm(session, argc - 2, argv + 2);
  if (command == "validate") return ha::validate_storm(session, argc - 2, argv + 2);
  return ha::list_storm_cases(argc - 2, argv + 2);
}

}  // namespace

int main(int argc, char** argv)
{
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "-h" || first == "help") {
    fmt::print("{}", help);
    return ha::success;
  }
  if (first == "--version") {
    fmt::print("helicity-weather {}\n", helicity::version());
    return ha::success;
  }
  return ha::run_mpi_app("helicity-weather", argc, argv, [=](helicity::comm::Session& session) {
    return dispatch(session, argc, argv);
  });
}
