// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/core/version.hpp>

#include <support/app.hpp>
#include <support/mpi_app.hpp>
#include <support/program.hpp>

#include <fmt/format.h>

namespace helicity::app {
namespace {

bool asks_for_help(std::string_view word) { return word == "--help" || word == "-h"; }

/// The word at argv[n], which must be one of `words`. @param what  it is: a solver, a command
const Word& word_at(const std::string& program, const std::vector<Word>& words, int argc,
                    char** argv, int n)
{
  std::vector<std::string_view> known;
  for (const Word& word : words) known.push_back(word.name);
  const std::string_view what = n == 1 ? "solver" : "command";
  if (argc <= n)
    throw UsageError(
        fmt::format("a {} is missing: {} (try {} --help)", what, join(known, ", "), program));
  for (const Word& word : words)
    if (word.name == argv[n]) return word;
  throw UsageError(fmt::format("unknown {} '{}'{}; known: {}", what, argv[n],
                               did_you_mean(argv[n], known), join(known, ", ")));
}

int dispatch(comm::Session& session, const std::string& program, std::string_view help,
             const std::vector<Word>& first, int argc, char** argv)
{
  const std::vector<Word>* words = &first;
  for (int n = 1;; ++n) {
    if (n > 1 && n < argc && asks_for_help(argv[n])) {
      fmt::print("{}", help);
      return success;
    }
    const Word& word = word_at(program, *words, argc, argv, n);
    if (word.run) return word.run(session, argc - n, argv + n);
    words = &word.words;
  }
}

}  // namespace

int run_program(const std::string& program, std::string_view help, const std::vector<Word>& words,
                int argc, char** argv)
{
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (asks_for_help(first) || first == "help") {
    fmt::print("{}", help);
    return success;
  }
  if (first == "--version") {
    fmt::print("{} {}\n", program, version());
    return success;
  }
  return run_mpi_app(program, argc, argv, [&](comm::Session& session) {
    return dispatch(session, program, help, words, argc, argv);
  });
}

}  // namespace helicity::app
