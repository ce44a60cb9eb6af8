// SPDX-License-Identifier: Apache-2.0
// Runs without a restart: bursts, outputs, health, metrics.
#include <helicity/core/error.hpp>

#include "toy.hpp"

#include <comm/mpi_main.hpp>
#include <support/temporary.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>

namespace helicity::job {
namespace {

using test::files_in;
using test::LogCapture;
using test::SharedFolder;
using test::Toy;
using test::toy_plan;
using test::undisturbed_hash;
using test::world;

TEST(Run, ReachesTheLastStep)
{
  const SharedFolder folder;
  Toy toy;
  EXPECT_EQ(run(toy, toy_plan(folder, 1000)), 0);
  EXPECT_EQ(toy.clock().step, 1000);
  EXPECT_EQ(toy.clock().time(), 250.0);
  EXPECT_EQ(toy.state_hash(), undisturbed_hash(1000));
  EXPECT_TRUE(files_in(folder.path()).empty());
}

TEST(Run, BurstsEndWhereSomethingIsDue)
{
  const SharedFolder folder;
  Toy toy;
  RunPlan plan = toy_plan(folder, 500);
  plan.health = {70};
  std::vector<std::int64_t> ends;
  plan.after_step = [&](const Simulation& s) { ends.push_back(s.clock().step); };
  EXPECT_EQ(run(toy, plan), 0);
  EXPECT_EQ(ends.size(), toy.bursts.size());
  EXPECT_EQ(std::accumulate(toy.bursts.begin(), toy.bursts.end(), std::int64_t{0}), 500);
  for (std::int64_t due = 70; due <= 490; due += 70)
    EXPECT_NE(std::find(ends.begin(), ends.end(), due), ends.end()) << due;
  EXPECT_LT(toy.bursts.size(), 40U) << "quick steps are done many at a time";
}

TEST(Run, BurstsOfSlowStepsAreShort)
{
  const SharedFolder folder;
  Toy toy({.sleep_seconds = 0.02});
  EXPECT_EQ(run(toy, toy_plan(folder, 40)), 0);
  EXPECT_LE(*std::max_element(toy.bursts.begin(), toy.bursts.end()), 10);
  EXPECT_GE(*std::max_element(toy.bursts.begin(), toy.bursts.end()), 2);
  for (const std::int64_t steps : toy.bursts) {
    EXPECT_EQ(world().max(steps), steps) << "ranks agree on bursts";
  }
}

std::string text_of(const std::string& path)
{
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

RunPlan series_plan(const SharedFolder& folder, std::int64_t steps)
{
  RunPlan plan = toy_plan(folder, steps);
  plan.output.series = {4};
  plan.output.probes = {{"mast", {11.5, 7.2, 0}, {"x"}}};
  plan.checkpoint.steps = {6};
  return plan;
}

TEST(Run, WritesASeriesThatARestartGoesOnWith)
{
  const SharedFolder once, twice;
  Toy whole;
  ASSERT_EQ(run(whole, series_plan(once, 24)), 0);
  const std::string text = text_of(once / "toy_series.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), "step,time,first,mast.x");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8) << text;
  EXPECT_NE(text.find("\n24,6,"), std::string::npos) << text;
  EXPECT_NE(text.find(fmt::format(",{}\n", whole.values_at({{11, 7, 0}}, {"x"}).front())),
            std::string::npos);

  Toy first, second;
  ASSERT_EQ(run(first, series_plan(twice, 18)), 0);
  world().barrier();
  if (world().rank() == 0)  // rows that a run which was killed wrote after its last state
    std::ofstream(twice / "toy_series.csv", std::ios::app) << "20,5,0.5,0.5\n24,6,0.5,0.5\n28,7";
  world().barrier();
  RunPlan plan = series_plan(twice, 24);
  plan.checkpoint.restart = "latest";
  ASSERT_EQ(run(second, plan), 0);
  EXPECT_EQ(text_of(twice / "toy_series.csv"), text);
}

TEST(Run, RefusesProbesOutsideAndSeriesOfOtherColumns)
{
  const SharedFolder folder;
  Toy toy;
  RunPlan plan = series_plan(folder, 24);
  plan.output.probes[0].position[1] = 8.1;
  EXPECT_THROW(run(toy, plan), UsageError);

  Toy again;
  ASSERT_EQ(run(again, series_plan(folder, 12)), 0);
  plan = series_plan(folder, 24);
  plan.output.probes.clear();
  plan.checkpoint.restart = "latest";
  Toy other;
  EXPECT_ANY_THROW(run(other, plan));
}

TEST(Run, WritesSnapshotsAndImages)
{
  const SharedFolder folder;
  Toy toy;
  RunPlan plan = toy_plan(folder, 10);
  plan.output.directory = folder / "new/folder";
  plan.output.snapshots = {5};
  plan.output.images = {10};
  plan.output.image_variable = "x";
  EXPECT_EQ(run(toy, plan), 0);
  EXPECT_EQ(
      files_in(folder / "new/folder"),
      (std::vector<std::string>{"toy.xmf", "toy_000000000.h5", "toy_000000005.h5",
                                "toy_000000010.h5", "toy_x_000000000.png", "toy_x_000000010.png"}));
}

TEST(Run, NoStepsAtAll)
{
  const SharedFolder folder;
  Toy toy;
  EXPECT_EQ(run(toy, toy_plan(folder, 0)), 0);
  EXPECT_TRUE(toy.bursts.empty());
}

TEST(Run, BlowsUpWithAReport)
{
  const SharedFolder folder;
  const LogCapture log;
  Toy toy({.breaks_at = 42});
  RunPlan plan = toy_plan(folder, 1000);
  plan.health = {10};
  plan.checkpoint.steps = {20};
  plan.output.snapshots = {25};
  plan.metrics_file = folder / "metrics.json";
  EXPECT_EQ(run(toy, plan), blew_up);
  EXPECT_EQ(toy.clock().step, 50);
  if (world().rank() == 0) {
    EXPECT_TRUE(
        log.has("warning: the simulation blew up at step 50, t = 12.5 s\n"
                "  x is not finite in cell (7, 3, 4)\n"
                "  there: x = nan\n"
                "  last good checkpoint: " +
                (folder / "toy_restart_000000040.h5") +
                "\n"
                "  advice: less growth\n"))
        << log.text();
  } else {
    EXPECT_EQ(log.text(), "");
  }
  EXPECT_EQ(
      files_in(folder.path()),
      (std::vector<std::string>{"metrics.json", "toy.xmf", "toy_000000000.h5", "toy_000000025.h5",
                                "toy_restart_000000020.h5", "toy_restart_000000040.h5"}));
  const auto json = nlohmann::json::parse(test::read_file(folder / "metrics.json"));
  EXPECT_EQ(json["exit"]["reason"], "blew up");
  EXPECT_EQ(json["exit"]["code"], 3);
}

TEST(Run, ABrokenStartIsSeen)
{
  const SharedFolder folder;
  const LogCapture log;
  Toy toy({.breaks_at = 1});
  toy.advance(1);
  RunPlan plan = toy_plan(folder, 1000);
  plan.health = {};
  EXPECT_EQ(run(toy, plan), blew_up);
  EXPECT_EQ(toy.bursts.size(), 1U);
  if (world().rank() == 0) {
    EXPECT_TRUE(log.has("last good checkpoint: none"));
  }
}

TEST(Run, WritesMetrics)
{
  const SharedFolder folder;
  Toy toy({.sleep_seconds = 0.001});
  RunPlan plan = toy_plan(folder, 60);
  plan.bandwidth = 1e9;
  plan.checkpoint.steps = {25};
  plan.metrics_file = folder / "metrics.json";
  EXPECT_EQ(run(toy, plan), 0);
  world().barrier();
  const auto json = nlohmann::json::parse(test::read_file(folder / "metrics.json"));
  EXPECT_EQ(json["steps"], 60);
  EXPECT_EQ(json["cells"], 12 * 8 * 6);
  EXPECT_EQ(json["time"], 15.0);
  EXPECT_EQ(json["ranks"], world().size());
  EXPECT_EQ(json["checkpoints"], 3);  // 25, 50 and the last
  EXPECT_EQ(json["snapshots"], 0);
  EXPECT_EQ(json["last_checkpoint"], folder / "toy_restart_000000060.h5");
  EXPECT_EQ(json["exit"]["reason"], "done");
  EXPECT_EQ(json["memory"]["planned"], 12 * 8 * 6 * 8);
  EXPECT_GT(json["memory"]["peak_resident"], 1000000);
  EXPECT_EQ(json["state_hash"].get<std::string>().size(), 16U);
  const double stepping = json["seconds"]["stepping"];
  EXPECT_GE(stepping, 0.06);
  EXPECT_GE(json["seconds"]["total"].get<double>(), stepping);
  EXPECT_DOUBLE_EQ(json["speed"]["updates_per_second"].get<double>(), 60 * 576 / stepping);
  EXPECT_GT(json["speed"]["fraction_of_bandwidth"], 0.0);
}

TEST(Run, TellsProgress)
{
  const SharedFolder folder;
  Toy toy({.sleep_seconds = 0.005});
  RunPlan plan = toy_plan(folder, 100);
  plan.progress = ProgressMode::always;
  plan.bandwidth = 1e9;
  testing::internal::CaptureStderr();
  const int code = run(toy, plan);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(code, 0);
  if (world().rank() != 0) {
    EXPECT_EQ(text, "");
    return;
  }
  EXPECT_EQ(text.substr(0, 5), "step ") << text;
  EXPECT_NE(text.find("step 100/100 (100 %) t=25 s "), std::string::npos) << text;
  EXPECT_NE(text.find(" MLUPS "), std::string::npos) << text;
  EXPECT_NE(text.find(" % of bandwidth ETA "), std::string::npos) << text;
}

TEST(Run, RefusesNonsense)
{
  const SharedFolder folder;
  Toy toy;
  EXPECT_THROW(run(toy, toy_plan(folder, -1)), UsageError);
}

TEST(Run, FailsOnEveryRankIfAFolderCannotBeMade)
{
  const SharedFolder folder;
  if (world().rank() == 0) test::write_file(folder / "file", "x");
  world().barrier();
  Toy toy;
  RunPlan plan = toy_plan(folder, 10);
  plan.output.directory = folder / "file/below";
  plan.checkpoint.steps = {5};
  EXPECT_THROW(run(toy, plan), RuntimeFault);
}

}  // namespace
}  // namespace helicity::job
