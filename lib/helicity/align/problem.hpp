// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/scoring.hpp>

#include <cstdint>
#include <vector>

namespace helicity::align {

/// global: both sequences end to end. local: the best-scoring pair of substrings (score >= 0).
/// semi_global: end to end but for the ends named in FreeEnds.
enum class Mode : std::uint8_t { global, local, semi_global };

/// Ends that may stay unaligned at no cost; read in semi_global mode only.
/// Default: the query lies within the target ("fit").
struct FreeEnds
{
  bool query_begin = false;
  bool query_end = false;
  bool target_begin = true;
  bool target_end = true;
};

/// What is to be computed for every pair of a batch. The recurrence (Gotoh 1982), with i letters
/// of the query and j of the target consumed, o = gap_open, e = gap_extend:
///   E(i,j) = max(E(i,j-1), H(i,j-1) - o) - e      deletion: consumes target
///   F(i,j) = max(F(i-1,j), H(i-1,j) - o) - e      insertion: consumes query
///   H(i,j) = max(H(i-1,j-1) + s(i,j), E(i,j), F(i,j))       and 0 in local mode
/// H(0,0) = 0; H(0,j) = 0 in local mode or if target_begin is free, else -(o + j e); H(i,0) alike
/// with query_begin; E(i,0) = F(0,j) = -infinity.
/// End cells: local: all; semi_global: (m,n), row m if target_end is free, column n if query_end is
/// free; global: (m,n). The best end cell has the largest H, then the smallest j, then the smallest
/// i. Path, walking back from it: in H take the diagonal if it attains H, else the deletion E, else
/// the insertion F; in a gap go on while extending attains its value, else open. Stop in H at the
/// first cell of score 0 (local), at (0,0), at row 0 if target_begin is free, at column 0 if
/// query_begin is free; a row 0 or column 0 that is not free is walked as one gap.
struct Problem
{
  ScoreTable table;
  Mode mode = Mode::global;
  FreeEnds free;  ///< all false unless mode is semi_global
};

/// Two sequences as codes of the problem's alphabet (values < table.letters). At least 64 bytes
/// past the end of each are readable.
struct CodePair
{
  const std::uint8_t* query = nullptr;
  const std::uint8_t* target = nullptr;
  std::int64_t query_length = 0;
  std::int64_t target_length = 0;
};

/// The best end cell: letters consumed of each sequence, and its score.
struct EndCell
{
  std::int64_t score = 0;
  std::int64_t query_end = 0;
  std::int64_t target_end = 0;
};

/// The path as the walk finds it, in forward order, before gaps are left-aligned: BAM words
/// (length << 4 | op), op 0 = M, 1 = I, 2 = D, neighbouring words of different op.
struct Path
{
  EndCell end;
  std::int64_t query_begin = 0;
  std::int64_t target_begin = 0;
  std::vector<std::uint32_t> ops;
};

}  // namespace helicity::align
