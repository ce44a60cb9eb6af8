// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/letter_scores.cuh>
#include <align/score_task.hpp>
#include <align/tuning.cuh>

#include <cstdint>

/// Best end cells, one pair to a group of lanes: a skewed wavefront along the target. Lane l holds
/// `Rows` rows of the query in registers and is l columns behind lane 0, so that the row above and
/// the target's letter come from lane l - 1, by shuffles. Queries of more rows than a warp holds
/// are cut into strips; the last row of a strip passes through memory.
namespace helicity::align {

namespace {

constexpr unsigned full_warp = 0xffffffffU;

/// The larger score, then the smaller target end, then the smaller query end.
__device__ __forceinline__ ScoreEnd better(const ScoreEnd& a, const ScoreEnd& b)
{
  if (a.score != b.score) return a.score > b.score ? a : b;
  if (a.target_end != b.target_end) return a.target_end < b.target_end ? a : b;
  return a.query_end <= b.query_end ? a : b;
}

/// The rows of one lane in one strip.
template <int Rows>
struct Strip
{
  int above;      // rows above its own
  int h[Rows];    // H at the last column done
  int e[Rows];    // E at the next
  int row[Rows];  // what Scores remembers of the query's letter
};

/// Column by column down the lane's rows. `top` holds H(above, j) and F(above + 1, j) on entry, the
/// same below the last row on return; `diagonal` is H(above, j - 1). Returns the largest H.
template <int Rows, bool Local, class Scores>
__device__ __forceinline__ int score_column(Strip<Rows>& strip, int letter, int diagonal,
                                            BoundaryCell& top, const Scores& scores,
                                            const ScoreScheme& scheme)
{
  int largest = INT32_MIN;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const int through = diagonal + scores(strip.row[r], letter);
    const int h = Local ? __vimax3_s32_relu(strip.e[r], top.f, through)
                        : __vimax3_s32(strip.e[r], top.f, through);
    const int opened = h - scheme.open_extend;
    strip.e[r] = __viaddmax_s32(strip.e[r], -scheme.extend, opened);
    top.f = __viaddmax_s32(top.f, -scheme.extend, opened);
    diagonal = strip.h[r];
    strip.h[r] = h;
    if (Local) largest = max(largest, h);
  }
  top.h = strip.h[Rows - 1];
  return largest;
}

/// Takes what ends in column j of a lane's rows into account.
template <int Rows, bool Local>
__device__ __forceinline__ void note_ends(const Strip<Rows>& strip, const ScoreTask& task, int j,
                                          int largest, const ScoreScheme& scheme, ScoreEnd& best)
{
  if constexpr (Local) {
    if (largest < best.score || (largest == best.score && j >= best.target_end)) return;
    int r = Rows - 1;
#pragma unroll
    for (int k = Rows - 2; k >= 0; --k)
      if (strip.h[k] == largest) r = k;
    best = {largest, j, strip.above + r + 1};
  } else {
    const bool last_column = j == task.target_length;
    const int last = task.query_length - 1 - strip.above;  // the last row, as one of this lane's
    if (last >= 0 && last < Rows && (scheme.row_ends || last_column)) {
      int h = strip.h[0];
#pragma unroll
      for (int r = 1; r < Rows; ++r)
        if (r == last) h = strip.h[r];
      best = better(best, {h, j, task.query_length});
    }
    if (scheme.column_ends && last_column) {
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        if (r <= last) best = better(best, {strip.h[r], j, strip.above + r + 1});
    }
  }
}

/// H(0, j) or H(i, 0), for i or j >= 1.
__device__ __forceinline__ int edge_score(int open, int extend, int length)
{
  return -(open + length * extend);
}

/// The best of row 0 and column 0: all that is known before the first cell is computed.
template <bool Local>
__device__ __forceinline__ ScoreEnd best_of_edges(const ScoreTask& task, const ScoreScheme& scheme)
{
  if (Local) return {0, 0, 0};
  const int m = task.query_length, n = task.target_length;
  ScoreEnd best{INT32_MIN, 0, 0};
  if (scheme.row_ends) best = {edge_score(scheme.left_open, scheme.left_extend, m), 0, m};
  if (scheme.column_ends)
    best = better(best, {edge_score(scheme.top_open, scheme.top_extend, n), n, 0});
  return best;
}

/// The first strip's rows, or any later strip's, before column 1.
template <int Rows, class Scores>
__device__ __forceinline__ void begin_strip(Strip<Rows>& strip, int above, const ScoreTask& task,
                                            const std::uint8_t* query, const Scores& scores,
                                            const ScoreScheme& scheme)
{
  strip.above = above;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const int i = above + r + 1;
    strip.h[r] = edge_score(scheme.left_open, scheme.left_extend, i);
    strip.e[r] = strip.h[r] - scheme.open_extend;
    strip.row[r] = i <= task.query_length ? scores.row(query[i - 1]) : Scores::none;
  }
}

/// The tasks of a launch.
struct TaskRange
{
  int begin, end;
};

__device__ __forceinline__ TaskRange tasks_of(const ScoreBatch& batch)
{
  return batch.range == nullptr ? TaskRange{0, batch.count}
                                : TaskRange{batch.range[0], batch.range[1]};
}

__device__ __forceinline__ BoundaryCell* boundary_of(const ScoreBatch& batch, const ScoreTask& task)
{
  const std::uint64_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  return batch.boundary +
         (batch.boundary_stride == 0 ? task.boundary : warp * batch.boundary_stride);
}

