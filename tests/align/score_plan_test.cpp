// SPDX-License-Identifier: Apache-2.0
#include <align/score_plan.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

namespace helicity::align {
namespace {

constexpr std::uint32_t long_queries = all_shapes - 1;
constexpr std::size_t plenty = std::size_t{1} << 40;

/// What 132 multiprocessors hold, whatever the shape.
ScoreWaves waves_of(std::size_t pairs)
{
  ScoreWaves waves{};
  waves.fill(pairs);
  return waves;
}

std::vector<ScoreItem> items_of(std::size_t count, std::int32_t length, std::uint32_t shape)
{
  std::vector<ScoreItem> items(count);
  for (std::size_t k = 0; k < count; ++k) items[k] = {k, length, length, shape};
  return items;
}

/// Sizes of all batches of a call.
std::vector<std::size_t> batches(std::span<const ScoreItem> items, const ScoreWaves& waves,
                                 std::size_t memory)
{
  std::vector<std::size_t> sizes;
  while (!items.empty()) {
    const std::size_t size = score_batch_size(items, waves, memory);
    EXPECT_GE(size, 1);
    EXPECT_LE(size, items.size());
    sizes.push_back(size);
    items = items.subspan(size);
  }
  return sizes;
}

using Sizes = std::vector<std::size_t>;

TEST(ScorePlan, LongPairsFillTheDeviceFourTimes)
{
  const auto items = items_of(40000, 6000, long_queries);
  EXPECT_EQ(batches(items, waves_of(4224), plenty), Sizes({16896, 16896, 6208}));
}

TEST(ScorePlan, ShortPairsEndWithAWave)
{
  const auto items = items_of(300000, 500, long_queries);  // 67,109 pairs are 64 Mi letters
  EXPECT_EQ(batches(items, waves_of(4224), plenty), Sizes({67584, 67584, 67584, 67584, 29664}));
  const auto shorter = items_of(600000, 50, long_queries);  // 2^18 pairs are 62 waves and a part
  EXPECT_EQ(batches(shorter, waves_of(4224), plenty), Sizes({261888, 261888, 76224}));
}

TEST(ScorePlan, LongerPairsFillItOnce)
{
  const auto items = items_of(10000, 50000, long_queries);
  EXPECT_EQ(batches(items, waves_of(4224), plenty), Sizes({4224, 4224, 1552}));
  const auto longest = items_of(2000, 1000000, long_queries);  // 536 pairs are 2^30 letters
  EXPECT_EQ(batches(longest, waves_of(4224), plenty), Sizes({536, 536, 536, 392}));
}

TEST(ScorePlan, MemoryEndsABatchAtAWaveOrBefore)
{
  const auto items = items_of(20000, 6000, long_queries);
  const std::size_t bytes = items[0].device_bytes();
  const auto budget = [&](std::size_t pairs) {
    return 2 * 9 * ((ScoreLayout::fixed_bytes + pairs * bytes) / 8 + 1);
  };
  EXPECT_EQ(batches(items, waves_of(4224), budget(9000)), Sizes({8448, 8448, 3104}));
  EXPECT_EQ(batches(items, waves_of(4224), budget(3000))[0], 3000);
  EXPECT_EQ(batches(items, waves_of(4224), 1), Sizes(20000, 1));
}

TEST(ScorePlan, WavesCountByShape)
{
  auto items = items_of(10000, 6000, all_shapes - 2);
  const auto later = items_of(30000, 6000, long_queries);
  items.insert(items.end(), later.begin(), later.end());
  ScoreWaves waves = waves_of(4224);
  waves[all_shapes - 2] = 3000;  // three whole waves and a part, then the fourth
  EXPECT_EQ(batches(items, waves, plenty)[0], 10000 + 4224);
}

TEST(ScorePlan, TinyWavesAreNoLimit)
{
  const auto items = items_of(1000, 100, long_queries);
  EXPECT_EQ(batches(items, waves_of(1), plenty), Sizes({1000}));
}

}  // namespace
}  // namespace helicity::align
