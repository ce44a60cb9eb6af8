// SPDX-License-Identifier: Apache-2.0
#include <support/process.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace helicity::app {
namespace {

using test::ProcessResult;
using test::run_process;

ProcessResult alone(const std::string& what)
{
  return run_process({test::program("job_probe"), what});
}

ProcessResult on_ranks(int n, const std::string& what)
{
  return run_process({HELICITY_MPIEXEC, HELICITY_MPIEXEC_RANKS, std::to_string(n),
                      test::program("job_probe"), what},
                     {},
                     {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                      "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1",
                      "OMPI_MCA_hwloc_base_binding_policy=none"});
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

}  // namespace
}  // namespace helicity::app
