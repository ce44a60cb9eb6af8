// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helicity::test {

/// What a program did.
struct ProcessResult
{
  int code = 0;  ///< exit code; 128 + signal if one ended it
  std::string out;
  std::string err;
};

/// Runs a program (path, or name looked up on PATH) with arguments, no shell, and waits for it.
/// @param input        given to its standard input
/// @param environment  "NAME=value" each, added to this process's
ProcessResult run_process(const std::vector<std::string>& command, std::string_view input = {},
                          const std::vector<std::string>& environment = {});

/// The path of a program of this build: HELICITY_BIN_DIR, which CTest sets, then the name.
std::string program(std::string_view name);

}  // namespace helicity::test
