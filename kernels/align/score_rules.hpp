// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/score_packed.hpp>
#include <align/score_task.hpp>
#include <align/tuning.cuh>
#include <helicity/align/problem.hpp>
#include <helicity/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace helicity::align {

/// Shapes are numbered through: those of the 32-bit kernel, then those of the 16-bit ones.
inline constexpr std::size_t wide_shapes = std::size(tuning::score_shapes);
inline constexpr std::size_t all_shapes = wide_shapes + std::size(tuning::packed_shapes);

/// Which kernel takes which pair of a problem: for the host and the device.
struct ScoreRules
{
  static constexpr std::int64_t limit = std::int64_t{1} << 30;  ///< of lengths and scores

  std::int64_t gain;  ///< largest letter score, at least 0
  std::int64_t loss;  ///< smallest, as a cost, at least 0
  std::int64_t open, extend;
  std::int64_t carried;  ///< what rows past the end add in 16 bits
  bool packed;           ///< the 16-bit kernels may be used
  bool local;
  bool empty_query_free, empty_target_free;      ///< a gap of all of the other sequence ends at 0
  bool empty_query_begins, empty_target_begins;  ///< or costs nothing
  std::int16_t lanes[all_shapes], rows[all_shapes];

  HELICITY_HD std::int64_t strips(std::size_t shape, std::int64_t query_length) const
  {
    const std::int64_t held = std::int64_t{lanes[shape]} * rows[shape];
    return (query_length + held - 1) / held;
  }

  /// Whether no value of the recurrence can leave 32 bits, rows past the end of the query included.
  HELICITY_HD bool takes(std::int64_t m, std::int64_t n) const
  {
    if (m > limit || n > limit) return false;
    const std::int64_t largest = gain * (m < n ? m : n);
    return largest < limit && 4 * open + (m + n + 2048) * extend + loss < limit;
  }

  /// Whether the 16-bit kernels can. In local mode they see by themselves when 16 bits do not do.
  /// Else: no H' is larger than what all letters matched and all gaps free would give, and a lane's
  /// rows past the end add the carry.
  HELICITY_HD bool packs(std::int64_t m, std::int64_t n) const
  {
    if (!packed || local) return packed;
    const std::int64_t largest = gain * (m < n ? m : n) + (m + n + 64) * extend;
    return largest + carried + gain + 4 * open + loss <= 32'000;
  }

  /// The shape that spends the fewest lane steps on a pair; the last of each kind is for queries of
  /// any length. A step is worth some rows beside its own.
  HELICITY_HD std::uint32_t shape(bool in_16_bits, std::int64_t m, std::int64_t n) const
  {
    const std::size_t begin = in_16_bits ? wide_shapes : 0;
    const std::size_t end = in_16_bits ? all_shapes : wide_shapes;
    std::size_t best = end - 1;
    std::int64_t least = INT64_MAX;
    for (std::size_t s = begin; s < end; ++s) {
      const std::int64_t passes = strips(s, m);
      if (passes > 1 && (lanes[s] < 32 || (in_16_bits && s + 1 < end))) continue;
      const std::int64_t cost =
          passes * (n + lanes[s] - 1) * lanes[s] * (rows[s] + (in_16_bits ? 2 : 4));
      if (cost < least) {
        least = cost;
        best = s;
      }
    }
    return static_cast<std::uint32_t>(best);
  }
  HELICITY_HD std::uint32_t shape(std::int64_t m, std::int64_t n) const
  {
    return shape(packs(m, n), m, n);
  }

  /// The end of a pair of which one sequence, or both, is empty.
  HELICITY_HD ScoreEnd end_without_cells(std::int32_t m, std::int32_t n) const
  {
    if (local || (m == 0 && n == 0)) return {0, 0, 0};
    // All of an edge are end cells: its score only falls, and the first of equals is (0, 0).
    if (m == 0 ? empty_query_free : empty_target_free) return {0, 0, 0};
    const bool no_cost = m == 0 ? empty_query_begins : empty_target_begins;
    const std::int64_t gap = open + (std::int64_t{m} + n) * extend;
    return {no_cost ? 0 : static_cast<std::int32_t>(-gap), n, m};
  }
};

/// @param packed  whether the device has the 16-bit kernels
ScoreRules score_rules(const Problem& problem, bool packed);

}  // namespace helicity::align
