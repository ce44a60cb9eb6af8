// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/trace_task.hpp>
#include <align/trace_tuning.cuh>

#include <cstdint>

/// Part of a pair's matrix, by a group of lanes: a skewed wavefront along the target. Lane l holds
/// `Rows` rows of the query in registers and is l columns behind lane 0, so that the row above and
/// the target's letter come from lane l - 1, by shuffles. All lanes of a warp take part in every
/// step, whatever their groups have to do.
namespace helicity::align {

namespace {

constexpr unsigned full_warp = 0xffffffffU;

/// What the path needs to know of a cell: H attained by one of four, the first that can in this
/// order: zero (local), the diagonal, E, F; and whether E to the right and F below extend this
/// cell's. Values of the sweep with directions are 8 times the scores, with these as low bits.
enum TraceDirection : int {
  from_insertion = 0,
  from_deletion = 1,
  from_diagonal = 2,
  from_zero = 3,
  from_mask = 3,
  more_deletion = 4,
  more_insertion = 8
};

/// A kept row or column: [0] is column, or row, first + 1. Null: row 0 or column 0.
struct TraceLine
{
  const TraceCell* cells;
  int first;
};

/// Rows row + 1 .. row + rows and columns column + 1 .. column + columns, the borders before them,
/// and letters of the whole pair. An idle group has columns = 0.
struct TraceFrame
{
  int row, column, rows, columns;
  TraceLine above;
  TraceLine left;
  const std::uint8_t* query;
  const std::uint8_t* target;
};

/// Where a sweep without directions keeps what it passes, of each row_step-th row and each
/// column_step-th column but the last.
struct TraceKeep
{
  TraceCell* rows;
  std::int64_t row_pitch;
  int row_step;    // a multiple of a strip's height
  TraceCell* row;  // for the last rows of all other strips
  TraceCell* columns;
  std::int64_t column_pitch;
  int column_step;
};

/// The rows of one lane in one strip.
template <int Rows>
struct TraceStrip
{
  int above;      // rows above its own
  int h[Rows];    // H at the last column done
  int e[Rows];    // E at the next
  int row[Rows];  // what Scores remembers of the query's letter
};

/// H(0, j) or H(i, 0), for i or j >= 1.
__device__ __forceinline__ int border(int open, int extend, int length)
{
  return -(open + length * extend);
}

__device__ __forceinline__ int border_above(const TraceScheme& scheme, int j)
{
  return border(scheme.top_open, scheme.top_extend, j);
}

__device__ __forceinline__ int border_left(const TraceScheme& scheme, int i)
{
  return border(scheme.left_open, scheme.left_extend, i);
}

/// Column by column down the lane's rows. `top` holds H(above, j) and F(above + 1, j) on entry, the
/// same below the last row on return; `diagonal` is H(above, j - 1).
template <int Rows, bool Local, class Scores>
__device__ __forceinline__ void trace_column(TraceStrip<Rows>& strip, int letter, int diagonal,
                                             TraceCell& top, const Scores& scores,
                                             const TraceScheme& scheme)
{
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const int through = diagonal + scores(strip.row[r], letter);
    const int h = Local ? __vimax3_s32_relu(strip.e[r], top.gap, through)
                        : __vimax3_s32(strip.e[r], top.gap, through);
    const int opened = h - scheme.open_extend;
    strip.e[r] = __viaddmax_s32(strip.e[r], -scheme.extend, opened);
    top.gap = __viaddmax_s32(top.gap, -scheme.extend, opened);
    diagonal = strip.h[r];
    strip.h[r] = h;
  }
  top.h = strip.h[Rows - 1];
}

/// The same with all values times 8, E with from_deletion; returns the directions, 4 bits a row.
template <int Rows, bool Local, class Scores>
__device__ __forceinline__ std::uint32_t trace_directions(TraceStrip<Rows>& strip, int letter,
                                                          int diagonal, TraceCell& top,
                                                          const Scores& scores,
                                                          const TraceScheme& scheme)
{
  static_assert(Rows <= 8);
  const int extend = more_deletion - 8 * scheme.extend;
  std::uint32_t directions = 0;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const int through = diagonal + (8 * scores(strip.row[r], letter) + from_diagonal);
    int h = __vimax3_s32(strip.e[r], top.gap, through);
    if (Local) h = max(h, static_cast<int>(from_zero));
    const int clean = h & ~7;
    const int opened = clean - 8 * scheme.open_extend;
    const int e = __viaddmax_s32(strip.e[r], extend, opened);
    const int f = __viaddmax_s32(top.gap, extend, opened);
    const int found = (h & from_mask) | (e & more_deletion) | (f & more_deletion) << 1;
    directions |= static_cast<std::uint32_t>(found) << (4 * r);
    strip.e[r] = (e & ~7) | from_deletion;
    top.gap = f & ~7;
    diagonal = strip.h[r];
    strip.h[r] = clean;
  }
  top.h = strip.h[Rows - 1];
  return directions;
}

