// SPDX-License-Identifier: Apache-2.0
// Checkpoints, restarts, signals and the wall time.
#include <helicity/core/error.hpp>

#include "sample.hpp"
#include "toy.hpp"

#include <comm/mpi_main.hpp>
#include <support/temporary.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace helicity::job {
namespace {

using test::files_in;
using test::LogCapture;
using test::message_of;
using test::SharedFolder;
using test::Toy;
using test::toy_plan;
using test::undisturbed_hash;
using test::world;

/// A run of so many steps that leaves states every 10 steps.
void run_with_states(const SharedFolder& folder, std::int64_t steps, int keep = 2)
{
  Toy toy;
  RunPlan plan = toy_plan(folder, steps);
  plan.checkpoint.steps = {10};
  plan.checkpoint.keep = keep;
  ASSERT_EQ(run(toy, plan), 0);
}

RunPlan restart_plan(const SharedFolder& folder, std::int64_t steps, const std::string& restart)
{
  RunPlan plan = toy_plan(folder, steps);
  plan.checkpoint.restart = restart;
  return plan;
}

void damage(const std::string& path, std::size_t cut)
{
  if (world().rank() == 0) {
    std::string bytes = test::read_file(path);
    bytes.resize(bytes.size() - cut);
    if (cut == 0)
      for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 64; ++i) bytes[i] ^= 0x55;
    test::write_file(path, bytes);
  }
  world().barrier();
}

TEST(Restart, TwiceTIsTAndT)
{
  const SharedFolder folder;
  run_with_states(folder, 35);
  Toy toy;
  EXPECT_EQ(run(toy, restart_plan(folder, 70, "latest")), 0);
  EXPECT_EQ(toy.clock().step, 70);
  EXPECT_EQ(toy.state_hash(), undisturbed_hash(70));
  std::int64_t steps = 0;
  for (const auto n : toy.bursts) steps += n;
  EXPECT_EQ(steps, 35);
}

TEST(Restart, AutoStartsWhereThereIsNoState)
{
  const SharedFolder folder;
  Toy first;
  RunPlan plan = restart_plan(folder, 35, "auto");
  plan.checkpoint.steps = {10};
  EXPECT_EQ(run(first, plan), 0);
  Toy second;
  EXPECT_EQ(run(second, restart_plan(folder, 70, "auto")), 0);
  EXPECT_EQ(second.state_hash(), undisturbed_hash(70));
  std::int64_t steps = 0;
  for (const auto n : second.bursts) steps += n;
  EXPECT_EQ(steps, 35);
}

TEST(Restart, FromANamedFile)
{
  const SharedFolder folder;
  const LogCapture log;
  run_with_states(folder, 30);
  Toy toy;
  EXPECT_EQ(run(toy, restart_plan(folder, 40, folder / "toy_restart_000000020.h5")), 0);
  EXPECT_EQ(toy.state_hash(), undisturbed_hash(40));
  if (world().rank() == 0) {
    EXPECT_TRUE(log.has("resumed from " + (folder / "toy_restart_000000020.h5") + " at step 20\n"));
  }
}

TEST(Restart, KeepsTheLastStates)
{
  const SharedFolder folder;
  run_with_states(folder, 55, 3);
  EXPECT_EQ(files_in(folder.path()),
            (std::vector<std::string>{"toy_restart_000000040.h5", "toy_restart_000000050.h5",
                                      "toy_restart_000000055.h5"}));
  Toy toy;
  RunPlan plan = restart_plan(folder, 60, "latest");
  plan.checkpoint.steps = {10};
  plan.checkpoint.keep = 1;
  EXPECT_EQ(run(toy, plan), 0);
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"toy_restart_000000060.h5"});
}

TEST(Restart, WarnsOfStatesOfAFormerRun)
{
  const SharedFolder folder;
  run_with_states(folder, 30);
  const LogCapture log;
  run_with_states(folder, 30);
  if (world().rank() == 0) {
    EXPECT_TRUE(log.has("warning: " + (folder / "toy_restart_000000030.h5") +
                        " is of a former run, and --restart latest would find it"))
        << log.text();
  }
}

TEST(Restart, PassesOverDamagedStates)
{
  const SharedFolder folder;
  run_with_states(folder, 40, 4);
  damage(folder / "toy_restart_000000040.h5", 100);
  damage(folder / "toy_restart_000000030.h5", 0);
  const LogCapture log;
  const std::string found = latest_restart(folder.path(), "toy", world(), Toy().decomposition());
  EXPECT_EQ(found, folder / "toy_restart_000000020.h5");
  Toy toy;
  EXPECT_EQ(run(toy, restart_plan(folder, 50, "latest")), 0);
  EXPECT_EQ(toy.state_hash(), undisturbed_hash(50));
  if (world().rank() == 0) {
    EXPECT_TRUE(log.has("warning: a state cannot be resumed from: "));
    EXPECT_TRUE(log.has(folder / "toy_restart_000000040.h5"));
    EXPECT_TRUE(log.has(folder / "toy_restart_000000030.h5"));
  }
}

