// SPDX-License-Identifier: Apache-2.0
#include "storm_options.hpp"

#include <helicity/core/error.hpp>
#include <helicity/job/config.hpp>

#include <support/app.hpp>
#include <support/schema_options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <utility>

namespace helicity::app {
namespace {

/// The case that a file starts from: its key `case`.
std::string case_in_file(const std::string& file)
{
  weather::StormCase config;
  job::Schema schema;
  bind(schema, config);
  schema.load(file);
  return config.name;
}

std::string as_toml(weather::StormCase config, bool comments)
{
  job::Schema schema;
  bind(schema, config);
  return schema.print(comments);
}

double read_walltime(const std::string& text)
{
  try {
    return job::parse_quantity(text, job::Unit::seconds);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--walltime: {}", error.what()));
  }
}

}  // namespace

void add_session_options(CLI::App& app, std::string& gpu_aware, bool& share_gpu)
{
  app.add_option("--gpu-aware-mpi", gpu_aware,
                 "Hand device memory to MPI: auto (if a trial works), on, off")
      ->capture_default_str();
  app.add_flag("--share-gpu", share_gpu, "Let several ranks use one GPU");
}

comm::TransportRequest parse_gpu_aware(const std::string& text)
{
  if (text == "auto") return comm::TransportRequest::automatic;
  if (text == "on") return comm::TransportRequest::on;
  if (text == "off") return comm::TransportRequest::off;
  throw UsageError(fmt::format("--gpu-aware-mpi is auto, on or off, not '{}'", text));
}

StormRunOptions parse_storm_run(int argc, char** argv)
{
  StormRunOptions options;
  std::string file, name, walltime, gpu_aware = "auto";
  CLI::App app{"Runs a storm. Keys of the case file are options too.",
               "helicity-weather storm run"};
  set_up(app);
  app.add_option("file", file, "Case file, TOML");
  app.add_option("--case", name, "Named case to start from (helicity-weather storm cases)");
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
  options.config = weather::storm_case(file.empty() ? name : case_in_file(file));
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
  if (!walltime.empty()) options.walltime = read_walltime(walltime);
  return options;
}

}  // namespace helicity::app
