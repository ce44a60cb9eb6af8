// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>
#include <helicity/core/exec.hpp>

#include <helicity/core/macros.hpp>

#include <cstddef>

namespace helicity::align {

/// The general engine: one pair of any length (each < 2^31), full matrix, SIMD along a strip of
/// query rows that slides over the target; lanes are as wide as the score range demands (32 or 64
/// bits), so nothing can wrap. The score needs O(target) memory; the path is recomputed from
/// checkpoints in about `memory` bytes, whatever the lengths.

/// Best end cell of a pair (problem.hpp).
/// @throws RuntimeFault if memory runs out
HELICITY_EXPORT EndCell align_strip_end(const Problem& problem, const CodePair& pair);

/// Best end cell and path of a pair; the path does not depend on `memory`.
/// @param memory  bytes for checkpoints and one block of directions; raised to the least that works
/// @throws RuntimeFault if memory runs out
HELICITY_EXPORT Path align_strip_path(const Problem& problem, const CodePair& pair,
                                      std::size_t memory);

}  // namespace helicity::align
