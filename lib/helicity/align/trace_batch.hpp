// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>
#include <helicity/core/exec.hpp>

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <functional>
#include <span>

namespace helicity::align {

/// Takes the path of a pair; called by several threads at a time, once for each pair taken.
using PathSink = std::function<void(std::size_t pair, Path& path)>;

/// Paths to known best end cells (score_batch) on a CUDA device, by the rules of problem.hpp: the
/// matrix is computed once more up to the end cell, keeping rows and columns of it here and there;
/// then the tiles that the path crosses, with directions, from the end cell back.
/// Memory of a pair: its letters, a quarter byte for each of them, and, for each pair that is
/// computed at the same time, O((m n)^(2/3)) bytes. Batches are cut so that what is resident fits
/// `memory` bytes (0: most of what is free).
/// A pair that the kernel does not take (8 times its score range beyond 32 bits, 2^27 letters or
/// more, or `memory` too small) gets taken[k] = false and is left to the CPU engines; results do
/// not depend on that.
/// @param ends     of each pair; the score is passed on
/// @param threads  of the host, to pack pairs and hand out paths; >= 1
/// @throws RuntimeFault if a CUDA call fails, or the library was built without CUDA
/// @note waits for the device before it returns; thread-safe
HELICITY_EXPORT void trace_batch(Cuda exec, const Problem& problem, std::span<const CodePair> pairs,
                                 std::span<const EndCell> ends, std::size_t memory, int threads,
                                 bool* taken, const PathSink& sink);

}  // namespace helicity::align
