// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/letter_scores.cuh>
#include <align/trace_sweep.cuh>
#include <align/trace_walk.cuh>

#include <cstdint>

/// Paths of pairs to their end cells. The matrix is cut into tiles of one strip's rows and
/// trace_columns() columns, and, where it has many, these into blocks. A sweep of all keeps the
/// borders of blocks; one of each block that the path meets, those of its tiles; one of each tile
/// that it meets, the directions.
namespace helicity::align {

namespace {

/// Scratch of one pair, with its borders found.
struct TracePlace
{
  const TraceTask& task;
  TraceBorders borders;
  TraceCell* scratch;

  __device__ TracePlace(const TraceTask& task, TraceCell* scratch, int height, int width)
      : task(task),
        borders(task.query_length, task.target_length, task.block_rows, task.block_columns, height,
                width),
        scratch(scratch)
  {}

  __device__ bool blocks() const
  {
    return task.query_length > task.block_rows || task.target_length > task.block_columns;
  }
  __device__ TraceFrame whole(const std::uint8_t* letters) const
  {
    return {0,
            0,
            task.query_length,
            task.target_length,
            {nullptr, 0},
            {nullptr, 0},
            letters + task.query,
            letters + task.target};
  }
  __device__ TraceKeep keep_blocks() const
  {
    return {scratch + borders.rows,    task.target_length, task.block_rows,   scratch + borders.row,
            scratch + borders.columns, task.query_length,  task.block_columns};
  }
  __device__ TraceKeep keep_tiles(int height, int width) const
  {
    return {scratch + borders.tile_rows,
            min(task.target_length, task.block_columns),
            height,
            nullptr,
            scratch + borders.tile_columns,
            min(task.query_length, task.block_rows),
            width};
  }
};

/// The part that a path at (i, j) can still meet of the piece it is in, of `rows` x `columns`
/// pieces of a frame whose inner borders are kept. `inside`: else it is idle.
__device__ __forceinline__ TraceFrame piece_at(const TraceFrame& frame, const TraceKeep& kept,
                                               int rows, int columns, const TraceWalk& walk,
                                               bool inside)
{
  TraceFrame piece = frame;
  if (!inside) {
    piece.rows = piece.columns = 0;
    return piece;
  }
  const int down = (walk.i - frame.row - 1) / rows;
  const int right = (walk.j - frame.column - 1) / columns;
  piece.row = frame.row + down * rows;
  piece.column = frame.column + right * columns;
  piece.rows = walk.i - piece.row;
  piece.columns = walk.j - piece.column;
  if (down > 0) piece.above = {kept.rows + (down - 1) * kept.row_pitch, frame.column};
  if (right > 0) piece.left = {kept.columns + (right - 1) * kept.column_pitch, frame.row};
  return piece;
}

/// Lanes of a warp that work on one pair.
template <int Lanes, int Rows, bool Local, class Scores>
struct TraceGroup
{
  static constexpr int height = Lanes * Rows;
  static constexpr int width = tuning::trace_columns({Lanes, Rows});

  int lane;
  std::uint32_t* directions;  ///< of this lane; those of lane 0 are `lane` words before
  const Scores& scores;
  const TraceScheme& scheme;

  /// Walks until every path of the warp has left the block it is in.
  __device__ void trace_block(TraceWalk& walk, const TraceFrame& block, const TraceKeep& keep,
                              std::uint32_t* steps) const
  {
    TraceFrame several = block;
    if (block.rows <= height && block.columns <= width) several.rows = several.columns = 0;
    if (__any_sync(full_warp, several.columns > 0))
      sweep<Lanes, Rows, Local>(lane, several, keep, scores, scheme);
    while (true) {
      const bool inside = block.columns > 0 && walk.inside(block.row, block.column);
      if (!__any_sync(full_warp, inside)) return;
      const TraceFrame tile = piece_at(block, keep, height, width, walk, inside);
      const int steps_here = steps_of_warp<Lanes, Rows>(tile.rows, tile.columns);
      sweep_strip<Lanes, Rows, Local, true>(tile.row, lane, tile, tile.above, nullptr, keep,
                                            directions, steps_here, scores, scheme);
      if (lane == 0 && inside) walk_tile<Rows>(walk, tile.row, tile.column, directions, steps);
      share_place<Lanes>(walk);
    }
  }

