// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>
#include <helicity/core/exec.hpp>

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace helicity::align {

/// The 16-bit kernels (compute capability 9.x and 10.x, DNA) where they can be proven or seen to be
/// exact and the 32-bit kernel for all else; or the 32-bit kernel only. Results are the same.
enum class ScoreEngine : std::uint8_t { automatic, wide };

struct ScoreOptions
{
  int threads = 0;  ///< CPU threads that pack batches, as Exec::threads; a few are enough
  ScoreEngine engine = ScoreEngine::automatic;
};

/// Best end cell of each pair on a CUDA device: exact scores, affine gaps, all modes.
/// Batches are cut so that what is resident at once fits `memory` bytes of device memory.
/// A pair that the kernel does not take (score range beyond 32 bits, or boundary rows beyond
/// `memory`) gets taken[k] = false and is left to the CPU engines; results do not depend on that.
/// @throws RuntimeFault if a CUDA call fails, or the library was built without CUDA
/// @note waits for the device before it returns
HELICITY_EXPORT void score_batch(Cuda exec, const Problem& problem, std::span<const CodePair> pairs,
                                 std::size_t memory, EndCell* ends, bool* taken,
                                 const ScoreOptions& options = {});

}  // namespace helicity::align
