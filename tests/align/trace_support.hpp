// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/strip.hpp>
#include <helicity/align/trace_batch.hpp>

#include "support/align_random.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Pairs, their paths by the CPU's general engine, and by the device.
namespace helicity::test {

struct TracePairs
{
  std::vector<Letters> letters;
  std::vector<Codes> codes;
  std::vector<align::CodePair> pairs;

  void add(Letters pair, seq::Alphabet alphabet)
  {
    codes.emplace_back(pair, alphabet);
    pairs.push_back(codes.back().pair());
    letters.push_back(std::move(pair));
  }
};

inline TracePairs random_pairs(Random& random, seq::Alphabet alphabet, int count,
                               std::int64_t max_length)
{
  TracePairs batch;
  for (int k = 0; k < count; ++k) batch.add(random_pair(random, alphabet, max_length), alphabet);
  return batch;
}

/// Paths of the pairs that were taken.
struct Traced
{
  std::vector<align::Path> paths;
  std::unique_ptr<bool[]> taken;
  std::vector<int> calls;  ///< of the sink, by pair
};

inline std::vector<align::Path> cpu_paths(const align::Problem& problem,
                                          const std::vector<align::CodePair>& pairs)
{
  std::vector<align::Path> paths;
  for (const align::CodePair& pair : pairs)
    paths.push_back(align::align_strip_path(problem, pair, std::size_t{64} << 20));
  return paths;
}

inline Traced trace(const align::Problem& problem, const std::vector<align::CodePair>& pairs,
                    const std::vector<align::Path>& expected, std::size_t memory = 0,
                    Cuda exec = {}, int threads = 2)
{
  std::vector<align::EndCell> ends;
  for (const align::Path& path : expected) ends.push_back(path.end);
  Traced traced{std::vector<align::Path>(pairs.size()),
                std::unique_ptr<bool[]>(new bool[pairs.size()]()), std::vector<int>(pairs.size())};
  align::trace_batch(exec, problem, pairs, ends, memory, threads, traced.taken.get(),
                     [&](std::size_t pair, align::Path& path) {
                       traced.paths[pair] = std::move(path);
                       ++traced.calls[pair];
                     });
  return traced;
}

/// Every pair that was taken has the CPU's path, and was handed out once. Returns how many.
inline std::size_t expect_same_paths(const align::Problem& problem, const TracePairs& batch,
                                     const std::vector<align::Path>& expected, const Traced& traced)
{
  std::size_t taken = 0;
  for (std::size_t k = 0; k < batch.pairs.size(); ++k) {
    const int calls = traced.taken[k] ? 1 : 0;
    EXPECT_EQ(traced.calls[k], calls) << "pair " << k;
    if (calls == 0) continue;
    ++taken;
    const std::string is = describe(traced.paths[k]), owed = describe(expected[k]);
    EXPECT_EQ(is, owed) << "pair " << k << '\n'
                        << describe(problem) << '\n'
                        << describe(batch.letters[k]).substr(0, 5000);
    if (is != owed) break;
  }
  return taken;
}

/// All pairs are taken and have the CPU's path.
inline void expect_cpu_paths(const align::Problem& problem, const TracePairs& batch,
                             std::size_t memory = 0, Cuda exec = {})
{
  const auto expected = cpu_paths(problem, batch.pairs);
  const Traced traced = trace(problem, batch.pairs, expected, memory, exec);
  EXPECT_EQ(expect_same_paths(problem, batch, expected, traced), batch.pairs.size());
}

}  // namespace helicity::test
