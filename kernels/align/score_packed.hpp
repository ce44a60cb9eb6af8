// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/score_task.hpp>
#include <align/tuning.cuh>

#include <cstddef>

/// The 16-bit score kernels as the host sees them.
namespace helicity::align {

inline constexpr int packed_letters = 5;        ///< codes of targets: A C G T N
inline constexpr int packed_n = 4;              ///< scores at most 0 with all letters
inline constexpr int packed_carry = 5;          ///< of query rows past the end, but in local mode
inline constexpr int packed_entry_bytes = 128;  ///< a pair of scores for each bank
inline constexpr int packed_row_bytes = packed_letters * packed_letters * packed_entry_bytes;
inline constexpr int packed_overflow = -1;  ///< target_end of a pair that is to be done again

inline constexpr int packed_most_cost = 8000;  ///< of a letter or a gap, either way
inline constexpr int packed_most_rows = 24;    ///< of a lane

template <bool Local>
inline constexpr int packed_codes = Local ? packed_letters : packed_letters + 1;

/// Shared memory of a block: the pair table; letters and boundary rows of each warp; kept columns.
template <int Lanes, int Rows, bool Local>
struct PackedLayout
{
  static_assert(Rows <= packed_most_rows && Rows % 4 == 0);
  static constexpr int outside = (packed_n + packed_letters * packed_n) * packed_entry_bytes;
  static constexpr int table_bytes = packed_codes<Local> * packed_codes<Local> * packed_row_bytes;
  static constexpr int letters = Lanes + tuning::packed_chunk;
  static constexpr int letter_bytes = 32 / Lanes * letters * 4;
  static constexpr int boundary_bytes =
      Lanes == 32 ? 2 * tuning::packed_chunk * static_cast<int>(sizeof(BoundaryCell)) : 0;
  static constexpr int bytes_per_warp = letter_bytes + boundary_bytes + 32 * 2 * Rows * 4;
  static_assert(table_bytes + tuning::packed_threads / 32 * bytes_per_warp <= 227 * 1024);
};

/// A kernel and the shared memory of its blocks: fixed, and for each warp.
struct PackedKernel
{
  void (*kernel)(ScoreBatch, ScoreScheme);
  int table_bytes;
  int bytes_per_warp;
};

/// @param shape  index into tuning::packed_shapes
PackedKernel packed_local_kernel(std::size_t shape);
PackedKernel packed_global_kernel(std::size_t shape);

}  // namespace helicity::align