/// H(above, column), before the frame's first column, of a strip.
__device__ __forceinline__ int corner(const TraceFrame& frame, int above, const TraceScheme& scheme)
{
  if (above == 0) return frame.column == 0 ? 0 : border_above(scheme, frame.column);
  if (frame.left.cells == nullptr) return border_left(scheme, above);
  if (above > frame.left.first) return frame.left.cells[above - 1 - frame.left.first].h;
  return frame.above.cells[frame.column - 1 - frame.above.first].h;
}

/// A lane's rows before the frame's first column; returns H(above, column). Rows past the frame's
/// last one only pass values down.
template <int Rows, bool Directions, class Scores>
__device__ __forceinline__ int begin_strip(TraceStrip<Rows>& strip, int above,
                                           const TraceFrame& frame, const Scores& scores,
                                           const TraceScheme& scheme)
{
  constexpr int scale = Directions ? 8 : 1;
  const int end = frame.row + frame.rows;
  strip.above = above;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const int i = above + r + 1;
    const bool inside = i <= end;
    TraceCell cell{border_left(scheme, i), border_left(scheme, i) - scheme.open_extend};
    if (inside && frame.left.cells != nullptr) cell = frame.left.cells[i - 1 - frame.left.first];
    strip.h[r] = cell.h * scale;
    strip.e[r] = cell.gap * scale + (Directions ? from_deletion : 0);
    strip.row[r] = inside ? scores.row(frame.query[i - 1]) : Scores::none;
  }
  if (above >= end) return 0;
  return corner(frame, above, scheme) * scale;
}

/// Keeps the lane's rows of a column.
template <int Rows>
__device__ __forceinline__ void keep_column(const TraceStrip<Rows>& strip, const TraceFrame& frame,
                                            TraceCell* column)
{
  const int first = strip.above - frame.row;
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    if (first + r < frame.rows) column[first + r] = {strip.h[r], strip.e[r]};
}

