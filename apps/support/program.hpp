// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/session.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::app {

/// A word of a command line: it runs, with argv[0] the word itself, or others follow it.
struct Word
{
  std::string_view name;
  std::function<int(comm::Session&, int argc, char** argv)> run;
  std::vector<Word> words;
};

/// main() of a program whose command lines begin with words: --help, -h, help and --version, and
/// --help after words that others follow, are answered with `help`; unknown words with the nearest.
/// Returns the exit code.
int run_program(const std::string& program, std::string_view help, const std::vector<Word>& words,
                int argc, char** argv);

}  // namespace helicity::app
