// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>
#include <helicity/core/macros.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::align {

/// CIGAR operations, numbered as in BAM. I consumes the query, D the target.
enum class CigarOp : std::uint8_t {
  match = 0,
  insertion = 1,
  deletion = 2,
  soft_clip = 4,
  equal = 7,
  diff = 8
};

/// A CIGAR as BAM words: length << 4 | op; a run longer than 2^28 - 1 is several words.
using Cigar = std::vector<std::uint32_t>;

constexpr std::int64_t cigar_length(std::uint32_t word) { return word >> 4; }
constexpr CigarOp cigar_op(std::uint32_t word) { return static_cast<CigarOp>(word & 15); }

/// Appends a run, merged with the last word if it is of the same operation.
HELICITY_EXPORT void append(Cigar& cigar, CigarOp op, std::int64_t length);

/// Text such as 10=1X2I; "*" if empty.
HELICITY_EXPORT std::string to_string(const Cigar& cigar);

/// Replaces = and X by M.
HELICITY_EXPORT Cigar with_match_op(const Cigar& cigar);

/// A path made canonical: every gap shifted left (towards the begin of both sequences) while the
/// letter that leaves the gap on its right has the same code as the letter that enters on its left,
/// and a run of aligned letters is left to shift into; then M split into = and X.
/// Gaps are shifted from left to right, each as far as it goes. One that reaches a gap of the other
/// kind stays behind it, in their order; one that reaches its own kind is merged with it, and the
/// two go on as one. The score never falls; time grows with the path and the letters shifted over.
/// = is: same code, which is not N (DNA) or X (protein); everything else is X.
/// @param unknown  code that never equals anything: 4 for DNA, 22 for protein
HELICITY_EXPORT Cigar finish_path(const Path& path, const CodePair& pair, std::uint8_t unknown);

/// Counts of a finished CIGAR.
struct CigarCounts
{
  std::int64_t equal = 0;
  std::int64_t diff = 0;
  std::int64_t inserted = 0;
  std::int64_t deleted = 0;

  /// SAM's NM: mismatches plus inserted plus deleted letters.
  std::int64_t edit_distance() const { return diff + inserted + deleted; }
  /// Equal letters over columns of the alignment; 0 for an empty one.
  double identity() const
  {
    const std::int64_t columns = equal + edit_distance();
    return columns == 0 ? 0.0 : static_cast<double>(equal) / static_cast<double>(columns);
  }
};

HELICITY_EXPORT CigarCounts count(const Cigar& cigar);

/// SAM's MD string of a finished CIGAR (= and X, not M).
/// @param target  letters from the alignment's begin on, as read (upper case is written)
HELICITY_EXPORT std::string md_string(const Cigar& cigar, std::string_view target);

/// The score that a CIGAR (of M, =, X, I and D) earns under a scheme, by definition; for checks.
/// @param query, target  codes from the alignment's begin on
HELICITY_EXPORT std::int64_t rescore(const Cigar& cigar, const ScoreTable& table,
                                     const std::uint8_t* query, const std::uint8_t* target);

}  // namespace helicity::align
