// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace helicity::app {

/// Exit codes of every program.
enum ExitCode : int { success = 0, failure = 1, misuse = 2 };

/// Thrown to end a program with a code and nothing more to say (after --help, for instance).
struct Exit
{
  int code = success;
};

/// Runs the body of a program: sends the library's messages to stderr as "NAME: ...", applies
/// HELICITY_ISA, catches once, and returns the exit code: the body's own, `misuse` after a
/// UsageError, `failure` after any other exception, told as "NAME: error: ...".
int run_app(std::string_view name, const std::function<int()>& body) noexcept;

/// Tells the exception that is being handled as "NAME: error: ..."; returns its exit code.
/// @pre  called within a catch
int tell_exception(std::string_view name) noexcept;

/// Flushes stdout at the end; output that the system refuses only now makes a success a failure.
int flush_stdout(std::string_view name, int code) noexcept;

}  // namespace helicity::app
