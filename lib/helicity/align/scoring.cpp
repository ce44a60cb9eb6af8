// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/scoring.hpp>
#include <helicity/core/error.hpp>
#include <helicity/seq/matrix.hpp>

#include <algorithm>
#include <string>

namespace helicity::align {
namespace {

constexpr int limit = 30000;

void check(const std::string& name, int value, int lowest, const char* meaning)
{
  if (value >= lowest && value <= limit) return;
  throw UsageError(name + " is " + std::to_string(value) + "; expected " + std::to_string(lowest) +
                   " to " + std::to_string(limit) + " (" + meaning + ")");
}

void set(ScoreTable& table, int query_code, int target_code, int score)
{
  table.score[static_cast<std::size_t>(query_code * ScoreTable::stride + target_code)] = score;
}

void fill_uniform(ScoreTable& table, const Scoring& scoring)
{
  check("match", scoring.match, -limit, "added for equal bases");
  check("mismatch", scoring.mismatch, -limit, "subtracted for unequal bases");
  const int n_score = scoring.n_score.value_or(-scoring.mismatch);
  check("n_score", n_score, -limit, "added where either base is N");
  constexpr int n = seq::dna_n_code;
  table.letters = n + 1;
  table.uniform = true;
  for (int q = 0; q < n; ++q)
    for (int t = 0; t < n; ++t) set(table, q, t, q == t ? scoring.match : -scoring.mismatch);
  for (int code = 0; code <= n; ++code) {
    set(table, code, n, n_score);
    set(table, n, code, n_score);
  }
}

void fill_from(ScoreTable& table, const seq::Matrix& matrix)
{
  table.letters = seq::code_count(matrix.alphabet());
  table.uniform = false;
  for (int q = 0; q < table.letters; ++q) {
    for (int t = 0; t < table.letters; ++t) {
      const int score = matrix.score(q, t);
      check("a score of matrix " + matrix.name(), score, -limit, "added for a pair of letters");
      set(table, q, t, score);
    }
  }
}

}  // namespace

ScoreTable resolve(const Scoring& scoring)
{
  check("gap_open", scoring.gap_open, 0, "a cost: subtracted once for each gap");
  check("gap_extend", scoring.gap_extend, 0, "a cost: subtracted for each letter of a gap");
  ScoreTable table;
  table.gap_open = scoring.gap_open;
  table.gap_extend = scoring.gap_extend;
  if (scoring.matrix)
    fill_from(table, *scoring.matrix);
  else
    fill_uniform(table, scoring);

  table.max_score = table(0, 0);
  table.min_score = table(0, 0);
  for (int q = 0; q < table.letters; ++q) {
    for (int t = 0; t < table.letters; ++t) {
      table.max_score = std::max(table.max_score, table(q, t));
      table.min_score = std::min(table.min_score, table(q, t));
    }
  }
  return table;
}

}  // namespace helicity::align
