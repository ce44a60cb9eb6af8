// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/score_kernel.cuh>
#include <align/score_packed.hpp>
#include <align/score_packed_ops.cuh>
#include <align/score_task.hpp>
#include <align/tuning.cuh>

#include <cstdint>

/// Best end cells of two pairs at once to a group of lanes: scores are 16 bits wide, the first
/// pair's in the low half of each register and the second's in the high half. The wavefront is
/// that of score_kernel.cuh; letters, scores and boundary rows pass through shared memory.
///
/// Local scores are kept as they are. Others are kept as H'(i,j) = H(i,j) + (i + j) extend, E' and
/// F' alike, so that a gap costs its opening only. Rows past the end of a query: in local mode they
/// are of the letter N, which is no gain; else of a letter that gains scheme.carry with all
/// letters, so that row m + d holds H'(m, j - d) + d carry: the last row of a lane has seen the
/// last row of its queries, d columns late.
namespace helicity::align {

namespace {

/// What all lanes share; costs as they are added.
struct PackedCosts
{
  Halves open;    // local: of a gap's first letter, else of a gap beside its letters; negative
  Halves extend;  // of a letter, negative
  Halves rise;    // -extend
  int unit;       // 1
};

/// Two pairs of a batch. Their tasks are read where they are needed: registers are for cells.
struct PackedPairs
{
  const ScoreBatch& batch;
  int index[2];

  __device__ const ScoreTask& operator[](int half) const { return batch.tasks[index[half]]; }
  __device__ BoundaryCell* boundary() const { return boundary_of(batch, (*this)[0]); }
};

template <int Rows>
struct PackedStrip
{
  int above;           // rows above the lane's own
  Halves h[Rows];      // H at the last column done
  Halves e[Rows];      // E at the next
  int row[Rows];       // byte offset of the letter scores of the row
  Halves diagonal;     // H(above, j - 1) of the next column
  BoundaryCell below;  // the last row at the last column, for the next lane
  Halves top;          // row 0 at the next column (lane 0)
  Halves most;         // local: the largest H; else of the last row, as track_last_row counts
  int column[2];       // where it was first met, 0 if not at all
};

/// A warp's part of the shared memory.
template <int Lanes, int Rows, bool Local>
struct PackedShared
{
  using Layout = PackedLayout<Lanes, Rows, Local>;
  const std::byte* scores;  // pair table
  int* letters;             // of the group: byte offsets into a row of scores
  BoundaryCell* tops;       // row above the strip in a chunk of columns (whole warps)
  BoundaryCell* belows;     // the strip's last row, likewise
  Halves* kept;             // for each half, the column with the largest H (local), or the last

