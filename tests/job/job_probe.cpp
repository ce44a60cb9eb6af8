// SPDX-License-Identifier: Apache-2.0
// A program of the kind that run_mpi_app serves: job_probe WHAT, as the tests want it.
#include <helicity/core/error.hpp>
#include <helicity/core/log.hpp>

#include "toy.hpp"

#include <comm/mpi_main.hpp>
#include <support/app.hpp>
#include <support/mpi_app.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

namespace helicity::test {
namespace {

const comm::Session* the_session = nullptr;

}  // namespace

const comm::Session& session() { return *the_session; }
const comm::Communicator& world() { return the_session->world(); }

}  // namespace helicity::test

namespace {

using namespace helicity;

/// 1500 steps that write into `folder`, from the latest state there if there is one.
int run_toy(const std::string& folder, double sleep_seconds)
{
  test::Toy toy({.sleep_seconds = sleep_seconds});
  job::RunPlan plan;
  plan.steps = 1500;
  plan.output.directory = folder;
  plan.output.name = "toy";
  plan.checkpoint.restart = std::filesystem::is_empty(folder) ? "" : "latest";
  plan.metrics_file = folder + "/metrics.json";
  return job::run(toy, plan);
}

int body(comm::Session& session, const std::string& what)
{
  test::the_session = &session;
  const auto& world = session.world();
  const bool last = world.rank() == world.size() - 1;
  log(LogKind::info, "starting");
  if (what.starts_with("slow=")) return run_toy(what.substr(5), 0.002);
  if (what.starts_with("fast=")) return run_toy(what.substr(5), 0);
  if (what == "usage") throw UsageError("no such thing");
  if (what == "fault") throw RuntimeFault("disk full");
  if (what == "help") throw app::Exit{app::success};
  if (what == "alone" && last) throw RuntimeFault("lost my disk");
  if (what == "warn" && last) log(LogKind::warning, "odd");
  world.barrier();
  if (world.rank() == 0) std::printf("%d ranks\n", world.size());
  return what == "requeue" ? 75 : 0;
}

}  // namespace

int main(int argc, char** argv)
{
  const std::string what = argc > 1 ? argv[1] : "";
  return helicity::app::run_mpi_app("probe", argc, argv,
                                    [&](comm::Session& session) { return body(session, what); });
}
