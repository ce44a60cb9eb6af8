// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/aligner.hpp>
#include <helicity/seq/alphabet.hpp>

#include <optional>
#include <string>

namespace helicity::app {

/// What the command line says about scoring and mode, before defaults are filled in.
struct Scheme
{
  std::string mode = "global";
  std::string free_ends;  ///< words with commas between; empty: not given
  std::string alphabet;   ///< empty: dna, or protein with a protein matrix
  std::string matrix;     ///< name or file; empty: none
  std::optional<int> match, mismatch, n_score, gap_open, gap_extend;
  bool protein = false;
  bool blast_gaps = false;  ///< gap_open is the cost of a gap's first letter
};

inline constexpr const char* default_protein_matrix = "BLOSUM62";
inline constexpr int default_protein_gap_open = 11;
inline constexpr int default_protein_gap_extend = 1;

/// Sets mode, free ends and scoring of `config`, and returns the alphabet.
/// @throws UsageError if options contradict each other; InputError for a bad matrix file
seq::Alphabet resolve_scheme(const Scheme& scheme, align::Config& config);

}  // namespace helicity::app
