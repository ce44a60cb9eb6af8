// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/lanes.hpp>
#include <helicity/align/problem.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace helicity::align::detail {

/// Solves batches of encoded pairs on the CPU: short pairs in SIMD lanes, 8 bits first and 16 where
/// that was not exact, everything else in the strip engine. Which engine takes a pair changes
/// nothing in its result.
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
  struct Group
  {
    std::size_t begin = 0;
    std::size_t count = 0;
  };
  using Order = std::vector<std::uint32_t>;

  bool suits_lanes(LaneWidth width, LaneOutput output, const CodePair& pair) const;
  bool starts_narrow(LaneOutput output, const CodePair& pair) const;
  std::vector<Group> make_groups(std::span<const CodePair> pairs, const Order& order,
                                 LaneWidth width) const;
  Order run_lanes(std::span<const CodePair> pairs, Order& order, LaneWidth width, LaneOutput output,
                  const Sink& sink);
  void run_strips(std::span<const CodePair> pairs, Order& order, LaneOutput output,
                  const Sink& sink);

  Problem problem_;
  int threads_;
  std::size_t memory_;
  std::array<bool, 2> takes_;                ///< by LaneWidth
  std::vector<LaneWorkspace> workspaces_;    ///< by worker
  std::int64_t tried_ = 0;                   ///< pairs run at 8 bits without a guarantee,
  std::int64_t failed_ = 0;                  ///< and those of them that were not exact
};

/// The result where a sequence is empty: no matrix is needed.
Path solve_empty(const Problem& problem, std::int64_t query_length, std::int64_t target_length);

}  // namespace helicity::align::detail
