// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What the host and the score kernel say to each other.
namespace helicity::align {

/// One pair of a batch.
struct ScoreTask
{
  std::uint64_t query;   ///< offset of its codes
  std::uint64_t target;  ///< likewise
  std::uint64_t
      boundary;  ///< offset of target_length entries; read only if there are several strips
  std::int32_t query_length;   ///< >= 1
  std::int32_t target_length;  ///< >= 1
};

/// The row above a strip at one column: H, and F of the row below it.
struct alignas(8) BoundaryCell
{
  std::int32_t h;
  std::int32_t f;
};

/// A candidate for the best end cell.
struct ScoreEnd
{
  std::int32_t score;
  std::int32_t target_end;
  std::int32_t query_end;
};

/// A problem as the kernel reads it. H(0, j) = -(top_open + j top_extend), H(i, 0) alike with left.
struct ScoreScheme
{
  std::int32_t open_extend;  ///< cost of a gap's first letter
  std::int32_t extend;       ///< of each further one
  std::int32_t top_open, top_extend;
  std::int32_t left_open, left_extend;
  std::int32_t match, mismatch;  ///< of a uniform scheme
  bool row_ends;                 ///< the last row is one of end cells
  bool column_ends;              ///< the last column is
  std::int32_t carry;            ///< 16 bits: more than H' grows from a column to the next
  std::int32_t unit;             ///< 1, which a compiler must not know
  std::int32_t guard;            ///< 16 bits: a local score from which on 32 bits are needed
};

struct ScoreBatch
{
  const ScoreTask* tasks;  ///< of target lengths that do not increase
  std::int32_t count;
  const std::uint8_t* letters;
  BoundaryCell* boundary;
  const std::int32_t* table;  ///< [query code * 32 + target code]; read unless uniform
  std::int32_t* next;         ///< the work queue: groups taken, 0 before the launch
  ScoreEnd* ends;
  const std::int32_t* range;      ///< which tasks, [range[0], range[1]); nullptr: [0, count)
  std::uint64_t boundary_stride;  ///< if not 0: each warp has so many boundary entries of its own
};

}  // namespace helicity::align