  template <int Half>
  __device__ __forceinline__ Halves* column() const
  {
    return kept + Half * Rows * 32;
  }
  /// Word by word: wider stores would want neighbouring registers, which costs moves in each step.
  template <int Half>
  __device__ __forceinline__ void keep(const PackedStrip<Rows>& strip) const
  {
    Halves* const to = column<Half>();
#pragma unroll
    for (int r = 0; r < Rows; ++r) to[r * 32] = strip.h[r];
  }
  /// For the halves in which bits are set; one copy of the stores, which each step has.
  __device__ __forceinline__ void keep_changed(PackedStrip<Rows>& strip, Halves bits, int j) const
  {
    const bool low = (bits & 0xffffU) != 0, high = (bits >> 16) != 0;
    if (low) strip.column[0] = j;
    if (high) strip.column[1] = j;
    const int end = high ? 2 * Rows * 32 : Rows * 32;
#pragma unroll 1
    for (int at = low ? 0 : Rows * 32; at < end; at += Rows * 32)
#pragma unroll
      for (int r = 0; r < Rows; ++r) kept[at + r * 32] = strip.h[r];
  }
};

/// Down the lane's rows in one column. `top` is the row above on entry, the last row on return.
template <int Rows, bool Local>
__device__ __forceinline__ void packed_column(PackedStrip<Rows>& strip, int letter,
                                              BoundaryCell& top, const std::byte* scores,
                                              const PackedCosts& costs)
{
  Halves diagonal = strip.diagonal;
  auto f = static_cast<Halves>(top.f);
  strip.diagonal = static_cast<Halves>(top.h);
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const Halves score =
        *reinterpret_cast<const Halves*>(scores + multiply_add(letter, costs.unit, strip.row[r]));
    const Halves through = __vadd2(diagonal, score);
    diagonal = strip.h[r];
    if constexpr (Local) {  // the sum as the third operand: it stays out of the fused add and max
      const Halves h = __vimax3_s16x2_relu(strip.e[r], f, through);
      const Halves opened = __vadd2(h, costs.open);
      strip.e[r] = __viaddmax_s16x2(strip.e[r], costs.extend, opened);
      f = __viaddmax_s16x2(f, costs.extend, opened);
      strip.h[r] = h;
      if (r % 2 == 1) strip.most = __vimax3_s16x2(strip.most, strip.h[r - 1], h);
    } else {
      const Halves h = __vimax3_s16x2(strip.e[r], f, through);
      strip.e[r] = __viaddmax_s16x2(h, costs.open, strip.e[r]);
      f = __viaddmax_s16x2(h, costs.open, f);
      strip.h[r] = h;
    }
  }
  top = {static_cast<std::int32_t>(strip.h[Rows - 1]), static_cast<std::int32_t>(f)};
}

/// The largest of the last row so far, counted as H' of column j: it rises by `extend` from one
/// column to the next, for which 16 bits wrap around and back. Strictly larger ones move the
/// column.
template <bool Checked, int Rows>
__device__ __forceinline__ void track_last_row(PackedStrip<Rows>& strip, const PackedPairs& pairs,
                                               int j, const PackedCosts& costs)
{
  strip.most = __vadd2(strip.most, costs.rise);
  auto value = static_cast<Halves>(strip.below.h);
  if constexpr (Checked) {  // nothing past the end of a target counts
    if (j > pairs[0].target_length) value = (value & 0xffff0000U) | 0x8000U;
    if (j > pairs[1].target_length) value = (value & 0xffffU) | 0x80000000U;
  }
  bool keep_high, keep_low;
  strip.most = larger(strip.most, value, keep_low, keep_high);
  strip.column[0] = keep_low ? strip.column[0] : j;
  strip.column[1] = keep_high ? strip.column[1] : j;
}

/// What the last row has at column 0, as track_last_row counts: ends there lose every tie.
__device__ __forceinline__ int last_row_begin(int late, int m, const ScoreScheme& scheme)
{
  return edge_score(scheme.left_open, scheme.left_extend, m) + (m - late) * scheme.extend +
         late * scheme.carry;
}

/// The best end of a lane in local mode: the first row that attained the largest H in its column.
template <int Half, int Rows>
__device__ __forceinline__ void note_local(const PackedStrip<Rows>& strip, const Halves* kept,
                                           ScoreEnd& best)
{
  if (strip.column[Half] == 0) return;
  const int score = half_of<Half>(strip.most);
  int row = 0;
  while (row < Rows - 1 && half_of<Half>(kept[row * 32]) != score) ++row;
  best = better(best, {score, strip.column[Half], strip.above + row + 1});
}

/// The best end of a lane in other modes: in the last row, of what was tracked; of the last column,
/// which was kept, its last row, all rows above if they are ends, and the columns of the last row
/// that only rows below hold yet.
template <int Half, int Rows>
__device__ __forceinline__ void note_edges(const PackedStrip<Rows>& strip, const ScoreTask& task,
                                           int columns, const Halves* kept,
                                           const ScoreScheme& scheme, ScoreEnd& best)
{
  const int m = task.query_length, n = task.target_length;
  const int last = m - 1 - strip.above, late = Rows - 1 - last;
  const bool holds_last = last >= 0 && last < Rows;
  if (holds_last && scheme.row_ends && strip.column[Half] != 0) {
    const Halves most = __vsub2(strip.most, both(columns * scheme.extend));
    const int score = half_of<Half>(most) - (m - late) * scheme.extend - late * scheme.carry;
    best = better(best, {score, strip.column[Half] - late, m});
  }
  const int begin = scheme.column_ends ? 0 : max(last, 0);
  const int end = !holds_last ? min(last, Rows) : scheme.row_ends ? min(Rows, last + n) : last + 1;
  for (int r = begin; r < end; ++r) {
    const int past = max(r - last, 0);
    const int i = strip.above + r + 1 - past, j = n - past;
    const int score = half_of<Half>(kept[r * 32]) - past * scheme.carry - (i + j) * scheme.extend;
    best = better(best, {score, j, i});
  }
}

/// The offsets of packed_chunk target letters from column `first` (0-based) on, after those of
/// the `Lanes` columns before.
template <int Lanes, class Shared>
__device__ __forceinline__ void fill_letters(const Shared& shared, int lane, int first,
                                             const PackedPairs& pairs)
{
  constexpr int columns = tuning::packed_chunk;
  const ScoreTask &low = pairs[0], &high = pairs[1];
  const std::uint8_t* letters = pairs.batch.letters;
  const int before = first == 0 ? Shared::Layout::outside : shared.letters[columns + lane];
  __syncwarp();
  shared.letters[lane] = before;
  for (int k = lane; k < columns; k += Lanes) {
    const int j = first + k;
    const int one = j < low.target_length ? letters[low.target + j] : packed_n;
    const int two = j < high.target_length ? letters[high.target + j] : packed_n;
    shared.letters[Lanes + k] = (one + packed_letters * two) * packed_entry_bytes;
  }
}

/// The row above the strip in a chunk of columns, for whole warps.
template <bool Local, class Shared>
__device__ __forceinline__ void fill_tops(const Shared& shared, int lane, int first, int columns,
                                          bool from_memory, const PackedPairs& pairs,
                                          const PackedCosts& costs, const ScoreScheme& scheme)
{
  const int j = first + lane + 1;
  Halves h = 0;
  if (!Local) h = both(j * (scheme.extend - scheme.top_extend) - scheme.top_open);
  BoundaryCell top{static_cast<std::int32_t>(h), static_cast<std::int32_t>(__vadd2(h, costs.open))};
  if (from_memory && j <= columns) top = pairs.boundary()[j - 1];
  shared.tops[lane] = top;
}

/// Up to packed_chunk steps of a warp. `Checked`: lanes may be before their first column, or at the
/// last one of a pair or past it.
template <int Lanes, int Rows, bool Local, bool Checked>
__device__ __forceinline__ void packed_chunk_steps(PackedStrip<Rows>& strip, int lane, int first,
                                                   int steps, const PackedPairs& pairs,
                                                   const PackedShared<Lanes, Rows, Local>& shared,
                                                   const PackedCosts& costs,
                                                   const ScoreScheme& scheme)
{
  const int* letters = shared.letters + Lanes - lane;
  const auto step = [&](int k) {
    const int letter = letters[k];
    BoundaryCell top{__shfl_up_sync(full_warp, strip.below.h, 1, Lanes),
                     __shfl_up_sync(full_warp, strip.below.f, 1, Lanes)};
    if constexpr (Lanes == 32) {
      const BoundaryCell entering = shared.tops[k];
      if (lane == 0) top = entering;
    } else {
      const Halves h = Local ? 0 : strip.top, f = Local ? costs.open : __vadd2(h, costs.open);
      if (lane == 0) top = {static_cast<std::int32_t>(h), static_cast<std::int32_t>(f)};
      if (!Local) strip.top = __vadd2(h, both(scheme.extend - scheme.top_extend));
    }
    const int j = first + k + 1 - lane;
    if (Checked && j < 1) return;
    const Halves most = strip.most;
    packed_column<Rows, Local>(strip, letter, top, shared.scores, costs);
    strip.below = top;
    if constexpr (Lanes == 32)
      if (lane == 31) shared.belows[k] = top;
    if constexpr (Local) {
      if (most != strip.most) shared.keep_changed(strip, most ^ strip.most, j);
    } else {
      track_last_row<Checked>(strip, pairs, j, costs);
      if (Checked && j == pairs[0].target_length) shared.template keep<0>(strip);
      if (Checked && j == pairs[1].target_length) shared.template keep<1>(strip);
    }
  };
  constexpr int unrolled = Checked ? 1 : tuning::packed_unroll;
#pragma unroll 1
  for (int k = 0; k < steps; k += unrolled)
#pragma unroll
    for (int u = 0; u < unrolled; ++u) step(k + u);
}

template <int Lanes, int Rows, bool Local>
__device__ __forceinline__ void begin_packed_strip(PackedStrip<Rows>& strip, int above,
                                                   const PackedPairs& pairs,
                                                   const PackedCosts& costs,
                                                   const ScoreScheme& scheme)
{
  constexpr int none = Local ? packed_n : packed_carry, codes = packed_codes<Local>;
  const ScoreTask &low = pairs[0], &high = pairs[1];
  const std::uint8_t* letters = pairs.batch.letters;
  const auto left = [&](int m, int i) {  // rows past the end hold the last one's
    const int row = min(i, m);
    const int edge = edge_score(scheme.left_open, scheme.left_extend, row) + row * scheme.extend;
    return Local || i == 0 ? 0 : edge;
  };
  const int m[] = {low.query_length, high.query_length};
  strip.above = above;
  strip.diagonal = both(left(m[0], above), left(m[1], above));
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const int i = above + r + 1;
    strip.h[r] = both(left(m[0], i), left(m[1], i));
    strip.e[r] = __vadd2(strip.h[r], costs.open);
    const int one = i <= m[0] ? letters[low.query + i - 1] : none;
    const int two = i <= m[1] ? letters[high.query + i - 1] : none;
    strip.row[r] = (one + codes * two) * packed_row_bytes + static_cast<int>(threadIdx.x) % 32 * 4;
  }
  strip.below = {0, static_cast<std::int32_t>(costs.open)};
  strip.top = both(scheme.extend - scheme.top_extend - scheme.top_open);
  strip.column[0] = strip.column[1] = 0;
  const auto begin = [&](int length) {
    return last_row_begin(above + Rows - length, length, scheme);
  };
  strip.most = Local ? 0 : both(begin(m[0]), begin(m[1]));
}

