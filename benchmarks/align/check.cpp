// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>

namespace helicity::bench {
namespace {

constexpr std::int32_t minus_infinity = -(1 << 28);

std::int32_t gap_cost(std::size_t length)
{
  return length == 0 ? 0 : gap_open + gap_extend * static_cast<std::int32_t>(length);
}

// The path without the outer gaps that some peers leave where an end is free.
std::span<const CigarOp> trimmed(Mode mode, const Result& result, std::size_t& query_at,
                                 std::size_t& target_at)
{
  std::span<const CigarOp> path(result.path);
  const auto is_free = [mode](const CigarOp& run) {
    return (mode != Mode::global && run.op == 'D') || (mode == Mode::local && run.op == 'I');
  };
  while (!path.empty() && is_free(path.front())) {
    (path.front().op == 'D' ? target_at : query_at) += path.front().length;
    path = path.subspan(1);
  }
  while (!path.empty() && is_free(path.back())) {
    path = path.first(path.size() - 1);
  }
  return path;
}

// Scores a run of aligned bases; false if '=' or 'X' is a lie.
bool score_bases(const TextPair& pair, const CigarOp& run, std::size_t query_at,
                 std::size_t target_at, std::int32_t& score)
{
  for (std::uint32_t k = 0; k < run.length; ++k) {
    const bool same = pair.query[query_at + k] == pair.target[target_at + k];
    if ((run.op == '=' && !same) || (run.op == 'X' && same)) {
      return false;
    }
    score += same ? match : -mismatch;
  }
  return true;
}

}  // namespace

std::int32_t reference_score(const TextPair& pair, Mode mode)
{
  const std::size_t columns = pair.target.size();
  const std::int32_t floor = mode == Mode::local ? 0 : minus_infinity;
  std::vector<std::int32_t> best(columns + 1, 0);
  std::vector<std::int32_t> down(columns + 1, minus_infinity);
  for (std::size_t j = 1; j <= columns && mode == Mode::global; ++j) {
    best[j] = -gap_cost(j);
  }
  std::int32_t top = 0;
  for (std::size_t i = 1; i <= pair.query.size(); ++i) {
    std::int32_t diagonal = best[0];
    std::int32_t right = minus_infinity;
    best[0] = std::max(floor, -gap_cost(i));
    for (std::size_t j = 1; j <= columns; ++j) {
      down[j] = std::max(down[j], best[j] - gap_open) - gap_extend;
      right = std::max(right, best[j - 1] - gap_open) - gap_extend;
      const bool same = pair.query[i - 1] == pair.target[j - 1];
      const std::int32_t aligned = diagonal + (same ? match : -mismatch);
      diagonal = best[j];
      best[j] = std::max({floor, aligned, down[j], right});
      top = std::max(top, best[j]);
    }
  }
  if (mode == Mode::global) {
    return best[columns];
  }
  return mode == Mode::local ? top : *std::max_element(best.begin(), best.end());
}

bool path_scores(const TextPair& pair, Mode mode, const Result& result)
{
  std::size_t query_at = result.query_begin;
  std::size_t target_at = result.target_begin;
  if (mode != Mode::local && query_at != 0) {
    return false;
  }
  std::int32_t score = 0;
  for (const CigarOp& run : trimmed(mode, result, query_at, target_at)) {
    const bool in_query = run.op != 'D';
    const bool in_target = run.op != 'I';
    if ((in_query && query_at + run.length > pair.query.size()) ||
        (in_target && target_at + run.length > pair.target.size()))
    {
      return false;
    }
    if (!in_query || !in_target) {
      score -= gap_cost(run.length);
    } else if (!score_bases(pair, run, query_at, target_at, score)) {
      return false;
    }
    query_at += in_query ? run.length : 0;
    target_at += in_target ? run.length : 0;
  }
  const bool query_done = mode == Mode::local || query_at == pair.query.size();
  const bool target_done = mode != Mode::global || target_at == pair.target.size();
  return query_done && target_done && score == result.score;
}

std::size_t count_wrong(const Task& task, std::span<const TextPair> pairs,
                        std::span<const std::int32_t> expected, std::span<const Result> results)
{
  if (results.size() != pairs.size()) {
    return pairs.size();
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool good =
        results[i].score == expected[i] &&
        (task.output == Output::score || path_scores(pairs[i], task.mode, results[i]));
    wrong += good ? 0 : 1;
  }
  return wrong;
}

}  // namespace helicity::bench
