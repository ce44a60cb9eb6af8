// SPDX-License-Identifier: Apache-2.0
#include <align/score_packed.hpp>
#include <align/score_plan.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace helicity::align {
namespace {

using tuning::packed_shapes;
using tuning::score_shapes;

/// Rows that a shape holds at once.
std::int64_t rows_held(std::size_t shape)
{
  if (shape < wide_shapes)
    return std::int64_t{score_shapes[shape].lanes} * score_shapes[shape].rows;
  const auto& packed = packed_shapes[shape - wide_shapes];
  return std::int64_t{packed.lanes} * packed.rows;
}

/// More than H' of a row can grow from one column to the next: a match for an insertion.
std::int32_t carry_of(const ScoreTable& table)
{
  return std::max(table.max_score, 0) + table.gap_open + 2 * table.gap_extend + 1;
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
  return query_length <= rows_held(shape) ? 0 : static_cast<std::size_t>(target_length);
}

std::size_t ScoreItem::device_bytes() const
{
  return sizeof(ScoreTask) + sizeof(ScoreEnd) + letters() + boundary_cells() * sizeof(BoundaryCell);
}

namespace {

/// Bounds that keep every single step within 16 bits; N as what rows and columns outside are of.
bool packed_suits(const ScoreTable& table)
{
  if (table.letters > packed_letters) return false;
  if (std::max(std::abs(table.max_score), std::abs(table.min_score)) > packed_most_cost)
    return false;
  if (table.gap_open > packed_most_cost || table.gap_extend > packed_most_cost) return false;
  for (int code = 0; code < packed_letters; ++code) {
    if (table(packed_n, code) > 0 || table(code, packed_n) > 0) return false;
  }
  return true;
}

}  // namespace

ScoreRules score_rules(const Problem& problem, bool packed)
{
  const ScoreTable& table = problem.table;
  const bool semi = problem.mode == Mode::semi_global;
  ScoreRules rules{};
  rules.gain = std::max(table.max_score, 0);
  rules.loss = -std::min(table.min_score, 0);
  rules.open = table.gap_open;
  rules.extend = table.gap_extend;
  rules.carried = std::int64_t{packed_most_rows} * carry_of(table);
  rules.packed = packed && packed_suits(table);
  rules.local = problem.mode == Mode::local;
  rules.empty_query_free = semi && problem.free.target_end;
  rules.empty_target_free = semi && problem.free.query_end;
  rules.empty_query_begins = semi && problem.free.target_begin;
  rules.empty_target_begins = semi && problem.free.query_begin;
  for (std::size_t s = 0; s < all_shapes; ++s) {
    const bool wide = s < wide_shapes;
    const auto k = wide ? s : s - wide_shapes;
    rules.lanes[s] =
        static_cast<std::int16_t>(wide ? score_shapes[k].lanes : packed_shapes[k].lanes);
    rules.rows[s] = static_cast<std::int16_t>(wide ? score_shapes[k].rows : packed_shapes[k].rows);
  }
  return rules;
}

std::vector<ScoreItem> plan_scores(const Problem& problem, std::span<const CodePair> pairs,
                                   bool packed, std::size_t memory, EndCell* ends, bool* taken)
{
  const ScoreRules rules = score_rules(problem, packed);
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
    if (!rules.takes(m, n)) continue;
    const ScoreItem item{k, static_cast<std::int32_t>(m), static_cast<std::int32_t>(n),
                         rules.shape(m, n)};
    if (ScoreLayout::fixed_bytes + item.device_bytes() > memory) continue;
    taken[k] = true;
    items.push_back(item);
  }
  std::sort(items.begin(), items.end());
  return items;
}

std::size_t score_batch_size(std::span<const ScoreItem> items, const ScoreWaves& waves,
                             std::size_t memory)
{
  const std::size_t most = memory / 2 / 9 * 8;  // a half, whatever its size class adds
  std::size_t bytes = ScoreLayout::fixed_bytes, letters = 0;
  std::size_t of_shape = 0, whole_waves = 0, whole = 0;  // whole: items up to the last whole wave
  for (std::size_t size = 0; size < items.size(); ++size) {
    const ScoreItem& item = items[size];
    bytes += item.device_bytes();
    letters += item.letters();
    const bool full =
        size == tuning::score_batch_pairs || bytes > most || letters > tuning::score_most_letters;
    if (size > 0 && full) return whole > 0 ? whole : size;
    of_shape = size > 0 && items[size - 1].shape == item.shape ? of_shape + 1 : 1;
    if (of_shape % waves[item.shape] != 0) continue;
    ++whole_waves;
    whole = size + 1;
    const bool enough =
        letters > tuning::score_batch_letters &&
        (whole_waves >= tuning::score_batch_waves || letters > tuning::score_large_letters);
    if (enough) return whole;
  }
  return items.size();
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
  scheme.carry = carry_of(table);
  scheme.unit = 1;
  scheme.guard = std::numeric_limits<std::int16_t>::max() - std::max(table.max_score, 0);
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
  next = part(all_shapes * sizeof(std::int32_t));
  tasks = part(items.size() * sizeof(ScoreTask));
  letters = part(letter_count);
  upload_bytes = letters + letter_count;
  ends = part(items.size() * sizeof(ScoreEnd));
  boundary = part(boundary_count * sizeof(BoundaryCell));
  bytes = at;
}

}  // namespace helicity::align
