// SPDX-License-Identifier: Apache-2.0
#include "storm.hpp"

#include "storm_options.hpp"

#include <helicity/core/error.hpp>
#include <helicity/core/file_output.hpp>
#include <helicity/core/log.hpp>
#include <helicity/job/driver.hpp>
#include <helicity/job/gates.hpp>
#include <helicity/weather/storm_case.hpp>
#include <helicity/weather/storm_validation.hpp>

#include <support/app.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace helicity::app {
namespace {

std::unique_ptr<weather::StormModel> make_model(const weather::StormCase& config,
                                                const comm::Session& session,
                                                const comm::Decomposition& split,
                                                const Executor& executor, comm::Transport transport)
{
  const auto make =
      config.precision == "double" ? weather::make_storm<double> : weather::make_storm<float>;
  return make(make_setup(config), session.world(), split, executor, transport);
}

}  // namespace

int run_storm(comm::Session& session, int argc, char** argv)
{
  const StormRunOptions options = parse_storm_run(argc, argv);
  const weather::StormCase& config = options.config;
  set_log_level(options.verbosity.level());

  const Executor executor = session.executor(options.exec, options.session);
  const comm::Decomposition split({config.cells[0], config.cells[1], config.cells[2]},
                                  session.world().size(), decomposition_options(config));
  job::RunPlan plan = make_plan(config, options.toml);
  plan.checkpoint.restart = options.restart;
  plan.walltime_seconds = options.walltime;
  plan.metrics_file = options.metrics;
  plan.progress = options.verbosity.progress_mode();
  const auto planned = weather::plan_storm(config, session.world(), split);
  if (!options.dry_run) job::require_memory(session.world(), executor, planned->cost().memory);
  constexpr std::size_t beyond_caches = std::size_t{64} << 20;
  if (options.dry_run || planned->cost().memory > beyond_caches)
    plan.bandwidth = job::measure_bandwidth(session.world(), executor);
  if (options.dry_run) {
    const std::string text = describe_plan(*planned, plan, executor);
    if (session.world().rank() == 0) fmt::print("{}", text);
    return success;
  }
  const comm::Transport transport =
      announce_transport(session, executor, options.session.gpu_aware_mpi);
  const auto model = make_model(config, session, split, executor, transport);
  return job::run(*model, plan);
}

int validate_storm(comm::Session& session, int argc, char** argv)
{
  CLI::App app{"Reruns published and exact cases, and holds ours against them.",
               "helicity-weather storm validate"};
  set_up(app);
  weather::StormValidation validation;
  Exec exec;
  comm::SessionOptions session_options;
  Verbosity verbosity;
  std::string json, gpu_aware = "auto";
  app.add_option("cases", validation.cases,
                 "rest, density-current, bubble-dry, gravity-wave, mountain-hydrostatic, "
                 "mountain-nonhydrostatic, schar; none: all");
  app.add_flag("--quick", validation.quick, "Coarse grids: seconds instead of minutes");
  app.add_option("--json", json, "Write the gates to this file");
  add_session_options(app, gpu_aware, session_options.share_gpu);
  add_exec_options(app, exec);
  add_verbosity_options(app, verbosity);
  parse(app, argc, argv);
  set_log_level(verbosity.level());

  const Executor executor = session.executor(exec, session_options);
  const comm::Transport transport =
      announce_transport(session, executor, parse_gpu_aware(gpu_aware));
  validation.progress = [](const std::string& what) { log(LogKind::info, what); };
  const auto gates = weather::validate_storm(session.world(), executor, transport, validation);
  if (session.world().rank() == 0) {
    fmt::print("{}", job::table(gates));
    if (!json.empty()) {
      FileOutput file(json);
      file.write(job::to_json(gates));
      file.commit();
    }
  }
  return job::all_pass(gates) ? success : failure;
}

int list_storm_cases(int argc, char** argv)
{
  CLI::App app{"Lists the named cases.", "helicity-weather storm cases"};
  set_up(app);
  parse(app, argc, argv);
  for (const weather::StormNamedCase& c : weather::storm_cases())
    fmt::print("{:<16} {}\n", c.name, c.summary);
  return success;
}

}  // namespace helicity::app