/// Steps until the last lane has seen all columns, rounded up to what a loop unrolls.
template <int Lanes>
__device__ __forceinline__ int packed_steps(int columns)
{
  return (columns + Lanes + 6) & ~7;
}

/// One strip of the pairs of each group. Columns: all that the warp computes, and the fewest of
/// one of its pairs.
template <int Lanes, int Rows, bool Local>
__device__ __forceinline__ void packed_strip(PackedStrip<Rows>& strip, int lane, int columns,
                                             int fewest, bool from_memory, bool to_memory,
                                             const PackedPairs& pairs,
                                             const PackedShared<Lanes, Rows, Local>& shared,
                                             const PackedCosts& costs, const ScoreScheme& scheme)
{
  constexpr int chunk = tuning::packed_chunk;
  const int steps = packed_steps<Lanes>(columns);
  for (int first = 0; first < steps; first += chunk) {
    __syncwarp();
    fill_letters<Lanes>(shared, lane, first, pairs);
    if constexpr (Lanes == 32)
      fill_tops<Local>(shared, lane, first, columns, from_memory, pairs, costs, scheme);
    __syncwarp();
    const int size = min(chunk, steps - first);
    if (Local || (first > 0 && first + chunk < fewest)) {
      packed_chunk_steps<Lanes, Rows, Local, false>(strip, lane, first, size, pairs, shared, costs,
                                                    scheme);
    } else {
      packed_chunk_steps<Lanes, Rows, Local, true>(strip, lane, first, size, pairs, shared, costs,
                                                   scheme);
    }
    if constexpr (Lanes == 32) {
      __syncwarp();
      const int j = first + lane - 31;  // 0-based column of the last lane at step `lane`
      if (to_memory && lane < size && j >= 0 && j < columns)
        pairs.boundary()[j] = shared.belows[lane];
    }
  }
}

