// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Numbers of the traceback kernel.
namespace helicity::align::tuning {

inline constexpr int trace_threads = 128;

/// Blocks that are to be resident on a multiprocessor, which bounds the registers: what 48 to 53
/// KiB of shared memory each leave room for, if it can be had without spills.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
inline constexpr int trace_blocks = 4;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ >= 1000)
inline constexpr int trace_blocks = 3;
#else
inline constexpr int trace_blocks = 2;
#endif

/// A pair is worked on by `lanes` lanes of a warp with `rows` <= 8 rows of the query each (one word
/// of directions); queries of more rows than lanes * rows take whole warps.
struct TraceShape
{
  int lanes;
  int rows;

  constexpr int height() const { return lanes * rows; }
};

// Registers by -Xptxas -v (nvcc 13.0), least to most over shapes, modes and score kinds; no spills:
//   sm_75 112 - 123, sm_80 112 - 123, sm_86 and 89 120 - 132, sm_90 109 - 124, sm_100 123 - 139,
//   sm_120 125 - 145
inline constexpr TraceShape trace_shapes[] = {{8, 8}, {16, 8}, {32, 5}, {32, 8}};

/// Steps of a tile's wavefront: directions take 128 bytes of shared memory per step and warp.
inline constexpr int trace_steps = 96;

/// Columns of a tile.
constexpr int trace_columns(const TraceShape& shape) { return trace_steps - shape.lanes + 1; }

// Borders of all tiles are kept up to this size, which mostly stays in caches; beyond it, two
// levels of tiles.
inline constexpr std::size_t trace_plain_bytes = std::size_t{1} << 20;

// A batch is large enough to fill a device and small enough that packing, copying and computing
// overlap; two are in flight.
inline constexpr std::size_t trace_batch_letters = std::size_t{64} << 20;
inline constexpr std::size_t trace_batch_pairs = std::size_t{1} << 18;
inline constexpr std::size_t trace_pinned_bytes = std::size_t{96} << 20;  ///< beyond it: pageable
inline constexpr std::size_t trace_kept_bytes = std::size_t{512} << 20;  ///< between calls, at most

}  // namespace helicity::align::tuning
