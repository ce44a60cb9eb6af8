// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/score_task.hpp>
#include <helicity/align/problem.hpp>

#include <cuda_runtime_api.h>

#include <cstdint>

namespace helicity::align {

/// Whether a device has what the 16-bit kernels are made of (DPX): compute capability 9.x and 10.x.
bool has_packed_kernels(int device_id);

/// Queues the kernel of a shape (below all_shapes) for a batch on the current device.
/// @param most_warps  no more are launched on a multiprocessor
void launch_scores(const Problem& problem, std::uint32_t shape, const ScoreBatch& batch,
                   const ScoreScheme& scheme, cudaStream_t stream, int most_warps = 64);

}  // namespace helicity::align
