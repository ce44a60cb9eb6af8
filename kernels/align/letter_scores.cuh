// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// How a lane remembers the query's letter of a row, and scores it against one of the target.
/// `Scheme` has a match and a mismatch.
namespace helicity::align {

namespace {

/// DNA with one score for equal letters and one, not positive, for all else, N included: a row
/// remembers the query's letter.
template <class Scheme>
struct UniformScores
{
  static constexpr int none = 5;  // N, and rows past the end: equal to no letter of a target
  static constexpr int table_size = 0;
  const Scheme& scheme;

  __device__ UniformScores(const Scheme& scheme, const std::int32_t*) : scheme(scheme) {}
  __device__ static void load(const std::int32_t*, std::int32_t*) {}
  __device__ int row(int code) const { return code == 4 ? none : code; }
  __device__ int operator()(int row, int target_code) const
  {
    return row == target_code ? scheme.match : scheme.mismatch;
  }
};

/// A table in shared memory: a row remembers where the query's letter has its scores. Rows are 33
/// words apart, so that equal target letters do not meet in a bank; the last one is of zeros, for
/// rows past the end (they only copy scores to cells that lose every tie).
template <class Scheme>
struct TableScores
{
  static constexpr int pitch = 33;
  static constexpr int none = 32 * pitch;
  static constexpr int table_size = 33 * pitch;
  const std::int32_t* scores;

  __device__ TableScores(const Scheme&, const std::int32_t* scores) : scores(scores) {}
  __device__ static void load(const std::int32_t* table, std::int32_t* scores)
  {
    for (int k = static_cast<int>(threadIdx.x); k < table_size; k += static_cast<int>(blockDim.x)) {
      const int query_code = k / pitch, target_code = k % pitch;
      const bool inside = query_code < 32 && target_code < 32;
      scores[k] = inside ? table[query_code * 32 + target_code] : 0;
    }
  }
  __device__ int row(int code) const { return code * pitch; }
  __device__ int operator()(int row, int target_code) const { return scores[row + target_code]; }
};

}  // namespace
}  // namespace helicity::align
