// SPDX-License-Identifier: Apache-2.0
#pragma once
// For the one source of each solver's program that parses `run`: CLI11 is dear to compile.

#include <helicity/core/error.hpp>
#include <helicity/job/config.hpp>

#include <support/app.hpp>
#include <support/schema_options.hpp>
#include <support/solver_options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <string>
#include <string_view>

namespace helicity::app {

/// The case that a file starts from: its key `case`.
template <class Case>
std::string case_in_file(const std::string& file)
{
  Case config;
  job::Schema schema;
  bind(schema, config);
  schema.load(file);
  return config.name;
}

template <class Case>
std::string as_toml(Case config, bool comments)
{
  job::Schema schema;
  bind(schema, config);
  return schema.print(comments);
}

/// Parses `run`. `make` gives a named case; `what` and `program` are for --help, `cases` names the
/// command that lists them. bind(), resolve() are found beside Case.
/// @throws UsageError, InputError; Exit after --help, --version, --print-config
template <class Case>
SolverRunOptions<Case> parse_solver_run(int argc, char** argv, const std::string& what,
                                        const std::string& program, const std::string& cases,
                                        Case (*make)(std::string_view))
{
  SolverRunOptions<Case> options;
  std::string file, name, walltime, gpu_aware = "auto";
  CLI::App app{what, program};
  set_up(app);
  app.add_option("file", file, "Case file, TOML");
  app.add_option("--case", name, "Named case to start from (" + cases + ")");
  app.add_option(
      "--restart", options.restart,
      "State to go on from: a file, latest, or auto (latest, or the start if there is none)");
  app.add_option("--walltime", walltime,
                 "Checkpoint and exit 75 before so much time has passed: 90m, 2h");
  app.add_flag("--dry-run", options.dry_run,
               "Tell memory, traffic, limits and duration; run nothing");
  app.add_option("--metrics", options.metrics, "Write figures of the run to this JSON file");
  add_session_options(app, gpu_aware, options.session.share_gpu);
  add_exec_options(app, options.exec);
  add_verbosity_options(app, options.verbosity);
  job::Schema schema;
  bind(schema, options.config);
  SchemaOptions keys(app, schema);
  parse(app, argc, argv);

  if (file.empty() == name.empty())
    throw UsageError("give a case file or --case NAME (and not both)");
  options.config = make(file.empty() ? name : case_in_file<Case>(file));
  if (!file.empty()) schema.load(file);
  const std::string started_from = options.config.name;
  keys.set_keys();
  if (options.config.name != started_from)
    throw UsageError("--set case: the case is chosen by --case NAME or by the file's key 'case'");
  resolve(options.config);
  if (keys.print_config()) {
    fmt::print("{}", as_toml(options.config, true));
    throw Exit{};
  }
  if (options.config.steps == 0)
    throw UsageError("time.end or time.steps must say when a run ends");
  options.toml = as_toml(options.config, false);
  options.session.gpu_aware_mpi = parse_gpu_aware(gpu_aware);
  if (!walltime.empty()) options.walltime = parse_walltime(walltime);
  return options;
}

}  // namespace helicity::app
