// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/cigar.hpp>
#include <helicity/align/problem.hpp>

#include <cstdint>
#include <string>
#include <string_view>

/// Slow, obvious and independent of the library: what the tests compare with. Nothing here calls a
/// function of the library; only its types are shared.
namespace helicity::oracle {

/// Best end cell and path by the recurrence and the rules of problem.hpp: three full matrices of
/// 64-bit numbers, 24 bytes a cell.
align::Path align(const align::Problem& problem, const align::CodePair& pair);

/// The best end cell of align().
align::EndCell best_end(const align::Problem& problem, const align::CodePair& pair);

/// Largest score over all alignments, each written down and scored by the definition of a gap's
/// cost; no recurrence. Exponential: for lengths up to 5 or so.
std::int64_t best_score_by_enumeration(const align::Problem& problem, const align::CodePair& pair);

/// finish_path by its definition, column by column: shift the leftmost gap that can be shifted by
/// one letter, until none can.
align::Cigar finish_path(const align::Path& path, const align::CodePair& pair,
                         std::uint8_t unknown);

/// What the columns of a path or CIGAR (M, =, X, I, D) earn.
std::int64_t score_of(const align::Cigar& cigar, const align::ScoreTable& table,
                      const std::uint8_t* query, const std::uint8_t* target);

/// The target letters that query, CIGAR and MD describe (upper case); throws std::runtime_error if
/// they contradict each other or MD is not of the form that the SAM specification asks for.
std::string target_from_md(const align::Cigar& cigar, std::string_view md, std::string_view query);

}  // namespace helicity::oracle
