// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/log.hpp>
#include <helicity/core/progress.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace helicity::app {

/// What -q, -v and --progress say.
struct Verbosity
{
  bool quiet = false;
  bool verbose = false;
  bool progress = false;

  LogLevel level() const noexcept;
  ProgressMode progress_mode() const noexcept;
};

/// Call first: --help shows defaults, --version, and options may stand anywhere.
void set_up(CLI::App& app);

/// Adds -t/--threads, --device and --memory, or HELICITY_THREADS, HELICITY_DEVICE, HELICITY_MEMORY
/// from the environment; a flag wins.
void add_exec_options(CLI::App& app, Exec& exec);

/// Adds -q/--quiet, -v/--verbose and --progress.
void add_verbosity_options(CLI::App& app, Verbosity& verbosity);

/// Adds an option whose value is a size in bytes, such as 4GiB.
CLI::Option* add_bytes_option(CLI::App& app, const std::string& name, std::size_t& bytes,
                              const std::string& help);

/// Parses the command line.
/// @throws UsageError for a wrong one, naming the option that a typing mistake may have meant;
///         Exit after --help or --version, which it prints
void parse(CLI::App& app, int argc, const char* const* argv);

/// Reads "auto", "cpu", "cuda" or "cuda:N" into `exec`. @throws UsageError for anything else
void parse_device(std::string_view text, Exec& exec);

}  // namespace helicity::app