/// The scores of all pairs of letter pairs, each 32 times: once in every bank.
template <bool Local>
__device__ __forceinline__ void fill_pair_table(Halves* to, const std::int32_t* table,
                                                const ScoreScheme& scheme)
{
  constexpr int codes = packed_codes<Local>;
  constexpr int entries = codes * codes * packed_letters * packed_letters;
  const auto score = [&](int query, int target) {
    if (query == packed_carry) return scheme.carry;
    return table[query * 32 + target] + (Local ? 0 : 2 * scheme.extend);
  };
  for (int entry = static_cast<int>(threadIdx.x) / 32; entry < entries;
       entry += static_cast<int>(blockDim.x) / 32)
  {
    const int target = entry % (packed_letters * packed_letters);
    const int query = entry / (packed_letters * packed_letters);
    to[entry * 32 + static_cast<int>(threadIdx.x) % 32] =
        both(score(query % codes, target % packed_letters),
             score(query / codes, target / packed_letters));
  }
}

template <int Lanes>
__device__ __forceinline__ ScoreEnd best_of_group(ScoreEnd best)
{
#pragma unroll
  for (int distance = Lanes / 2; distance > 0; distance /= 2) {
    best = better(best, ScoreEnd{__shfl_xor_sync(full_warp, best.score, distance),
                                 __shfl_xor_sync(full_warp, best.target_end, distance),
                                 __shfl_xor_sync(full_warp, best.query_end, distance)});
  }
  return best;
}

/// Puts the best end of a strip and those before it where the pair's result goes. A local score
/// that reaches scheme.guard may have left 16 bits: its end is packed_overflow.
template <int Lanes, int Rows, bool Local, int Half>
__device__ __forceinline__ void note_strip(const PackedStrip<Rows>& strip, int lane, int columns,
                                           bool is_first, bool is_pair, const PackedPairs& pairs,
                                           const PackedShared<Lanes, Rows, Local>& shared,
                                           const ScoreScheme& scheme)
{
  const ScoreTask task = pairs[Half];
  ScoreEnd& result = pairs.batch.ends[pairs.index[Half]];
  ScoreEnd best = best_of_edges<Local>(task, scheme);
  const Halves* const kept = shared.template column<Half>();
  if constexpr (Local) {
    note_local<Half>(strip, kept, best);
  } else {
    const int tracked = packed_steps<Lanes>(columns) - lane;
    note_edges<Half>(strip, task, tracked, kept, scheme, best);
  }
  best = best_of_group<Lanes>(best);
  if (lane != 0 || !is_pair) return;
  if (!is_first && result.target_end != packed_overflow) best = better(best, result);
  const bool overflow =
      Local && (best.score >= scheme.guard || (!is_first && result.target_end == packed_overflow));
  if (overflow) best.target_end = packed_overflow;
  result = best;
}

