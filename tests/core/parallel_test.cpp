// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>

#include <gtest/gtest.h>

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace helicity {
namespace {

TEST(ParallelFor, VisitsEachIndexOnce)
{
  for (const int threads : {0, 1, 2, 3, 8})
    for (const std::size_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> visits(count);
      parallel_for(threads, count, [&](std::size_t i, int) { ++visits[i]; });
      EXPECT_TRUE(std::ranges::all_of(visits, [](const auto& v) { return v == 1; }))
          << threads << " threads, " << count << " indices";
    }
}

TEST(ParallelFor, GivesEachWorkerItsOwnScratch)
{
  constexpr int threads = 4;
  std::vector<std::atomic<bool>> busy(threads);
  std::atomic<int> clashes = 0;
  parallel_for(threads, 2000, [&](std::size_t, int worker) {
    if (busy.at(static_cast<std::size_t>(worker)).exchange(true)) ++clashes;
    busy[static_cast<std::size_t>(worker)] = false;
  });
  EXPECT_EQ(clashes, 0);
}

TEST(ParallelFor, RunsOnSeveralThreads)
{
  // Each of two bodies waits for the other: done only if both run at the same time.
  std::atomic<int> arrived = 0;
  parallel_for(2, 2, [&](std::size_t, int) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(ParallelFor, RethrowsAndStops)
{
  std::atomic<int> started = 0;
  const auto body = [&](std::size_t i, int) {
    ++started;
    if (i == 3) throw std::out_of_range("three");
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  };
  EXPECT_THROW(parallel_for(4, 100'000, body), std::out_of_range);
  EXPECT_LT(started, 100'000);
  int done = 0;  // and the pool still works
  parallel_for(1, 5, [&](std::size_t, int) { ++done; });
  EXPECT_EQ(done, 5);
}

TEST(ParallelFor, RunsNestedCallsSerially)
{
  std::atomic<int> done = 0;
  parallel_for(4, 8, [&](std::size_t, int) {
    parallel_for(4, 8, [&](std::size_t, int worker) {
      EXPECT_EQ(worker, 0);
      ++done;
    });
  });
  EXPECT_EQ(done, 64);
}

TEST(ParallelFor, ServesConcurrentCallers)
{
  std::atomic<int> done = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        parallel_for(3, 20, [&](std::size_t, int) { ++done; });
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(done, 4 * 50 * 20);
}

TEST(ResolveThreads, ChecksAndDefaults)
{
  EXPECT_EQ(resolve_threads(3), 3);
  EXPECT_EQ(resolve_threads(0), usable_threads());
  EXPECT_THROW(resolve_threads(-1), UsageError);
  EXPECT_THROW(resolve_threads(5000), UsageError);
}

TEST(UsableThreads, RespectsTheAffinityMask)
{
  std::thread([] {
    cpu_set_t before, one;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
      if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(usable_threads(), 1);
  }).join();
}

}  // namespace
}  // namespace helicity
