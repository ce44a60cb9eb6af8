// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/lane_plan.hpp>
#include <helicity/align/lanes.hpp>

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helicity::align {

/// A cache-line aligned array that keeps its memory between groups.
template <class T>
class Scratch
{
 public:
  /// At least `count` elements; the contents are not kept.
  T* get(std::size_t count)
  {
    if (count > capacity_) {
      data_ = nullptr;
      capacity_ = 0;
      data_ = hwy::AllocateAligned<T>(count + count / 4);
      if (!data_) throw std::bad_alloc();
      capacity_ = count + count / 4;
    }
    return data_.get();
  }

 private:
  hwy::AlignedFreeUniquePtr<T[]> data_;
  std::size_t capacity_ = 0;
};

struct LaneWorkspace::Impl
{
  Scratch<std::uint8_t> query, target;   ///< codes, [letter][lane]
  Scratch<std::uint8_t> column;          ///< H and E entering a tile, [row][H, E][lane]
  Scratch<std::uint8_t> matrix;          ///< H of all cells, [tile][row][column][lane]
  Scratch<std::uint8_t> profile;         ///< letter scores of one tile, [row][column][lane]
  std::vector<std::uint32_t> ops;
};

/// A group of pairs on its way through the lanes: plan, shape, buffers and the best cell per lane.
struct LaneGroup
{
  static constexpr std::size_t tile = 4;      ///< target columns per pass over the rows
  static constexpr std::size_t max_lanes = 256;

  /// The best end cell so far: V there, its scaled H outside local mode, and where.
  struct Best
  {
    std::int64_t v = 0;
    std::int64_t h = INT64_MIN;
    std::int64_t i = 0;
    std::int64_t j = 0;
  };

  LaneGroup(const Problem& problem, LaneWidth width, LaneOutput output,
            std::span<const CodePair> pairs, LaneWorkspace::Impl& workspace, std::size_t lanes);

  std::size_t query_length(std::size_t lane) const
  {
    return lane < pairs.size() ? static_cast<std::size_t>(pairs[lane].query_length) : 0;
  }
  std::size_t target_length(std::size_t lane) const
  {
    return lane < pairs.size() ? static_cast<std::size_t>(pairs[lane].target_length) : 0;
  }

  void offer(std::size_t lane, std::int64_t v, std::size_t i, std::size_t j);

  /// Copies the lane's result out, with its path if asked for; false if it is not exact.
  bool finish(std::size_t lane, Path& path);

  const Problem& problem;
  LaneWidth width;
  LaneOutput output;
  std::span<const CodePair> pairs;
  LaneWorkspace::Impl& scratch;
  std::size_t lanes;
  std::size_t rows = 0;     ///< longest query
  std::size_t columns = 0;  ///< longest target
  LanePlan plan;
  bool keep_matrix = false;

  std::vector<std::size_t> row_events;     ///< distinct query lengths, ascending
  std::vector<std::size_t> column_events;  ///< distinct target lengths, ascending
  Best best[max_lanes];

 private:
  bool exact(std::size_t lane) const;
};

}  // namespace helicity::align