TEST(Restart, FromNothingIsAnError)
{
  const SharedFolder folder;
  Toy toy;
  EXPECT_EQ(message_of([&] { run(toy, restart_plan(folder, 50, "latest")); }),
            "there is no state " + (folder / "toy_restart_*.h5") + " to resume from");
  EXPECT_THROW(run(toy, restart_plan(folder, 50, folder / "none.h5")), InputError);
  run_with_states(folder, 10);
  damage(folder / "toy_restart_000000010.h5", 100);
  EXPECT_THROW(run(toy, restart_plan(folder, 50, "latest")), UsageError);
  EXPECT_THROW(run(toy, restart_plan(folder, 50, folder / "toy_restart_000000010.h5")), UsageError);
}

TEST(Restart, OfAnotherConfigurationIsRefused)
{
  const SharedFolder folder;
  run_with_states(folder, 20);
  Toy toy;
  RunPlan plan = restart_plan(folder, 50, "latest");
  plan.checkpoint.configuration_digest = "another";
  plan.output.snapshot.attributes["configuration"] =
      std::string("[toy]\ngrowth = 3.8\n[output]\nname = 'x'\n[run]\nsteps = 5\n");
  EXPECT_EQ(message_of([&] { run(toy, plan); }),
            (folder / "toy_restart_000000020.h5") +
                " is the state of another configuration: toy.growth is 3.9 there, 3.8 here");
  EXPECT_THROW(run(toy, plan), UsageError);
  plan.checkpoint.configuration_digest = "digest of the toy";
  EXPECT_EQ(run(toy, plan), 0) << "the digest decides, not the text";
}

TEST(Restart, OfAnotherGridIsRefused)
{
  const SharedFolder folder;
  run_with_states(folder, 20);
  Toy toy({.cells = {12, 8, 7}});
  EXPECT_THROW(run(toy, restart_plan(folder, 50, "latest")), UsageError);
}

TEST(Restart, BeyondTheLastStep)
{
  const SharedFolder folder;
  run_with_states(folder, 20);
  const LogCapture log;
  Toy toy;
  EXPECT_EQ(run(toy, restart_plan(folder, 20, "latest")), 0);
  EXPECT_TRUE(toy.bursts.empty());
  if (world().rank() == 0) {
    EXPECT_TRUE(log.has("step 20 of 20 is reached already: nothing to do\n"));
  }
}

/// Runs until some step, where one rank gets a signal; returns the exit code.
int run_until_signal(const SharedFolder& folder, Toy& toy, std::int64_t steps, int signal)
{
  RunPlan plan = toy_plan(folder, steps);
  plan.after_step = [&](const Simulation& s) {
    if (s.clock().step >= 10 && world().rank() == world().size() - 1 && signal != 0) {
      std::raise(signal);
      signal = 0;
    }
  };
  return run(toy, plan);
}

TEST(Signals, CheckpointAndResume)
{
  for (const int signal : {SIGTERM, SIGUSR1, SIGINT}) {
    const SharedFolder folder;
    const LogCapture log;
    Toy toy({.sleep_seconds = 0.002});
    const int code = signal == SIGINT ? interrupted : requeue;
    EXPECT_EQ(run_until_signal(folder, toy, 200, signal), code);
    const std::int64_t step = toy.clock().step;
    EXPECT_GE(step, 10);
    EXPECT_LT(step, 100);
    EXPECT_EQ(world().max(step), step);
    const auto files = files_in(folder.path());
    ASSERT_EQ(files.size(), 1U);
    if (world().rank() == 0) {
      EXPECT_TRUE(log.has("checkpoint " + (folder / files[0]) + " written at step " +
                          std::to_string(step) + "; resume with --restart latest (exit " +
                          std::to_string(code) + ")\n"))
          << log.text();
    }
    Toy again;
    EXPECT_EQ(run(again, restart_plan(folder, 200, "latest")), 0);
    EXPECT_EQ(again.state_hash(), undisturbed_hash(200));
  }
}

TEST(Signals, HandlersAreRestored)
{
  const auto before = std::signal(SIGTERM, SIG_IGN);
  const SharedFolder folder;
  Toy toy;
  EXPECT_EQ(run(toy, toy_plan(folder, 5)), 0);
  EXPECT_EQ(std::signal(SIGTERM, before), SIG_IGN);
}

TEST(Signals, TheSecondInterruptEndsTheProcess)
{
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  const SharedFolder folder;
  const auto interrupt_twice = [&] {
    Toy toy;
    RunPlan plan = toy_plan(folder, 1000);
    plan.after_step = [&](const Simulation&) {
      std::raise(SIGINT);
      std::raise(SIGINT);
    };
    run(toy, plan);
  };
  EXPECT_EXIT(interrupt_twice(), testing::KilledBySignal(SIGINT), "");
}

TEST(Walltime, StopsInTime)
{
  const SharedFolder folder;
  Toy toy({.sleep_seconds = 0.01});
  RunPlan plan = toy_plan(folder, 1000);
  plan.walltime_seconds = 1.5;
  const Timer timer;
  EXPECT_EQ(run(toy, plan), requeue);
  EXPECT_LT(timer.seconds(), 1.5);
  EXPECT_GT(timer.seconds(), 0.5);
  const std::int64_t step = toy.clock().step;
  EXPECT_EQ(world().max(step), step);
  Toy again;
  EXPECT_EQ(run(again, restart_plan(folder, step + 50, "latest")), 0);
  EXPECT_EQ(again.state_hash(), undisturbed_hash(step + 50));
}

}  // namespace
}  // namespace helicity::job
