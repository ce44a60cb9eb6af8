// SPDX-License-Identifier: Apache-2.0
#include <align/lane_plan.hpp>

#include <algorithm>
#include <numeric>

namespace helicity::align {
namespace {

std::int32_t common_divisor(const ScoreTable& table)
{
  std::int32_t g = std::gcd(table.gap_open, table.gap_extend);
  for (int q = 0; q < table.letters; ++q) {
    for (int t = 0; t < table.letters; ++t) g = std::gcd(g, table(q, t));
  }
  return std::max(g, 1);
}

/// Splits the largest letter score between the axes so that every free edge has D >= 0, end cells
/// that compete along the target cost the same, and long gaps of a global pair cost little.
void choose_slopes(LanePlan& plan, std::int32_t extend, Mode mode, bool query_longer)
{
  const std::int32_t top = plan.max_letter;
  if (plan.local) return;
  // The sum a + b must keep the letter cost a + b - s >= 0, each step cost extend + a >= 0.
  const bool along_target = plan.target_begin_free || plan.target_end_free;
  const bool along_query = plan.query_begin_free || plan.query_end_free;
  if (mode == Mode::global || (!along_target && !along_query)) {
    plan.a = query_longer ? -extend : top + extend;
    plan.b = top - plan.a;
  } else if (along_target || top < 0) {
    plan.a = top;
  } else {
    plan.b = top;
  }
}

std::int64_t ceiling_of(LaneWidth width) { return width == LaneWidth::bits8 ? 127 : 32767; }

}  // namespace

LanePlan plan_lanes(const Problem& problem, LaneWidth width, bool query_longer)
{
  const ScoreTable& table = problem.table;
  const bool semi = problem.mode == Mode::semi_global;
  LanePlan plan;
  plan.local = problem.mode == Mode::local;
  plan.query_begin_free = semi && problem.free.query_begin;
  plan.query_end_free = semi && problem.free.query_end;
  plan.target_begin_free = semi && problem.free.target_begin;
  plan.target_end_free = semi && problem.free.target_end;
  plan.ceiling = static_cast<std::int32_t>(ceiling_of(width));
  plan.floor = -plan.ceiling - 1;
  plan.divisor = common_divisor(table);
  plan.max_letter = table.max_score / plan.divisor;
  const std::int32_t extend = table.gap_extend / plan.divisor;
  // Lettersums below zero would need negative slopes on free edges: 0 keeps D >= 0.
  if (!plan.local) plan.max_letter = std::max(plan.max_letter, 0);
  choose_slopes(plan, extend, problem.mode, query_longer);
  plan.open = table.gap_open / plan.divisor;
  plan.query_step = extend + plan.a;
  plan.target_step = extend + plan.b;
  plan.match_is_best = table.uniform && table(0, 0) == table.max_score && table(0, 0) >= 0;
  const std::int32_t shift = plan.a + plan.b;
  for (int q = 0; q < table.letters; ++q) {
    for (int t = 0; t < table.letters; ++t) {
      const std::int32_t s = table(q, t) / plan.divisor - shift;
      plan.score[q * ScoreTable::stride + t] = s;
      plan.worst = std::max(plan.worst, -s);
      plan.bytes = plan.bytes && s >= -128 && s <= 127;
    }
  }
  // In the shared lookup padding rows score as N: they must not raise a local score.
  const std::int32_t n = plan.score[4];
  plan.uniform = table.uniform && plan.bytes && (!plan.local || n <= 0);
  return plan;
}

bool lanes_take(const Problem& problem, LaneWidth width)
{
  for (const bool query_longer : {false, true}) {
    const LanePlan plan = plan_lanes(problem, width, query_longer);
    const std::int32_t most = plan.ceiling;
    if (plan.open > most || plan.query_step > most || plan.target_step > most) return false;
    if (plan.worst > most || (plan.local && plan.max_letter > most)) return false;
  }
  return true;
}

bool lanes_can_cut_off(const Problem& problem)
{
  return problem.mode == Mode::semi_global && problem.free.target_end && !problem.free.query_end;
}

bool lanes_can_band(const Problem& problem, LaneOutput output)
{
  if (problem.mode == Mode::global || lanes_can_cut_off(problem)) return true;
  if (output != LaneOutput::path) return false;
  if (problem.mode == Mode::local) return problem.table.gap_extend > 0;
  return problem.free.target_begin;  // the slope along the target is then 0
}

bool lanes_always_fit(const Problem& problem, LaneWidth width, std::int64_t query_length,
                      std::int64_t target_length)
{
  const std::int64_t shorter = std::min(query_length, target_length);
  const std::int64_t gap = std::max(query_length, target_length) - shorter;
  for (const bool query_longer : {false, true}) {
    const LanePlan plan = plan_lanes(problem, width, query_longer);
    const std::int64_t range = plan.ceiling - plan.floor;
    const std::int64_t step = query_length > target_length ? plan.query_step : plan.target_step;
    const std::int64_t most =
        plan.local ? shorter * plan.max_letter : shorter * plan.worst + plan.open + gap * step;
    if (most >= range) return false;
  }
  return problem.mode != Mode::semi_global;  // competing end cells: the result has to say
}

}  // namespace helicity::align
