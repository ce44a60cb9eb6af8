// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/trace_sweep.cuh>

#include <cstdint>

/// The walk back through the directions of one tile after the other.
namespace helicity::align {

namespace {

enum TraceStep : int { step_match = 0, step_insertion = 1, step_deletion = 2, step_none = 3 };

/// Where the walk is. Place and end are known to all lanes of the group, the rest to lane 0.
struct TraceWalk
{
  int i, j;
  bool done;            // at a cell of score 0
  int gap = step_none;  // the one to the right or below, not known yet to begin here
  int steps = 0;
  int runs = 0;
  int last = step_none;
  std::uint32_t word = 0;  // steps that are not stored yet

  __device__ bool inside(int row, int column) const { return !done && i > row && j > column; }
};

__device__ __forceinline__ void take_step(TraceWalk& walk, int step, std::uint32_t* steps)
{
  walk.i -= step != step_deletion;
  walk.j -= step != step_insertion;
  walk.word |= static_cast<std::uint32_t>(step) << (2 * (walk.steps & 15));
  if ((++walk.steps & 15) == 0) {
    steps[walk.steps / 16 - 1] = walk.word;
    walk.word = 0;
  }
  walk.runs += step != walk.last;
  walk.last = step;
}

/// Walks until the path leaves the tile whose corner is given, or ends. `directions` are those of
/// the group's lane 0.
template <int Rows>
__device__ void walk_tile(TraceWalk& walk, int row, int column, const std::uint32_t* directions,
                          std::uint32_t* steps)
{
  while (walk.i > row && walk.j > column) {
    const int r = walk.i - row - 1;
    const int lane = r / Rows;
    const std::uint32_t word = directions[(walk.j - column - 1 + lane) * 32 + lane];
    const int cell = static_cast<int>(word >> (4 * (r - lane * Rows)));
    const bool goes_on = (walk.gap == step_deletion && (cell & more_deletion) != 0) ||
                         (walk.gap == step_insertion && (cell & more_insertion) != 0);
    if (!goes_on) {
      const int from = cell & from_mask;
      if (from == from_zero) {
        walk.done = true;
        return;
      }
      walk.gap = from == from_diagonal ? step_none
                                       : (from == from_deletion ? step_deletion : step_insertion);
    }
    take_step(walk, walk.gap == step_none ? step_match : walk.gap, steps);
  }
}

/// Lane 0's place, for all lanes of its group.
template <int Lanes>
__device__ __forceinline__ void share_place(TraceWalk& walk)
{
  walk.i = __shfl_sync(full_warp, walk.i, 0, Lanes);
  walk.j = __shfl_sync(full_warp, walk.j, 0, Lanes);
  walk.done = __shfl_sync(full_warp, static_cast<int>(walk.done), 0, Lanes) != 0;
}

/// The gap along row 0 or column 0, and what the path came to.
__device__ __forceinline__ TraceResult finish_walk(TraceWalk& walk, const TraceScheme& scheme,
                                                   std::uint32_t* steps)
{
  if ((walk.steps & 15) != 0) steps[walk.steps / 16] = walk.word;
  int edge = 0;
  if (walk.i == 0 && walk.j > 0 && !scheme.top_free) {
    edge = walk.j;
    walk.j = 0;
    walk.runs += walk.last != step_deletion;
  } else if (walk.j == 0 && walk.i > 0 && !scheme.left_free) {
    edge = -walk.i;
    walk.i = 0;
    walk.runs += walk.last != step_insertion;
  }
  return {walk.i, walk.j, walk.steps, edge};
}

}  // namespace
}  // namespace helicity::align
