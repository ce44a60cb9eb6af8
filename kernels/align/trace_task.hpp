// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstdint>

/// What the host and the traceback kernels say to each other.
namespace helicity::align {

/// One pair of a batch, cut at its end cell.
struct TraceTask
{
  std::uint64_t query;         ///< offset of its codes
  std::uint64_t target;        ///< likewise
  std::uint64_t steps;         ///< offset of its steps, in words of 16
  std::int32_t query_length;   ///< >= 1
  std::int32_t target_length;  ///< >= 1
  std::int32_t block_rows;     ///< the outer level of tiles: multiples of a tile's rows and
  std::int32_t block_columns;  ///< columns; not less than the lengths: there is no outer level
};

/// One cell of a kept border. A row keeps F of the row below it, a column E of the column to its
/// right: these are always finite.
struct alignas(8) TraceCell
{
  std::int32_t h;
  std::int32_t gap;
};

/// Where the kept borders of a pair lie in its scratch memory, in cells.
struct TraceBorders
{
  std::int64_t rows;          ///< last rows of blocks, each as wide as the matrix
  std::int64_t row;           ///< the last row of the strip before, where that is not kept
  std::int64_t columns;       ///< last columns of blocks, each as high as the matrix
  std::int64_t tile_rows;     ///< of the tiles of one block,
  std::int64_t tile_columns;  ///< both without those of the last ones
  std::int64_t size;

  /// Lengths, and rows and columns of blocks and of tiles.
  HELICITY_HD TraceBorders(std::int64_t m, std::int64_t n, std::int64_t block_rows,
                           std::int64_t block_columns, std::int64_t height, std::int64_t width)
  {
    const auto inner = [](std::int64_t length, std::int64_t piece) { return (length - 1) / piece; };
    const std::int64_t down = m < block_rows ? m : block_rows;
    const std::int64_t right = n < block_columns ? n : block_columns;
    const bool outer = down < m || right < n;
    rows = 0;
    row = rows + inner(m, block_rows) * n;
    columns = row + (outer && m > height ? n : 0);
    tile_rows = columns + inner(n, block_columns) * m;
    tile_columns = tile_rows + inner(down, height) * right;
    size = tile_columns + inner(right, width) * down;
  }
};

/// The problem as the kernel reads it. H(0, j) = -(top_open + j top_extend), H(i, 0) alike with
/// left.
struct TraceScheme
{
  std::int32_t open_extend;  ///< cost of a gap's first letter
  std::int32_t extend;       ///< of each further one
  std::int32_t top_open, top_extend;
  std::int32_t left_open, left_extend;
  std::int32_t match, mismatch;  ///< of a uniform scheme
  bool top_free, left_free;      ///< a path ends at row 0, at column 0
};

/// A path as the walk found it.
struct TraceResult
{
  std::int32_t query_begin;
  std::int32_t target_begin;
  std::int32_t steps;  ///< inside the matrix, the last one first
  std::int32_t edge;   ///< letters of the gap along row 0 (deleted), or of column 0 if negative
};

struct TraceBatch
{
  const TraceTask* tasks;
  std::int32_t count;
  const std::uint8_t* letters;
  const std::int32_t* table;  ///< [query code * 32 + target code]; read unless uniform
  std::int32_t* next;         ///< the work queue: warps' worth of pairs taken, 0 before the launch
  TraceCell* scratch;
  std::int64_t scratch_cells;  ///< of one pair; each group of lanes has so many
  std::int32_t warps;          ///< that have scratch
  std::uint32_t* steps;        ///< 2 bits each: an operation of BAM, M, I or D
  TraceResult* results;
  std::uint32_t* runs;  ///< of equal operations, by pair
};

/// Paths as runs, from steps.
struct TraceRuns
{
  const TraceTask* tasks;
  std::int32_t count;
  const std::uint32_t* steps;
  const TraceResult* results;
  const std::uint32_t* offsets;  ///< [count + 1] sums of the runs before
  std::uint32_t first;           ///< offset of what is written at ops[0]
  std::uint32_t* ops;            ///< length << 4 | operation
  std::uint32_t capacity;        ///< nothing is written if there are more runs
};

}  // namespace helicity::align
