// SPDX-License-Identifier: Apache-2.0
#pragma once
// The commands that every solver has: run, validate, cases.

#include <helicity/comm/session.hpp>
#include <helicity/core/file_output.hpp>
#include <helicity/core/log.hpp>
#include <helicity/job/driver.hpp>
#include <helicity/job/gates.hpp>

#include <support/app.hpp>
#include <support/solver_options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace helicity::app {

/// Runs what `options` says. `plan(config, comm, split)` gives its costs, `make(config, comm,
/// split, executor, transport)` the solver; make_plan(), decomposition_options() are found beside
/// Case. Returns the exit code.
template <class Case, class Plan, class Make>
int run_solver(comm::Session& session, const SolverRunOptions<Case>& options, Plan&& plan,
               Make&& make)
{
  const Case& config = options.config;
  set_log_level(options.verbosity.level());
  const Executor executor = session.executor(options.exec, options.session);
  const comm::Communicator& world = session.world();
  const comm::Decomposition split({config.cells[0], config.cells[1], config.cells[2]}, world.size(),
                                  decomposition_options(config));
  job::RunPlan run = make_plan(config, options.toml);
  run.checkpoint.restart = options.restart;
  run.walltime_seconds = options.walltime;
  run.metrics_file = options.metrics;
  run.progress = options.verbosity.progress_mode();
  const std::unique_ptr<job::Simulation> planned = plan(config, world, split);
  if (!options.dry_run) job::require_memory(world, executor, planned->cost().memory);
  constexpr std::size_t beyond_caches = std::size_t{64} << 20;
  if (options.dry_run || planned->cost().memory > beyond_caches)
    run.bandwidth = job::measure_bandwidth(world, executor);
  if (options.dry_run) {
    const std::string text = describe_plan(*planned, run, executor);
    if (world.rank() == 0) fmt::print("{}", text);
    return success;
  }
  const comm::Transport transport =
      announce_transport(session, executor, options.session.gpu_aware_mpi);
  const auto model = make(config, world, split, executor, transport);
  return job::run(*model, run);
}

/// Parses and runs `validate`. `validate(comm, executor, transport, validation)` gives the gates.
/// @param cases  names that can be asked for, for the help
template <class Validation, class Validate>
int validate_solver(comm::Session& session, int argc, char** argv, const std::string& program,
                    const std::string& cases, Validate&& validate)
{
  CLI::App app{"Reruns published and exact cases, and holds ours against them.", program};
  set_up(app);
  Validation validation;
  Exec exec;
  comm::SessionOptions session_options;
  Verbosity verbosity;
  std::string json, gpu_aware = "auto";
  app.add_option("cases", validation.cases, cases + "; none: all");
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
  const std::vector<job::Gate> gates = validate(session.world(), executor, transport, validation);
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

/// Parses `cases` and prints names and summaries.
template <class Cases>
int list_cases(int argc, char** argv, const std::string& program, const Cases& cases)
{
  CLI::App app{"Lists the named cases.", program};
  set_up(app);
  parse(app, argc, argv);
  std::size_t width = 0;
  for (const auto& c : cases) width = std::max(width, c.name.size());
  for (const auto& c : cases) fmt::print("{:<{}}  {}\n", c.name, width, c.summary);
  return success;
}

}  // namespace helicity::app
