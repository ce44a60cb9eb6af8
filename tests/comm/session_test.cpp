// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/session.hpp>
#include <helicity/core/parallel.hpp>

#include <support/process.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace helicity::comm {
namespace {

using test::ProcessResult;
using test::run_process;

using Words = std::vector<std::string>;

const Words mpi_environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                               "OMPI_MCA_rmaps_base_oversubscribe=1",
                               "OMPI_MCA_hwloc_base_binding_policy=none"};

ProcessResult alone(Words arguments, const Words& environment = {})
{
  arguments.insert(arguments.begin(), test::program("session_probe"));
  return run_process(arguments, {}, environment);
}

/// On ranks; `runner` goes before the program.
ProcessResult ranks(int n, const Words& arguments, const Words& more = {}, const Words& runner = {})
{
  Words command{HELICITY_MPIEXEC, HELICITY_MPIEXEC_RANKS, std::to_string(n)};
  command.insert(command.end(), runner.begin(), runner.end());
  command.push_back(test::program("session_probe"));
  command.insert(command.end(), arguments.begin(), arguments.end());
  Words environment = mpi_environment;
  environment.insert(environment.end(), more.begin(), more.end());
  return run_process(command, {}, environment);
}

bool contains(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}

bool has_mpi() { return !std::string(HELICITY_MPIEXEC).empty(); }

TEST(SessionAlone, IsOneRank)
{
  const auto result = alone({"cpu"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "size 1\n0 ")) << result.out;
  EXPECT_TRUE(contains(result.out, " cpu:" + std::to_string(usable_threads()) + " -\n"))
      << result.out;
}

TEST(SessionAlone, SlurmTasksThatDoNotSeeEachOther)
{
  const auto result = alone({"cpu"}, {"SLURM_NTASKS=4"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "4 tasks")) << result.err;
  EXPECT_TRUE(contains(result.err, "unset SLURM_NTASKS")) << result.err;
  EXPECT_EQ(contains(result.err, "srun --mpi=pmix"), has_mpi()) << result.err;
  EXPECT_EQ(alone({"cpu"}, {"SLURM_NTASKS=1"}).code, 0);
  EXPECT_EQ(alone({"cpu"}, {"SLURM_NTASKS=4", "SLURM_STEP_NUM_TASKS=1"}).code, 0);
  EXPECT_EQ(alone({"cpu"}, {"SLURM_STEP_NUM_TASKS=2"}).code, 2);
}

TEST(SessionAlone, AnotherLauncher)
{
  const auto result = alone({"cpu"}, {"PMI_RANK=0", "PMI_SIZE=3"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "3 processes")) << result.err;
}

struct SessionRanks : testing::Test
{
  void SetUp() override
  {
    if (!has_mpi()) GTEST_SKIP() << "built without MPI";
  }
};

TEST_F(SessionRanks, ShareTheCoresOfTheHost)
{
  const auto result = ranks(3, {"cpu"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "size 3\n0 ")) << result.out;
  const int threads = std::max(1, usable_threads() / 3);
  EXPECT_TRUE(contains(result.out, " cpu:" + std::to_string(threads) + " -\n2 ")) << result.out;
}

TEST_F(SessionRanks, BoundToTheirCoresUseThem)
{
  if (usable_threads() < 2) GTEST_SKIP() << "needs two cores";
  const auto result = ranks(2, {"cpu"}, {"OMPI_MCA_hwloc_base_binding_policy=core"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, " cpu:1 -\n1 ")) << result.out;
}

TEST_F(SessionRanks, OneRankUnderMpirunInASlurmJob)
{
  EXPECT_EQ(ranks(1, {"cpu"}, {"SLURM_STEP_NUM_TASKS=4"}).code, 0);
}

TEST_F(SessionRanks, AnExceptionOfOneRankEndsAll)
{
  const auto result = ranks(2, {"cpu", "throw"});
  EXPECT_NE(result.code, 0);
  EXPECT_TRUE(contains(result.err, "rank 1 gives up")) << result.err;
}

TEST_F(SessionRanks, AbortEndsAllWithItsCode) { EXPECT_EQ(ranks(2, {"cpu", "abort"}).code, 75); }

struct SessionGpus : SessionRanks
{
  void SetUp() override
  {
    SessionRanks::SetUp();
    const std::string runner = HELICITY_TEST_GPU_RUNNER;
    if (runner.empty()) GTEST_SKIP() << "no stand-in for GPUs (HELICITY_GPU_RUNNER)";
    standin = {runner};
  }

  Words standin;
};

TEST_F(SessionGpus, TwoRanksOnOneAreRefused)
{
  const auto result = ranks(2, {"cuda"}, {"GOC_DEVICES=1"}, standin);
  EXPECT_NE(result.code, 0);
  EXPECT_TRUE(contains(result.out, "ranks 0 and 1 would share one GPU")) << result.out;
  EXPECT_TRUE(contains(result.out, "--share-gpu")) << result.out;
  EXPECT_TRUE(contains(result.out, " cuda:0 ")) << result.out;
}

TEST_F(SessionGpus, TwoRanksMayShareOne)
{
  const auto result = ranks(2, {"cuda", "share"}, {"GOC_DEVICES=1"}, standin);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
}

TEST_F(SessionGpus, EachRankHasItsOwn)
{
  const auto result = ranks(2, {"auto"}, {"GOC_DEVICES=2"}, standin);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, " cuda:0 ")) << result.out;
  EXPECT_TRUE(contains(result.out, " cuda:1 ")) << result.out;
}

TEST_F(SessionGpus, WithoutOneAllRanksComputeOnCpus)
{
  const auto result = ranks(2, {"auto"}, {"GOC_DEVICES=0"}, standin);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, " cpu:")) << result.out;
  const auto refused = ranks(2, {"cuda"}, {"GOC_DEVICES=0"}, standin);
  EXPECT_NE(refused.code, 0);
  EXPECT_TRUE(contains(refused.out, "error: rank 0: cannot run on CUDA device")) << refused.out;
}

}  // namespace
}  // namespace helicity::comm
