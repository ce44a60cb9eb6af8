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
  Scratch<std::uint8_t> query, target;  ///< codes, [letter][lane]
  Scratch<std::uint8_t> column;         ///< H and E entering a tile, [row][H, E][lane]
  Scratch<std::uint8_t> matrix;         ///< H of all cells, [tile][row][column][lane]
  Scratch<std::uint8_t> profile;        ///< letter scores of one tile, [row][column][lane]
  Scratch<std::uint8_t> masks;          ///< lanes whose query ends at a row, [event][lane]
  std::vector<std::uint8_t> shifted;    ///< targets moved onto a common diagonal
  std::vector<std::uint32_t> ops;
};

/// Diagonals j - i from low to high, over i letters of the query and j of the target.
struct Band
{
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// A group of pairs on its way through the lanes: plan, shape, buffers and the best cell per lane.
struct LaneGroup
{
  static constexpr std::size_t tile = 4;  ///< target columns per pass over the rows
  static constexpr std::size_t max_lanes = 256;
  static constexpr std::uint8_t pad = 0x80;  ///< target code that scores 0 with everything

  /// What a pass over the matrix is for.
  enum class Pass : std::uint8_t {
    ends,         ///< best end cells
    ends_matrix,  ///< best end cells, and the matrix is kept
    matrix        ///< the matrix is kept; end cells are known
  };

  /// The best end cell so far: V there, its scaled H outside local mode, and where.
  struct Best
  {
    std::int64_t v = 0;
    std::int64_t h = INT64_MIN;
    std::int64_t i = 0;
    std::int64_t j = 0;
  };

  /// Rows [begin, end) of the tile that starts at a column (both from 0).
  struct Rows
  {
    std::size_t begin;
    std::size_t end;
  };

  /// The part of the matrix that a banded run keeps.
  struct BandShape
  {
    std::int64_t height;  ///< rows per tile
    std::int64_t columns;
  };
  static BandShape band_shape(const Problem& problem, std::int64_t rows, std::int64_t columns);

  LaneGroup(const Problem& problem, LaneWidth width, LaneOutput output,
            std::span<const CodePair> pairs, LaneWorkspace::Impl& workspace, std::size_t lanes);

  std::size_t query_length(std::size_t lane) const
  {
    return static_cast<std::size_t>(pair[lane].query_length);
  }
  std::size_t target_length(std::size_t lane) const
  {
    return static_cast<std::size_t>(pair[lane].target_length);
  }
  Rows tile_rows(std::size_t column) const;
  /// Target letters before the first column of a lane (after cut_at_ends).
  std::int64_t target_offset(std::size_t lane) const { return begin_[lane]; }
  /// Does the whole matrix fit the caches, so that a second pass would save nothing?
  bool cached() const
  {
    const std::size_t bytes = width == LaneWidth::bits8 ? 1 : 2;
    return rows * columns * lanes * bytes <= lane_cached_matrix;
  }
  /// Cells kept per tile and lane.
  std::size_t tile_cells() const { return most_rows * tile; }

  void offer(std::size_t lane, std::int64_t v, std::size_t i, std::size_t j);

  /// Cuts the matrix to a band that is wide enough for pairs of small distance (global mode);
  /// false if that would save little.
  bool cut_global();
  /// Can no path outside the band be as good as the lane's best cell?
  bool global_band_holds(std::size_t lane) const;

  /// Leaves out cells beyond the costs that reads with some per cent of errors have.
  void set_cutoff();

  /// Cuts every exact lane at its end cell and moves the ends onto one diagonal, with a band for
  /// the longest gaps their scores admit. held[k] tells which lanes the band holds; false if none.
  bool cut_at_ends(bool* held);

  bool exact(std::size_t lane) const;

  /// Copies the lane's result out, with its path if the matrix was kept.
  void finish(std::size_t lane, Path& path) const;

  const Problem& problem;
  LaneWidth width;
  LaneOutput output;
  LaneWorkspace::Impl& scratch;
  std::size_t lanes;
  std::size_t count;  ///< pairs; the other lanes are empty
  CodePair pair[max_lanes];
  std::size_t rows = 0;     ///< longest query
  std::size_t columns = 0;  ///< longest target
  std::size_t most_rows = 0;
  LanePlan plan;
  Pass pass = Pass::ends;
  bool banded = false;
  bool shifted = false;  ///< targets begin inside the matrix: nothing enters from the left
  Band band;
  std::int64_t cutoff = 0;  ///< > 0: cells that cost more are left out (ends compete in V alone)
  std::vector<std::size_t> stops;  ///< rows kept of each tile, with a cutoff

  std::vector<std::size_t> row_events;     ///< distinct query lengths, ascending
  std::vector<std::size_t> column_events;  ///< distinct target lengths, ascending
  Best best[max_lanes];

 private:
  struct Gaps
  {
    std::int64_t deleted;
    std::int64_t inserted;
  };
  void measure();
  Gaps longest_gaps(std::size_t lane) const;
  void shift(std::size_t lane, std::int64_t begin);

  std::int64_t begin_[max_lanes] = {};  ///< target column before the first of the shifted lane
};

}  // namespace helicity::align