/// One strip of the frame. `above`: the row before it, as it was kept; `below`: where its last row
/// goes, or null; `directions`: one word per step for each lane of the warp.
template <int Lanes, int Rows, bool Local, bool Directions, class Scores>
__device__ void sweep_strip(int rows_above, int lane, const TraceFrame& frame, TraceLine above,
                            TraceCell* below, const TraceKeep& keep, std::uint32_t* directions,
                            int steps, const Scores& scores, const TraceScheme& scheme)
{
  constexpr int scale = Directions ? 8 : 1;
  TraceStrip<Rows> strip;
  int diagonal =
      begin_strip<Rows, Directions>(strip, rows_above + lane * Rows, frame, scores, scheme);
  const int n = frame.columns;
  const std::uint8_t* target = frame.target + frame.column;
  const bool from_memory = Lanes == 32 && above.cells != nullptr;
  const TraceCell* row = from_memory ? above.cells + (frame.column - above.first) : nullptr;
  TraceCell* column = keep.columns;
  int next_column = keep.column_step;
  TraceCell last{0, 0};  // this lane's last row at its last column, for the lane after it
  int letter = 0;

  // Each lane fetches one column in advance of each chunk of `Lanes`.
  int next_letter = lane < n ? target[lane] : 0;
  TraceCell next_top = from_memory && lane < n ? row[lane] : TraceCell{0, 0};
  for (int first = 0; first < steps; first += Lanes) {
    const int chunk_letter = next_letter;
    const TraceCell chunk_top = next_top;
    const int fetch = first + Lanes + lane;
    if (fetch < n) {
      next_letter = target[fetch];
      if (from_memory) next_top = row[fetch];
    }
    for (int k = 0; k < Lanes; ++k) {
      const int entering = __shfl_sync(full_warp, chunk_letter, k, Lanes);
      letter = __shfl_up_sync(full_warp, letter, 1, Lanes);
      TraceCell top{__shfl_up_sync(full_warp, last.h, 1, Lanes),
                    __shfl_up_sync(full_warp, last.gap, 1, Lanes)};
      if (from_memory) {
        const int h = __shfl_sync(full_warp, chunk_top.h, k, Lanes);
        const int f = __shfl_sync(full_warp, chunk_top.gap, k, Lanes);
        if (lane == 0) top = {h * scale, f * scale};
      } else if (lane == 0) {
        const int h = border_above(scheme, frame.column + first + k + 1);
        top = {h * scale, (h - scheme.open_extend) * scale};
      }
      if (lane == 0) letter = entering;

      const int j = first + k + 1 - lane;  // in the frame
      if (j < 1 || j > n) continue;
      const int h_above = top.h;
      if constexpr (Directions) {
        const std::uint32_t word =
            trace_directions<Rows, Local>(strip, letter, diagonal, top, scores, scheme);
        directions[(first + k) * 32] = word;
      } else {
        trace_column<Rows, Local>(strip, letter, diagonal, top, scores, scheme);
        if (j == next_column && j < n) {
          keep_column(strip, frame, column);
          column += keep.column_pitch;
          next_column += keep.column_step;
        }
        if (below != nullptr && lane == Lanes - 1) below[j - 1] = top;
      }
      diagonal = h_above;
      last = top;
    }
  }
  __syncwarp();  // what one lane kept is read by all
}

/// Steps of the longest wavefront in the warp; a strip of `rows` rows fills so many lanes.
template <int Lanes, int Rows>
__device__ __forceinline__ int steps_of_warp(int rows, int columns)
{
  const int lanes = min(Lanes, (rows + Rows - 1) / Rows);
  int steps = columns > 0 ? columns + lanes - 1 : 0;
#pragma unroll
  for (int distance = Lanes; distance < 32; distance *= 2)
    steps = max(steps, __shfl_xor_sync(full_warp, steps, distance));
  return steps;
}

/// All strips of a frame, keeping borders.
template <int Lanes, int Rows, bool Local, class Scores>
__device__ void sweep(int lane, const TraceFrame& frame, const TraceKeep& keep,
                      const Scores& scores, const TraceScheme& scheme)
{
  constexpr int height = Lanes * Rows;
  TraceLine above = frame.above;
  int done = 0;  // rows
  do {
    TraceCell* below = nullptr;
    const int after = done + height;
    if (Lanes == 32 && after < frame.rows) {
      const bool kept = after % keep.row_step == 0;
      below = kept ? keep.rows + (after / keep.row_step - 1) * keep.row_pitch : keep.row;
    }
    const int steps = steps_of_warp<Lanes, Rows>(frame.rows - done, frame.columns);
    sweep_strip<Lanes, Rows, Local, false>(frame.row + done, lane, frame, above, below, keep,
                                           nullptr, steps, scores, scheme);
    above = {below, frame.column};
    done = after;
  } while (Lanes == 32 && done < frame.rows);
}

}  // namespace
}  // namespace helicity::align