/// Pairs of pairs of a batch; warps take them from the queue until none is left.
template <int Lanes, int Rows, bool Local>
__device__ __forceinline__ void score_packed(const ScoreBatch& batch, const ScoreScheme& scheme,
                                             std::byte* memory)
{
  using Layout = PackedLayout<Lanes, Rows, Local>;
  constexpr int groups = 32 / Lanes;
  if (tasks_of(batch).begin >= tasks_of(batch).end) return;
  fill_pair_table<Local>(reinterpret_cast<Halves*>(memory), batch.table, scheme);
  __syncthreads();
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % Lanes, group = thread % 32 / Lanes;
  std::byte* const warp = memory + Layout::table_bytes + thread / 32 * Layout::bytes_per_warp;
  PackedShared<Lanes, Rows, Local> shared{};
  shared.scores = memory;
  shared.letters = reinterpret_cast<int*>(warp) + group * Layout::letters;
  shared.tops = reinterpret_cast<BoundaryCell*>(warp + Layout::letter_bytes);
  shared.belows = shared.tops + tuning::packed_chunk;
  shared.kept =
      reinterpret_cast<Halves*>(warp + Layout::letter_bytes + Layout::boundary_bytes) + thread % 32;
  const PackedCosts costs{both(Local ? -scheme.open_extend : scheme.extend - scheme.open_extend),
                          both(-scheme.extend), both(scheme.extend), scheme.unit};

  while (true) {
    int taken = 0;
    if (thread % 32 == 0) taken = atomicAdd(batch.next, 1);
    const TaskRange range = tasks_of(batch);
    const int first = range.begin + __shfl_sync(full_warp, taken, 0) * (2 * groups);
    if (first >= range.end) return;
    const int mine = first + 2 * group, last = range.end - 1;  // past the end: the last one again
    const PackedPairs pairs{batch, {min(mine, last), min(mine + 1, last)}};
    const int columns = batch.tasks[first].target_length;
    const int fewest = batch.tasks[min(first + 2 * groups - 1, last)].target_length;
    constexpr int strip_rows = Lanes * Rows;
    const int rows = Lanes == 32 ? max(pairs[0].query_length, pairs[1].query_length) : strip_rows;
    for (int above = 0; above < rows; above += strip_rows) {
      PackedStrip<Rows> strip;
      begin_packed_strip<Lanes, Rows, Local>(strip, above + lane * Rows, pairs, costs, scheme);
      packed_strip<Lanes, Rows, Local>(strip, lane, columns, fewest, above > 0,
                                       above + strip_rows < rows, pairs, shared, costs, scheme);
      note_strip<Lanes, Rows, Local, 0>(strip, lane, columns, above == 0, mine <= last, pairs,
                                        shared, scheme);
      note_strip<Lanes, Rows, Local, 1>(strip, lane, columns, above == 0, mine < last, pairs,
                                        shared, scheme);
      __syncwarp();  // the boundary row that is written is read by all
    }
  }
}

extern __shared__ uint4 packed_memory[];

template <int Lanes, int Rows, bool Local>
__global__ void __launch_bounds__(tuning::packed_threads, 1)
    packed_kernel(const __grid_constant__ ScoreBatch batch,
                  const __grid_constant__ ScoreScheme scheme)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100
  score_packed<Lanes, Rows, Local>(batch, scheme, reinterpret_cast<std::byte*>(packed_memory));
#endif
}

template <bool Local, std::size_t... Shapes>
PackedKernel packed_kernel_of(std::size_t shape, std::index_sequence<Shapes...>)
{
  constexpr auto& all = tuning::packed_shapes;
  static constexpr PackedKernel kernels[] = {
      {packed_kernel<all[Shapes].lanes, all[Shapes].rows, Local>,
       PackedLayout<all[Shapes].lanes, all[Shapes].rows, Local>::table_bytes,
       PackedLayout<all[Shapes].lanes, all[Shapes].rows, Local>::bytes_per_warp}...};
  return kernels[shape];
}

}  // namespace
}  // namespace helicity::align
