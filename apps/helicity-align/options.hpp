// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/aligner.hpp>
#include <helicity/seq/alphabet.hpp>

#include <support/options.hpp>

#include <cstdint>
#include <string>

namespace helicity::app {

enum class Format : std::uint8_t { tsv, paf, sam, bam, pretty };

/// The command line, checked and resolved.
struct Options
{
  std::string query;
  std::string target;
  std::string output = "-";
  std::string metrics;  ///< empty: none
  Format format = Format::tsv;
  bool all = false;
  bool match_op = false;  ///< CIGARs with M instead of = and X
  bool strict = false;
  seq::Alphabet alphabet = seq::Alphabet::dna;
  align::Config config;
  Verbosity verbosity;
  std::string command_line;  ///< as typed, for @PG
};

/// @throws UsageError, InputError (a matrix file) or Exit (--help, --version)
Options parse_options(int argc, const char* const* argv);

}  // namespace helicity::app