/// One strip of a pair for each group of lanes. `columns` is the largest target length of the warp.
template <int Lanes, int Rows, bool Local, class Scores>
__device__ __forceinline__ void score_strip(Strip<Rows>& strip, int lane, const ScoreTask& task,
                                            int columns, bool from_memory, bool to_memory,
                                            const ScoreBatch& batch, const Scores& scores,
                                            const ScoreScheme& scheme, ScoreEnd& best)
{
  const std::uint8_t* target = batch.letters + task.target;
  BoundaryCell* boundary = boundary_of(batch, task);
  const int n = task.target_length;

  // H(above, j - 1) of the next column; H(0, 0) = 0 whatever the edges cost.
  int diagonal =
      strip.above == 0 ? 0 : edge_score(scheme.left_open, scheme.left_extend, strip.above);
  BoundaryCell below{0, 0};  // this lane's last row at its last column, for the lane after it
  int letter = 0;

  // Each lane fetches one column in advance of each chunk of `Lanes`.
  int next_letter = lane < n ? target[lane] : 0;
  BoundaryCell next_top = from_memory && lane < n ? boundary[lane] : BoundaryCell{0, 0};
  const int steps = columns + Lanes - 1;
  for (int first = 0; first < steps; first += Lanes) {
    const int chunk_letter = next_letter;
    const BoundaryCell chunk_top = next_top;
    const int fetch = first + Lanes + lane;
    if (fetch < n) {
      next_letter = target[fetch];
      if (from_memory) next_top = boundary[fetch];
    }
    for (int k = 0; k < Lanes; ++k) {
      const int entering = __shfl_sync(full_warp, chunk_letter, k, Lanes);
      letter = __shfl_up_sync(full_warp, letter, 1, Lanes);
      BoundaryCell top{__shfl_up_sync(full_warp, below.h, 1, Lanes),
                       __shfl_up_sync(full_warp, below.f, 1, Lanes)};
      if (from_memory) {
        const int h = __shfl_sync(full_warp, chunk_top.h, k, Lanes);
        const int f = __shfl_sync(full_warp, chunk_top.f, k, Lanes);
        if (lane == 0) top = {h, f};
      } else if (lane == 0) {
        top.h = edge_score(scheme.top_open, scheme.top_extend, first + k + 1);
        top.f = top.h - scheme.open_extend;
      }
      if (lane == 0) letter = entering;

      const int j = first + k + 1 - lane;
      if (j < 1 || j > n) continue;
      const int above = top.h;
      const int largest = score_column<Rows, Local>(strip, letter, diagonal, top, scores, scheme);
      diagonal = above;
      below = top;
      note_ends<Rows, Local>(strip, task, j, largest, scheme, best);
      if (to_memory && lane == Lanes - 1) boundary[j - 1] = below;
    }
  }
}

/// Best end cells of batch.count pairs; warps take groups of pairs from the queue until none is
/// left.
template <int Lanes, int Rows, int Blocks, bool Local, class Scores>
__global__ void __launch_bounds__(tuning::score_threads, Blocks)
    score_kernel(const __grid_constant__ ScoreBatch batch,
                 const __grid_constant__ ScoreScheme scheme)
{
  constexpr int pairs_per_warp = 32 / Lanes;
  __shared__ std::int32_t shared_table[Scores::table_size > 0 ? Scores::table_size : 1];
  Scores::load(batch.table, shared_table);
  __syncthreads();
  const Scores scores(scheme, shared_table);
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  const int group = static_cast<int>(threadIdx.x) % 32 / Lanes;

  const TaskRange range = tasks_of(batch);
  while (true) {
    int taken = 0;
    if (threadIdx.x % 32 == 0) taken = atomicAdd(batch.next, 1);
    const int first = range.begin + __shfl_sync(full_warp, taken, 0) * pairs_per_warp;
    if (first >= range.end) return;
    const int mine = min(first + group, range.end - 1);  // past the end: the last one again
    const ScoreTask task = batch.tasks[mine];
    const int columns = batch.tasks[first].target_length;

    ScoreEnd best = best_of_edges<Local>(task, scheme);
    Strip<Rows> strip;
    const std::uint8_t* query = batch.letters + task.query;
    constexpr int strip_rows = Lanes * Rows;
    if constexpr (pairs_per_warp > 1) {  // the query fits
      begin_strip(strip, lane * Rows, task, query, scores, scheme);
      score_strip<Lanes, Rows, Local>(strip, lane, task, columns, false, false, batch, scores,
                                      scheme, best);
    } else {
      for (int above = 0; above < task.query_length; above += strip_rows) {
        begin_strip(strip, above + lane * Rows, task, query, scores, scheme);
        score_strip<Lanes, Rows, Local>(strip, lane, task, columns, above > 0,
                                        above + strip_rows < task.query_length, batch, scores,
                                        scheme, best);
        __syncwarp();  // the boundary row that the last lane wrote is read by all
      }
    }

#pragma unroll
    for (int distance = Lanes / 2; distance > 0; distance /= 2) {
      const ScoreEnd other{__shfl_xor_sync(full_warp, best.score, distance),
                           __shfl_xor_sync(full_warp, best.target_end, distance),
                           __shfl_xor_sync(full_warp, best.query_end, distance)};
      best = better(best, other);
    }
    if (lane == 0 && first + group < range.end) batch.ends[first + group] = best;
  }
}

}  // namespace
}  // namespace helicity::align
