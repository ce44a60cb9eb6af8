// SPDX-License-Identifier: Apache-2.0
#include "scheme.hpp"

#include "choice.hpp"

#include <helicity/seq/matrix.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>

namespace helicity::app {
namespace {

using seq::Alphabet;

constexpr Choice<align::Mode> modes[] = {{"global", align::Mode::global},
                                         {"local", align::Mode::local},
                                         {"semi-global", align::Mode::semi_global}};

constexpr Choice<Alphabet> alphabets[] = {{"dna", Alphabet::dna}, {"protein", Alphabet::protein}};

constexpr Choice<align::FreeEnds> free_ends[] = {
    {"query", {true, true, false, false}},         {"target", {false, false, true, true}},
    {"query-begin", {true, false, false, false}},  {"query-end", {false, true, false, false}},
    {"target-begin", {false, false, true, false}}, {"target-end", {false, false, false, true}},
    {"overlap", {true, true, true, true}}};

/// The union of the words' ends.
align::FreeEnds parse_free_ends(std::string_view text)
{
  align::FreeEnds ends{false, false, false, false};
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto word = choose<align::FreeEnds>("--free-ends", text.substr(0, comma), free_ends);
    ends.query_begin |= word.query_begin;
    ends.query_end |= word.query_end;
    ends.target_begin |= word.target_begin;
    ends.target_end |= word.target_end;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return ends;
}

bool is_built_in(std::string_view name)
{
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) ==
           std::toupper(static_cast<unsigned char>(b));
  };
  return std::ranges::any_of(seq::matrix_names(),
                             [&](std::string_view n) { return std::ranges::equal(n, name, same); });
}

/// True if the column line of a matrix file names bases and IUPAC codes only.
bool has_dna_columns(const std::string& path)
{
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    return std::ranges::all_of(line, [](unsigned char c) {
      return std::isspace(c) || c == '*' ||
             seq::encode_table(Alphabet::dna)[c] != seq::invalid_code;
    });
  }
  return false;
}

Alphabet choose_alphabet(const Scheme& scheme)
{
  if (scheme.protein && !scheme.alphabet.empty() && scheme.alphabet != "protein")
    throw UsageError("--protein and --alphabet " + scheme.alphabet + " contradict each other");
  if (scheme.protein) return Alphabet::protein;
  if (!scheme.alphabet.empty()) return choose<Alphabet>("--alphabet", scheme.alphabet, alphabets);
  if (scheme.matrix.empty()) return Alphabet::dna;
  return is_built_in(scheme.matrix) || !has_dna_columns(scheme.matrix) ? Alphabet::protein
                                                                       : Alphabet::dna;
}

void set_letter_scores(const Scheme& scheme, Alphabet alphabet, align::Scoring& scoring)
{
  const bool by_matrix = alphabet == Alphabet::protein || !scheme.matrix.empty();
  if (by_matrix && (scheme.match || scheme.mismatch || scheme.n_score))
    throw UsageError("--match, --mismatch and --n-score are for DNA without a matrix");
  if (by_matrix) {
    const std::string name = scheme.matrix.empty() ? default_protein_matrix : scheme.matrix;
    scoring.matrix = std::make_shared<seq::Matrix>(seq::Matrix::load(name, alphabet));
    return;
  }
  scoring.match = scheme.match.value_or(scoring.match);
  scoring.mismatch = scheme.mismatch.value_or(scoring.mismatch);
  scoring.n_score = scheme.n_score;
}

void set_gap_costs(const Scheme& scheme, Alphabet alphabet, align::Scoring& scoring)
{
  if (alphabet == Alphabet::protein) {
    scoring.gap_open = default_protein_gap_open;
    scoring.gap_extend = default_protein_gap_extend;
  }
  scoring.gap_extend = scheme.gap_extend.value_or(scoring.gap_extend);
  if (!scheme.gap_open) return;
  scoring.gap_open = *scheme.gap_open - (scheme.blast_gaps ? scoring.gap_extend : 0);
  if (scheme.blast_gaps && scoring.gap_open < 0)
    throw UsageError(
        fmt::format("--gap-open {} is below --gap-extend {}, but with --blast-gaps it "
                    "is the cost of a gap's first letter",
                    *scheme.gap_open, scoring.gap_extend));
}

}  // namespace

Alphabet resolve_scheme(const Scheme& scheme, align::Config& config)
{
  config.mode = choose<align::Mode>("--mode", scheme.mode, modes);
  if (!scheme.free_ends.empty()) {
    if (config.mode != align::Mode::semi_global)
      throw UsageError("--free-ends needs --mode semi-global");
    config.free_ends = parse_free_ends(scheme.free_ends);
  }
  const Alphabet alphabet = choose_alphabet(scheme);
  if (config.both_strands && alphabet == Alphabet::protein)
    throw UsageError("--both-strands is for DNA");
  set_letter_scores(scheme, alphabet, config.scoring);
  set_gap_costs(scheme, alphabet, config.scoring);
  return alphabet;
}

}  // namespace helicity::app
