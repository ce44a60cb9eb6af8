// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/score_rules.hpp>
#include <align/score_task.hpp>
#include <align/tuning.cuh>
#include <helicity/align/problem.hpp>
#include <helicity/align/score_batch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What the score kernel takes, in which shapes and batches: all that is decided on the host.
namespace helicity::align {

/// A pair that the kernel takes, in the order of work: by shape, then long targets first.
struct ScoreItem
{
  std::size_t pair;  ///< its place in the call
  std::int32_t query_length;
  std::int32_t target_length;
  std::uint32_t shape;  ///< below all_shapes

  bool operator<(const ScoreItem& other) const
  {
    if (shape != other.shape) return shape < other.shape;
    if (target_length != other.target_length) return target_length > other.target_length;
    if (query_length != other.query_length) return query_length > other.query_length;
    return pair < other.pair;
  }

  std::size_t letters() const
  {
    return static_cast<std::size_t>(query_length) + static_cast<std::size_t>(target_length);
  }
  bool packed() const { return shape >= wide_shapes; }
  std::size_t boundary_cells() const;
  std::size_t device_bytes() const;
};

/// Sorts the pairs of a call: `ends` and `taken` are filled for those without cells, `taken` for
/// all; the items are those that the kernels are to compute, in the order of work.
/// @param packed  whether the 16-bit kernels may be used: they get what they can compute exactly,
///                or in local mode exactly or with a notice
/// @param memory  device memory in bytes; a pair that needs more is not taken
std::vector<ScoreItem> plan_scores(const Problem& problem, std::span<const CodePair> pairs,
                                   bool packed, std::size_t memory, EndCell* ends, bool* taken);

/// Pairs that a device works on at once, by shape: a wave. >= 1
using ScoreWaves = std::array<std::size_t, all_shapes>;

/// How many of the items, from the first on, make a batch when two batches share `memory`: whole
/// waves, unless memory, or a bound of tuning.cuh, ends it before the first; at least one item,
/// which may then need more than its half.
std::size_t score_batch_size(std::span<const ScoreItem> items, const ScoreWaves& waves,
                             std::size_t memory);

/// The problem as the kernel reads it.
ScoreScheme scheme_of(const Problem& problem);

/// Where the parts of a batch lie: what is uploaded, then what only the device has.
struct ScoreLayout
{
  /// Enough for the table, the queues, and what alignment costs.
  static constexpr std::size_t fixed_bytes = 8192;

  std::size_t table, next, tasks, letters, upload_bytes, ends, boundary, bytes;

  explicit ScoreLayout(std::span<const ScoreItem> items);
};

}  // namespace helicity::align
