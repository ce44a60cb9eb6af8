// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/lanes.hpp>
#include <helicity/align/problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace helicity::align::detail {

/// Solves batches of encoded pairs on the CPU: short pairs in SIMD lanes, in 8 bits and a band of
/// the matrix first, wider and whole where that was not proved exact, everything else in the strip
/// engine. Which engine takes a pair changes nothing in its result.
class Solver
{
 public:
  /// @param threads  resolved, >= 1
  /// @param memory   bytes for tracebacks of all threads together
  Solver(const Problem& problem, int threads, std::size_t memory);

  /// Called once for every pair, by the thread that solved it, as soon as it is solved.
  using Sink = std::function<void(std::size_t index, Path& path)>;

  void solve(std::span<const CodePair> pairs, LaneOutput output, const Sink& sink);

 private:
  using Order = std::vector<std::uint32_t>;

  /// A way to run pairs in lanes; a pair goes through the stages until one is exact.
  struct Stage
  {
    LaneWidth width;
    bool banded;
    bool possible = true;     ///< the scheme fits the width
    std::int64_t tried = 0;   ///< pairs run,
    std::int64_t failed = 0;  ///< and those of them that were not exact
    Order waiting = {};
  };
  struct Group
  {
    std::size_t begin = 0;
    std::size_t count = 0;
  };

  bool suits(const Stage& stage, LaneOutput output, const CodePair& pair) const;
  bool promises(const Stage& stage, const CodePair& pair) const;
  /// Queues a pair for the first suitable stage from `first` on, else for the strip engine.
  void queue(std::size_t first, LaneOutput output, const CodePair& pair, std::uint32_t index);
  std::vector<Group> make_groups(std::span<const CodePair> pairs, const Order& order,
                                 const Stage& stage) const;
  /// Runs what waits at a stage and returns what was not exact.
  Order run_stage(Stage& stage, std::span<const CodePair> pairs, LaneOutput output,
                  const Sink& sink);
  void run_strips(std::span<const CodePair> pairs, LaneOutput output, const Sink& sink);

  Problem problem_;
  int threads_;
  std::size_t memory_;
  std::array<Stage, 4> stages_;
  Order strips_;
  std::vector<LaneWorkspace> workspaces_;  ///< by worker
};

/// The result where a sequence is empty: no matrix is needed.
Path solve_empty(const Problem& problem, std::int64_t query_length, std::int64_t target_length);

}  // namespace helicity::align::detail
