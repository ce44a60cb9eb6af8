// SPDX-License-Identifier: Apache-2.0
#include <align/score_plan.hpp>

#include <algorithm>
#include <iterator>
#include <limits>

namespace helicity::align {
namespace {

using tuning::score_shapes;
constexpr std::size_t shapes = std::size(score_shapes);
constexpr std::int64_t limit = std::int64_t{1} << 30;  // of lengths, and of scores either way

std::int64_t strips(const tuning::Shape& shape, std::int64_t query_length)
{
  const std::int64_t rows = std::int64_t{shape.lanes} * shape.rows;
  return (query_length + rows - 1) / rows;
}

/// The shape that spends the fewest lane steps on a pair; a step is worth four rows beside its own.
std::size_t best_shape(std::int64_t query_length, std::int64_t target_length)
{
  std::size_t best = shapes - 1;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t s = 0; s < shapes; ++s) {
    const auto& shape = score_shapes[s];
    const std::int64_t passes = strips(shape, query_length);
    if (passes > 1 && shape.lanes < 32) continue;
    const std::int64_t steps = passes * (target_length + shape.lanes - 1);
    const std::int64_t cost = steps * shape.lanes * (shape.rows + 4);
    if (cost < least) {
      least = cost;
      best = s;
    }
  }
  return best;
}

/// Whether no value of the recurrence can leave 32 bits, rows past the end of the query included.
bool in_range(const ScoreTable& table, const CodePair& pair)
{
  const std::int64_t m = pair.query_length, n = pair.target_length;
  if (m > limit || n > limit) return false;
  const std::int64_t largest = std::max(table.max_score, 0) * std::min(m, n);
  const std::int64_t smallest = 4 * std::int64_t{table.gap_open} +
                                (m + n + 2048) * std::int64_t{table.gap_extend} -
                                std::min(table.min_score, 0);
  return largest < limit && smallest < limit;
}

/// A pair with an empty sequence: no cells.
EndCell end_without_cells(const Problem& problem, const CodePair& pair)
{
  const std::int64_t m = pair.query_length, n = pair.target_length;
  const bool semi = problem.mode == Mode::semi_global;
  if (problem.mode == Mode::local) return {0, 0, 0};
  if (m == 0 && n == 0) return {0, 0, 0};
  // All of an edge are end cells: its score only falls, and the first of equals is (0, 0).
  if (semi && (m == 0 ? problem.free.target_end : problem.free.query_end)) return {0, 0, 0};
  const bool no_cost = semi && (m == 0 ? problem.free.target_begin : problem.free.query_begin);
  const std::int64_t gap = problem.table.gap_open + (m + n) * problem.table.gap_extend;
  return {no_cost ? 0 : -gap, m, n};
}

}  // namespace

std::size_t ScoreItem::boundary_cells() const
{
  const bool one = strips(score_shapes[shape], query_length) == 1;
  return one ? 0 : static_cast<std::size_t>(target_length);
}

std::size_t ScoreItem::device_bytes() const
{
  return sizeof(ScoreTask) + sizeof(ScoreEnd) + letters() + boundary_cells() * sizeof(BoundaryCell);
}

std::vector<ScoreItem> plan_scores(const Problem& problem, std::span<const CodePair> pairs,
                                   std::size_t memory, EndCell* ends, bool* taken)
{
  std::vector<ScoreItem> items;
  items.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::int64_t m = pairs[k].query_length, n = pairs[k].target_length;
    if (m == 0 || n == 0) {
      ends[k] = end_without_cells(problem, pairs[k]);
      taken[k] = true;
      continue;
    }
    taken[k] = false;
    if (!in_range(problem.table, pairs[k])) continue;
    const ScoreItem item{k, static_cast<std::int32_t>(m), static_cast<std::int32_t>(n),
                         static_cast<std::uint32_t>(best_shape(m, n))};
    if (ScoreLayout::fixed_bytes + item.device_bytes() > memory) continue;
    taken[k] = true;
    items.push_back(item);
  }
  std::sort(items.begin(), items.end());
  return items;
}

std::size_t score_batch_size(std::span<const ScoreItem> items, std::size_t memory)
{
  const std::size_t most = memory / 2 / 9 * 8;  // a half, whatever its size class adds
  std::size_t bytes = ScoreLayout::fixed_bytes, letters = 0, size = 0;
  while (size < items.size() && size < tuning::score_batch_pairs) {
    bytes += items[size].device_bytes();
    letters += items[size].letters();
    if (size > 0 && (bytes > most || letters > tuning::score_batch_letters)) break;
    ++size;
  }
  return size;
}

bool is_uniform(const ScoreTable& table)
{
  const int mismatch = table(0, 1);
  return table.uniform && table(4, 0) == mismatch && table(4, 4) == mismatch && mismatch <= 0;
}

ScoreScheme scheme_of(const Problem& problem)
{
  const ScoreTable& table = problem.table;
  const bool local = problem.mode == Mode::local, semi = problem.mode == Mode::semi_global;
  const bool top_free = local || (semi && problem.free.target_begin);
  const bool left_free = local || (semi && problem.free.query_begin);
  ScoreScheme scheme{};
  scheme.open_extend = table.gap_open + table.gap_extend;
  scheme.extend = table.gap_extend;
  scheme.top_open = top_free ? 0 : table.gap_open;
  scheme.top_extend = top_free ? 0 : table.gap_extend;
  scheme.left_open = left_free ? 0 : table.gap_open;
  scheme.left_extend = left_free ? 0 : table.gap_extend;
  scheme.match = table(0, 0);
  scheme.mismatch = table(0, 1);
  scheme.row_ends = semi && problem.free.target_end;
  scheme.column_ends = semi && problem.free.query_end;
  return scheme;
}

ScoreLayout::ScoreLayout(std::span<const ScoreItem> items)
{
  std::size_t letter_count = 0, boundary_count = 0;
  for (const ScoreItem& item : items) {
    letter_count += item.letters();
    boundary_count += item.boundary_cells();
  }
  std::size_t at = 0;
  const auto part = [&](std::size_t size) {
    const std::size_t begin = at;
    at = (at + size + 255) / 256 * 256;
    return begin;
  };
  table = part(sizeof(ScoreTable::score));
  next = part(shapes * sizeof(std::int32_t));
  tasks = part(items.size() * sizeof(ScoreTask));
  letters = part(letter_count);
  upload_bytes = letters + letter_count;
  ends = part(items.size() * sizeof(ScoreEnd));
  boundary = part(boundary_count * sizeof(BoundaryCell));
  bytes = at;
}

}  // namespace helicity::align
