// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Numbers of the alignment kernels, with what they were measured by.
namespace helicity::align::tuning {

inline constexpr int score_threads = 128;

/// A pair is worked on by `lanes` lanes of a warp with `rows` rows of the query each. Longer
/// queries than lanes * rows take several strips, which whole warps do only.
struct Shape
{
  int lanes;
  int rows;
};

inline constexpr Shape score_shapes[] = {{8, 8}, {16, 10}, {32, 10}, {32, 16}};

// A batch is large enough to fill a device and small enough that packing, copying and computing
// overlap; two are in flight.
inline constexpr std::size_t score_batch_letters = std::size_t{64} << 20;
inline constexpr std::size_t score_batch_pairs = std::size_t{1} << 18;
inline constexpr std::size_t score_pinned_bytes = std::size_t{96} << 20;  ///< beyond it: pageable
inline constexpr std::size_t score_kept_bytes = std::size_t{512} << 20;   ///< between calls, at most
inline constexpr int score_packing_threads = 8;

}  // namespace helicity::align::tuning
