// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/aligner.hpp>

#include "support/align_random.hpp"

#include <string>

namespace helicity::test {

seq::Alphabet alphabet_of(const align::Scoring& scoring);

/// What an Aligner of that configuration owes for a pair of valid letters, by the oracle; with
/// Output::cigar, whatever the configuration says: see reduced().
align::Alignment expected(const align::Config& config, const Letters& letters);

/// The same as far as `output` asks for it.
align::Alignment reduced(align::Alignment full, align::Output output);

/// All fields as text: what tests compare, so that a difference can be read.
std::string describe(const align::Alignment& alignment);

/// Empty, or what is wrong with an alignment in itself: the CIGAR's lengths against the
/// coordinates, its score, its = and X against the letters.
std::string contradiction(const align::Config& config, const Letters& letters,
                          const align::Alignment& alignment);

}  // namespace helicity::test