  __device__ void trace(TraceWalk& walk, const TracePlace& place, const std::uint8_t* letters,
                        std::uint32_t* steps) const
  {
    const TraceFrame whole = place.whole(letters);
    const TraceKeep blocks = place.keep_blocks();
    const TraceKeep tiles = place.keep_tiles(height, width);
    if (Lanes == 32 && place.blocks())
      sweep<Lanes, Rows, Local>(lane, whole, blocks, scores, scheme);
    while (true) {
      const bool inside = walk.inside(0, 0);
      if (!__any_sync(full_warp, inside)) return;
      const TraceFrame block =
          piece_at(whole, blocks, place.task.block_rows, place.task.block_columns, walk, inside);
      trace_block(walk, block, tiles, steps);
    }
  }
};

template <class Scores>
constexpr std::size_t trace_shared_bytes()
{
  constexpr std::size_t table = (Scores::table_size + 31) / 32 * 32 * sizeof(std::int32_t);
  return table + std::size_t{tuning::trace_threads} * tuning::trace_steps * sizeof(std::uint32_t);
}

/// Paths of batch.count pairs; warps take groups of pairs from the queue until none is left.
/// Dynamic shared memory: trace_shared_bytes().
template <int Lanes, int Rows, bool Local, class Scores>
__global__ void __launch_bounds__(tuning::trace_threads, tuning::trace_blocks)
    trace_kernel(const __grid_constant__ TraceBatch batch,
                 const __grid_constant__ TraceScheme scheme)
{
  using Group = TraceGroup<Lanes, Rows, Local, Scores>;
  constexpr int pairs_per_warp = 32 / Lanes;
  extern __shared__ std::uint32_t trace_shared[];
  auto* const table = reinterpret_cast<std::int32_t*>(trace_shared);
  Scores::load(batch.table, table);
  __syncthreads();
  const Scores scores(scheme, table);

  const int warp_in_block = static_cast<int>(threadIdx.x) / 32;
  const int warp = static_cast<int>(blockIdx.x) * (tuning::trace_threads / 32) + warp_in_block;
  if (warp >= batch.warps) return;
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  const int group = static_cast<int>(threadIdx.x) % 32 / Lanes;
  constexpr int table_words = (Scores::table_size + 31) / 32 * 32;
  std::uint32_t* const directions =
      trace_shared + table_words + warp_in_block * (32 * tuning::trace_steps) + threadIdx.x % 32;
  const Group lanes{lane, directions, scores, scheme};
  TraceCell* const scratch =
      batch.scratch + (std::int64_t{warp} * pairs_per_warp + group) * batch.scratch_cells;

  while (true) {
    int taken = 0;
    if (threadIdx.x % 32 == 0) taken = atomicAdd(batch.next, 1);
    const int first = __shfl_sync(full_warp, taken, 0) * pairs_per_warp;
    if (first >= batch.count) return;
    const bool idle = first + group >= batch.count;
    const int mine = idle ? first : first + group;
    const TraceTask task = batch.tasks[mine];
    const TracePlace place(task, scratch, Group::height, Group::width);
    TraceWalk walk{task.query_length, task.target_length, idle};
    std::uint32_t* const steps = batch.steps + task.steps;
    lanes.trace(walk, place, batch.letters, steps);
    if (lane == 0 && !idle) {
      batch.results[mine] = finish_walk(walk, scheme, steps);
      batch.runs[mine] = static_cast<std::uint32_t>(walk.runs);
    }
    __syncwarp();
  }
}

}  // namespace
}  // namespace helicity::align
