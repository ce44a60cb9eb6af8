// SPDX-License-Identifier: Apache-2.0
#include <support/process.hpp>
#include <support/temporary.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace helicity::app {
namespace {

using test::ProcessResult;
using test::run_process;

const std::vector<std::string> mpi_environment = {
    "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
    "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1",
    "OMPI_MCA_hwloc_base_binding_policy=none"};

ProcessResult alone(const std::string& what)
{
  return run_process({test::program("job_probe"), what});
}

ProcessResult on_ranks(int n, const std::string& what)
{
  return run_process({HELICITY_MPIEXEC, HELICITY_MPIEXEC_RANKS, std::to_string(n),
                      test::program("job_probe"), what},
                     {}, mpi_environment);
}

int count(const std::string& text, const std::string& part)
{
  int n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

bool has_mpi() { return !std::string(HELICITY_MPIEXEC).empty(); }

TEST(MpiApp, Alone)
{
  EXPECT_EQ(alone("").out, "1 ranks\n");
  EXPECT_EQ(alone("").err, "probe: starting\n");
  EXPECT_EQ(alone("usage").err, "probe: starting\nprobe: error: no such thing\n");
  EXPECT_EQ(alone("usage").code, 2);
  EXPECT_EQ(alone("fault").code, 1);
  EXPECT_EQ(alone("help").code, 0);
  EXPECT_EQ(alone("requeue").code, 75);
}

TEST(MpiApp, RankZeroSpeaks)
{
  if (!has_mpi()) GTEST_SKIP();
  const auto result = on_ranks(3, "warn");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "3 ranks\n");
  EXPECT_EQ(count(result.err, "probe: starting\n"), 1) << result.err;
  EXPECT_EQ(count(result.err, "probe: rank 2: warning: odd\n"), 1) << result.err;
}

TEST(MpiApp, AnErrorOfAllIsToldOnce)
{
  if (!has_mpi()) GTEST_SKIP();
  for (const char* what : {"usage", "fault"}) {
    const auto result = on_ranks(3, what);
    EXPECT_EQ(result.code, what[0] == 'u' ? 2 : 1);
    EXPECT_EQ(count(result.err, ": error: "), 1) << result.err;
    EXPECT_EQ(count(result.err, "probe: error: "), 1) << result.err;
  }
}

TEST(MpiApp, ARankThatFailsAloneEndsTheJob)
{
  if (!has_mpi()) GTEST_SKIP();
  const auto result = on_ranks(3, "alone");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(count(result.err, "probe: rank 2: error: lost my disk\n"), 1) << result.err;
  EXPECT_EQ(on_ranks(2, "requeue").code, 75);
}

/// Runs a command in a shell, sends it a signal after a second, and waits for it.
ProcessResult signalled(const std::string& command, const std::string& signal)
{
  return run_process(
      {"sh", "-c", command + " & pid=$!; sleep 1; kill -" + signal + " $pid; wait $pid"}, {},
      mpi_environment);
}

std::string hash_in(const std::string& folder)
{
  const std::string text = test::read_file(folder + "/metrics.json");
  const auto at = text.find("state_hash");
  return at == text.npos ? "none" : text.substr(at);
}

TEST(MpiApp, SignalsCheckpointAndTheNextJobGoesOn)
{
  const test::TemporaryFolder undisturbed;
  run_process({test::program("job_probe"), "fast=" + undisturbed.path().string()});
  const std::string mpirun =
      std::string("exec ") + HELICITY_MPIEXEC + " " + HELICITY_MPIEXEC_RANKS + " 2 ";
  for (const std::string& launcher :
       has_mpi() ? std::vector<std::string>{"exec ", mpirun} : std::vector<std::string>{"exec "})
  {
    const test::TemporaryFolder folder;
    const std::string command = launcher + test::program("job_probe");
    const auto first = signalled(command + " slow=" + folder.path().string(), "USR1");
    EXPECT_EQ(first.code, 75) << first.err;
    EXPECT_EQ(count(first.err, "probe: stopped early: signal\nprobe: checkpoint "), 1) << first.err;
    EXPECT_EQ(count(first.err, "; resume with --restart latest (exit 75)\n"), 1) << first.err;
    const auto second =
        run_process({"sh", "-c", command + " fast=" + folder.path().string()}, {}, mpi_environment);
    EXPECT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(count(second.err, "probe: resumed from "), 1) << second.err;
    EXPECT_EQ(hash_in(folder.path().string()), hash_in(undisturbed.path().string()));
  }
}

}  // namespace
}  // namespace helicity::app
