// SPDX-License-Identifier: Apache-2.0
// helicity-fluid SOLVER COMMAND ...: flows.
#include "lbm.hpp"

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
    "Flows by solvers that run on CPUs and GPUs, one process or many\n"
    "Usage: helicity-fluid lbm run CASE.toml | --case NAME [OPTIONS]\n"
    "       helicity-fluid lbm validate [CASE...] [--quick] [--json FILE]\n"
    "       helicity-fluid lbm cases\n"
    "       helicity-fluid lbm COMMAND --help        tells more\n"
    "       helicity-fluid --help | --version\n\n"
    "Solvers:\n"
    "  lbm   lattice Boltzmann, D2Q9 and D3Q19: weakly compressible flow\n";

/// The word at argv[n], which must be one of `known`.
template <std::size_t Count>
std::string_view word(int argc, char** argv, int n, std::string_view what,
                      const std::array<std::string_view, Count>& known)
{
  if (argc <= n)
    throw helicity::UsageError(fmt::format("a {} is missing: {} (try helicity-fluid --help)", what,
                                           helicity::join(known, ", ")));
  const std::string_view given = argv[n];
  for (const std::string_view name : known)
    if (name == given) return name;
  throw helicity::UsageError(fmt::format("unknown {} '{}'{}; known: {}", what, given,
                                         helicity::did_you_mean(given, known),
                                         helicity::join(known, ", ")));
}

int dispatch(helicity::comm::Session& session, int argc, char** argv)
{
  constexpr std::array<std::string_view, 1> solvers{"lbm"};
  constexpr std::array<std::string_view, 3> commands{"run", "validate", "cases"};
  word(argc, argv, 1, "solver", solvers);
  const bool wants_help =
      argc > 2 && (argv[2] == std::string_view("--help") || argv[2] == std::string_view("-h"));
  if (wants_help) {
    fmt::print("{}", help);
    return ha::success;
  }
  const std::string_view command = word(argc, argv, 2, "command", commands);
  if (command == "run") return ha::run_lbm(session, argc - 2, argv + 2);
  if (command == "validate") return ha::validate_lbm(session, argc - 2, argv + 2);
  return ha::list_lbm_cases(argc - 2, argv + 2);
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
    fmt::print("helicity-fluid {}\n", helicity::version());
    return ha::success;
  }
  return ha::run_mpi_app("helicity-fluid", argc, argv, [=](helicity::comm::Session& session) {
    return dispatch(session, argc, argv);
  });
}
