// SPDX-License-Identifier: Apache-2.0
// helicity <verb> ...: runs helicity-<verb> in place of itself.
#include "verbs.hpp"

#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/core/version.hpp>

#include <support/app.hpp>

#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace {

namespace ha = helicity::app;

void print_help()
{
  fmt::print(
      "Genomics and simulation on CPUs and GPUs\n"
      "Usage: helicity VERB [ARGUMENTS...]     runs helicity-VERB\n"
      "       helicity VERB --help             tells more\n"
      "       helicity --help | --version\n\n"
      "Verbs:\n");
  for (const auto& verb : ha::find_verbs())
    fmt::print("  {:<12} {}\n", verb.name, ha::describe_verb(verb.name));
}

[[noreturn]] void run_verb(std::string_view name, char** argv)
{
  std::vector<std::string_view> names;
  const auto verbs = ha::find_verbs();
  for (const auto& verb : verbs) {
    names.push_back(verb.name);
    if (verb.name != name) continue;
    execv(verb.path.c_str(), argv);
    throw helicity::RuntimeFault(fmt::format("cannot run {}: {}", verb.path, std::strerror(errno)));
  }
  throw helicity::UsageError(fmt::format("unknown verb '{}'{} (try helicity --help)", name,
                                         helicity::did_you_mean(name, names)));
}

int run(int argc, char** argv)
{
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "-h" || first == "help") {
    print_help();
    return ha::success;
  }
  if (first == "--version") {
    fmt::print("helicity {}\n", helicity::version());
    return ha::success;
  }
  if (first.empty()) throw helicity::UsageError("a verb is missing (try helicity --help)");
  run_verb(first, argv + 1);
}

}  // namespace

int main(int argc, char** argv)
{
  return ha::run_app("helicity", [=] { return run(argc, argv); });
}
