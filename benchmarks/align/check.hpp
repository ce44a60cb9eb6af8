// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "peer.hpp"

namespace helicity::bench {

// The optimal score by a plain affine matrix (Gotoh 1982): slow, and independent of all peers.
std::int32_t reference_score(const TextPair& pair, Mode mode);

// Whether the path earns the score: it stays inside the sequences, tells matches from mismatches
// where it claims to, and spans what the mode demands. Outer gaps of a free end cost nothing.
bool path_scores(const TextPair& pair, Mode mode, const Result& result);

// How many results are wrong: a score other than expected, or a path that does not earn it.
std::size_t count_wrong(const Task& task, std::span<const TextPair> pairs,
                        std::span<const std::int32_t> expected, std::span<const Result> results);

}  // namespace helicity::bench
