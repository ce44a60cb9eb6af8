// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/trace_task.hpp>
#include <align/trace_tuning.cuh>
#include <helicity/align/problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

/// What the traceback kernel takes, in which shapes and batches: all that is decided on the host.
namespace helicity::align {

inline constexpr std::size_t trace_shape_count = std::size(tuning::trace_shapes);

/// Warps that a device holds at once, by shape.
using TraceWarps = std::array<int, trace_shape_count>;

/// A pair that the kernel takes, cut at its end cell.
struct TraceItem
{
  std::size_t pair;  ///< its place in the call
  std::int32_t query_length;
  std::int32_t target_length;
  std::int32_t block_rows;
  std::int32_t block_columns;
  std::uint32_t shape;  ///< index into tuning::trace_shapes
  std::size_t scratch;  ///< bytes of kept borders
  int scratch_class;    ///< pairs of one class need about the same

  /// The order of work: by shape, the largest first.
  bool operator<(const TraceItem& other) const;
  std::size_t letters() const
  {
    return static_cast<std::size_t>(query_length) + static_cast<std::size_t>(target_length);
  }
  std::size_t step_words() const { return (letters() + 15) / 16; }
  std::size_t most_runs() const;
  /// Of a batch of this item alone.
  std::size_t device_bytes() const;
};

/// Sorts the pairs of a call: `taken` is filled; paths that have no cells go to `empty`, by pair.
/// @param memory  device memory in bytes; a pair that needs more is not taken
std::vector<TraceItem> plan_traces(const Problem& problem, std::span<const CodePair> pairs,
                                   std::span<const EndCell> ends, std::size_t memory, bool* taken,
                                   std::vector<std::size_t>& empty);

/// The path of a pair whose end cell is in row 0 or column 0.
Path trace_of_edge(const Problem& problem, const EndCell& end);

/// The problem as the kernel reads it.
TraceScheme trace_scheme(const Problem& problem);

/// Items of one kernel launch.
struct TraceLaunch
{
  std::size_t begin;
  std::size_t end;
  std::uint32_t shape;
  std::size_t scratch;  ///< bytes of one pair
  int warps;            ///< that work at once
};

/// What a batch needs, and where it lies on the device: what is uploaded, what only the device has,
/// and what is downloaded (results and offsets).
class TraceLayout
{
 public:
  /// @param scratch_limit  bytes for kept borders; one warp has them in any case
  TraceLayout(const TraceWarps& warps, std::size_t scratch_limit)
      : warps_(warps), scratch_limit_(scratch_limit)
  {}

  /// Adds the next item of the order of work.
  void add(const TraceItem& item);
  /// Places all parts. @param offset_bytes  scratch of the scan
  void place(std::size_t offset_bytes);

  /// At least what place() comes to.
  std::size_t estimate() const;
  std::size_t letter_count() const { return letters_; }
  std::size_t run_capacity() const;
  const std::vector<TraceLaunch>& launches() const { return launches_; }

  std::size_t table, next, tasks, letters, upload_bytes;
  std::size_t results, offsets, download_bytes;
  std::size_t runs, scan, steps, ops, scratch, bytes;

 private:
  std::size_t scratch_bytes() const;

  TraceWarps warps_;
  std::size_t scratch_limit_;
  std::vector<TraceLaunch> launches_;
  std::size_t items_ = 0, letters_ = 0, words_ = 0, run_share_ = 0, most_runs_ = 0;
};

/// Bytes for kept borders when two batches share `memory`.
std::size_t trace_scratch_limit(std::size_t memory);

/// How many of the items, from the first on, make a batch when two batches share `memory`; at
/// least one, which may then need more than its half.
std::size_t trace_batch_size(std::span<const TraceItem> items, const TraceWarps& warps,
                             std::size_t memory);

}  // namespace helicity::align
