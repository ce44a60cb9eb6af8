// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/memory_usage.hpp>

#include "sample.hpp"
#include "toy.hpp"

#include <comm/mpi_main.hpp>

#include <gtest/gtest.h>

namespace helicity::job {
namespace {

using test::message_of;
using test::SharedFolder;
using test::Toy;
using test::toy_plan;
using test::world;

TEST(Plan, Describes)
{
  const SharedFolder folder;
  const Toy toy;
  RunPlan plan = toy_plan(folder, 4000000);
  plan.bandwidth = 1e9;
  plan.output.snapshots = {100};
  plan.checkpoint.steps = {500};
  const std::string text = describe_plan(toy, plan);
  EXPECT_EQ(world().broadcast(text), text) << "the same on every rank";
  const auto has = [&](const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  };
  has("grid       12 x 8 x 6 = 576 cells");
  has("memory     ");
  has("that can be had\n");
  has("step       0.25 s\n           growth: 0.125 s at most: TOO LONG\n");
  has("           decay: 2 s at most\n");
  has("run        4000000 steps to t = 1e+06 s\n");
  has(" MLUPS at most, by a bandwidth of ");
  has("duration   ");
  has("output     snapshot every 100 steps\n           checkpoint every 500 steps\n");
  if (world().size() == 1) {
    has("memory     4.50 KiB per rank\n");
    has("traffic    9.00 KiB per step\n");
    has("speed      62.5 MLUPS at most, by a bandwidth of 954 MiB/s per rank\n");
    has("duration   37 s at least, without output\n");
  }
}

TEST(Plan, WithoutBandwidthOrOutput)
{
  const SharedFolder folder;
  const std::string text = describe_plan(Toy(), toy_plan(folder, 10));
  EXPECT_NE(text.find("speed      unknown: the bandwidth was not measured\n"), std::string::npos);
  EXPECT_NE(text.find("output     none\n"), std::string::npos);
}

TEST(Plan, RequiresMemory)
{
  EXPECT_NO_THROW(require_memory(world(), Cpu{1}, 1 << 20));
  const std::size_t too_much = 4 * available_bytes();
  const std::string text = message_of([&] { require_memory(world(), Cpu{1}, too_much); });
  EXPECT_EQ(world().broadcast(text), text);
  EXPECT_NE(text.find("the run needs "), std::string::npos);
  EXPECT_NE(text.find(world().size() == 1 ? " (one rank), of which " : " ranks), of which "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" hosts (with ranks on each) of this size would do"), std::string::npos);
  const std::size_t only_last = world().rank() == world().size() - 1 ? too_much : 0;
  EXPECT_THROW(require_memory(world(), Cpu{1}, only_last), UsageError);
}

TEST(Bandwidth, IsOfThisWorld)
{
  const double rate = measure_bandwidth(world(), Cpu{2});
  EXPECT_GT(rate, 0.2e9);
  EXPECT_LT(rate, 1e13);
  if (world().size() == 1) {
    EXPECT_GT(rate, 1e9);
  }
}

}  // namespace
}  // namespace helicity::job
