// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>
#include <helicity/seq/alphabet.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// Random problems for alignment tests: the same on every machine for a seed.
namespace helicity::test {

class Random
{
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();                                       ///< SplitMix64
  std::int64_t between(std::int64_t low, std::int64_t high);  ///< both included
  bool chance(int percent) { return between(0, 99) < percent; }

 private:
  std::uint64_t state_;
};

struct Letters
{
  std::string query;
  std::string target;
};

/// Random letters of an alphabet, N (dna) or X (protein) excluded.
std::string random_sequence(Random& random, seq::Alphabet alphabet, std::int64_t length);

/// A copy of a sequence in which about `percent` of the letters are hit by a substitution, an
/// insertion or a deletion (of one letter or more).
std::string mutated(Random& random, seq::Alphabet alphabet, const std::string& sequence,
                    int percent);

/// A pair out of a mixture: lengths 0 to max_length, mostly short; unrelated, related at any
/// identity, one within the other, overlapping, repeats, all letters the same; some with unknown
/// letters, lower case, and for DNA U and IUPAC codes.
Letters random_pair(Random& random, seq::Alphabet alphabet, std::int64_t max_length);

/// The codes of a pair; what follows each sequence is rubbish, as the contract allows.
class Codes
{
 public:
  Codes(const Letters& letters, seq::Alphabet alphabet);
  align::CodePair pair() const;

 private:
  std::vector<std::uint8_t> query_;
  std::vector<std::uint8_t> target_;
  std::int64_t query_length_;
  std::int64_t target_length_;
};

/// Codes of letters: independent of seq::encode.
std::vector<std::uint8_t> codes_of(const std::string& letters, seq::Alphabet alphabet);

/// Schemes of DNA: everyday ones first, then random and extreme ones, as `index` grows; repeats
/// with other random numbers after scheme_kinds.
constexpr int scheme_kinds = 20;
align::Scoring dna_scheme(Random& random, int index, bool linear);

/// Schemes with a matrix: built-in ones, random and asymmetric ones.
align::Scoring protein_scheme(Random& random, int index, bool linear);

/// FreeEnds number 0 to 15.
align::FreeEnds free_ends(int number);

/// The problem of a scheme; free ends count in semi_global mode only.
align::Problem make_problem(const align::Scoring& scoring, align::Mode mode,
                            const align::FreeEnds& free);

/// Text to reproduce a case by.
std::string describe(const align::Problem& problem);
std::string describe(const Letters& letters);
std::string describe(const align::Path& path);

}  // namespace helicity::test
