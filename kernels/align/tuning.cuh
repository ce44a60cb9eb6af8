// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Numbers of the alignment kernels, with what they were measured by.
namespace helicity::align::tuning {

inline constexpr int score_threads = 128;

/// A pair is worked on by `lanes` lanes of a warp with `rows` rows of the query each; longer
/// queries than lanes * rows take several strips, which whole warps do only. `blocks` of 128
/// threads are to be resident on a multiprocessor, which bounds the registers.
struct Shape
{
  int lanes;
  int rows;
  int blocks;
};

// Registers by -Xptxas -v (nvcc 13.0), least to most over modes and score kinds; no spills:
//   shape       sm_75, 80   sm_86, 89   sm_90       sm_100, 120
//   8 x 8       56 -  69    56 -  70    58 -  69    72 -  80
//   16 x 10     64 -  79    64 -  79    64 -  79    88 -  94
//   32 x 10     77 -  86    79 -  87    79 -  85    80 -  96
//   32 x 16    103 - 116   106 - 117   103 - 114   106 - 126
// Without `blocks` ptxas stops at the next lower step of occupancy and spills 4 to 12 bytes.
inline constexpr Shape score_shapes[] = {{8, 8, 6}, {16, 10, 5}, {32, 10, 5}, {32, 16, 4}};

// The 16-bit kernels (compute capability 9.x and 10.x): blocks of up to 512 threads, of which one
// fills a multiprocessor, since they share the table of letter scores.
inline constexpr int packed_threads = 512;
inline constexpr int packed_chunk = 32;  ///< columns between two turns to memory

// Steps of the main loop between two jumps: 8 keep the moves at its end below a fiftieth of the
// work. The stand-in's build sets 2, since it compiles each kernel again, to C.
#ifndef HELICITY_PACKED_UNROLL
#define HELICITY_PACKED_UNROLL 8
#endif
inline constexpr int packed_unroll = HELICITY_PACKED_UNROLL;

struct PackedShape
{
  int lanes;
  int rows;
};

/// The last is for queries of several strips, and only for those.
inline constexpr PackedShape packed_shapes[] = {{4, 8},   {4, 16},  {8, 16},  {8, 20}, {16, 16},
                                                {16, 24}, {32, 16}, {32, 24}, {32, 24}};

// A batch is large enough to fill a device and small enough that packing, copying and computing
// overlap; two are in flight. It ends with a wave, which is as many pairs of a shape as are
// resident at once: the 16-bit kernels' blocks leave no room on a multiprocessor for those of the
// next batch, so that a wave which is not full leaves it idle. On 132 multiprocessors a wave of 32
// lanes is 132 * 16 warps * 2 = 4224 pairs, at 6 kb 51e6 letters: 64 Mi letters alone would be 1.3
// waves.
inline constexpr std::size_t score_batch_letters = std::size_t{64} << 20;   ///< that, and
inline constexpr std::size_t score_batch_waves = 4;                         ///< these, are enough;
inline constexpr std::size_t score_large_letters = std::size_t{256} << 20;  ///< one wave of these;
inline constexpr std::size_t score_most_letters = std::size_t{1} << 30;     ///< part of one
inline constexpr std::size_t score_batch_pairs = std::size_t{1} << 18;
inline constexpr std::size_t score_pinned_bytes = std::size_t{256} << 20;  ///< beyond it: pageable
inline constexpr std::size_t score_kept_bytes = std::size_t{512} << 20;  ///< between calls, at most
inline constexpr int score_packing_threads = 8;

}  // namespace helicity::align::tuning
