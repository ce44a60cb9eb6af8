// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/detail/solver.hpp>
#include <helicity/align/strip.hpp>
#include <helicity/core/parallel.hpp>

#include <algorithm>
#include <bit>

namespace helicity::align::detail {
namespace {

// Bytes of lane matrix per thread.
constexpr std::size_t least_matrix = std::size_t{1} << 20;
constexpr std::size_t most_matrix = std::size_t{16} << 20;  ///< larger pairs go to the strip engine

std::int64_t cells(const CodePair& pair) { return pair.query_length * pair.target_length; }

/// Orders pairs so that neighbours have queries within an eighth of each other in length, and
/// targets of ascending length.
std::uint64_t shape_key(const CodePair& pair, std::size_t index)
{
  const auto m = static_cast<std::uint64_t>(pair.query_length);
  const auto n = static_cast<std::uint64_t>(pair.target_length);
  const int shift = std::max(0, static_cast<int>(std::bit_width(m)) - 4);
  const std::uint64_t bucket = (static_cast<std::uint64_t>(shift) << 4) + (m >> shift);
  return bucket << 48 | n << 32 | index;  // lanes take n < 2^16
}

/// Sorts by the upper half of the keys, byte by byte; bytes that all keys share cost nothing.
void sort_by_upper_half(std::vector<std::uint64_t>& keys)
{
  std::vector<std::uint64_t> sorted(keys.size());
  for (int shift = 32; shift < 64; shift += 8) {
    std::array<std::size_t, 257> start{};
    for (const std::uint64_t key : keys) ++start[(key >> shift & 255) + 1];
    if (std::find(start.begin(), start.end(), keys.size()) != start.end()) continue;
    for (std::size_t digit = 0; digit < 256; ++digit) start[digit + 1] += start[digit];
    for (const std::uint64_t key : keys) sorted[start[key >> shift & 255]++] = key;
    keys.swap(sorted);
  }
}

void sort_by_shape(std::span<const CodePair> pairs, std::vector<std::uint32_t>& order)
{
  std::vector<std::uint64_t> keys;
  keys.reserve(order.size());
  for (const std::uint32_t k : order) keys.push_back(shape_key(pairs[k], k));
  sort_by_upper_half(keys);
  for (std::size_t k = 0; k < keys.size(); ++k) order[k] = static_cast<std::uint32_t>(keys[k]);
}

void push_op(std::vector<std::uint32_t>& ops, std::uint32_t op, std::int64_t length)
{
  constexpr std::int64_t most = (std::int64_t{1} << 28) - 1;
  for (; length > 0; length -= most) {
    ops.push_back(static_cast<std::uint32_t>(std::min(length, most)) << 4 | op);
  }
}

}  // namespace

Path solve_empty(const Problem& problem, std::int64_t query_length, std::int64_t target_length)
{
  Path path;
  if (problem.mode == Mode::local) return path;
  const bool deletes = target_length > 0;
  const std::int64_t length = deletes ? target_length : query_length;
  const FreeEnds& ends = problem.free;
  const bool free_begin = deletes ? ends.target_begin : ends.query_begin;
  const bool free_end = deletes ? ends.target_end : ends.query_end;
  // Smallest end first: a free end stops at 0, and a free begin costs nothing up to the last
  // letter.
  std::int64_t& end = deletes ? path.end.target_end : path.end.query_end;
  std::int64_t& begin = deletes ? path.target_begin : path.query_begin;
  if (free_end || length == 0) return path;
  end = length;
  if (free_begin) {
    begin = length;
    return path;
  }
  path.end.score = -(problem.table.gap_open + problem.table.gap_extend * length);
  push_op(path.ops, deletes ? 2 : 1, length);
  return path;
}

Solver::Solver(const Problem& problem, int threads, std::size_t memory)
    : problem_(problem),
      threads_(threads),
      memory_(memory),
      stages_{Stage{LaneWidth::bits8, true}, Stage{LaneWidth::bits8, false},
              Stage{LaneWidth::bits16, true}, Stage{LaneWidth::bits16, false}},
      workspaces_(static_cast<std::size_t>(threads))
{
  for (Stage& stage : stages_) stage.possible = lanes_take(problem_, stage.width);
}

bool Solver::suits(const Stage& stage, LaneOutput output, const CodePair& pair) const
{
  if (!stage.possible || (stage.banded && !lanes_can_band(problem_, output))) return false;
  if (pair.query_length > lane_max_query || pair.target_length > lane_max_target) return false;
  if (output != LaneOutput::path) return true;
  const std::size_t whole = lane_path_bytes(stage.width, pair.query_length, pair.target_length);
  const bool two_passes = problem_.mode != Mode::global && !lanes_can_cut_off(problem_);
  if (stage.banded && two_passes && whole <= lane_cached_matrix) return false;
  const std::size_t bytes =
      stage.banded ? lane_band_bytes(problem_, stage.width, pair.query_length, pair.target_length)
                   : whole;
  const std::size_t share = memory_ / (4 * static_cast<std::size_t>(threads_));
  return bytes <= std::clamp(share, least_matrix, most_matrix);
}

bool Solver::promises(const Stage& stage, const CodePair& pair) const
{
  return !stage.banded &&
         lanes_always_fit(problem_, stage.width, pair.query_length, pair.target_length);
}

/// A stage that has mostly failed is left out: bands save most of the work, so they may fail more.
void Solver::queue(std::size_t first, LaneOutput output, const CodePair& pair, std::uint32_t index)
{
  for (std::size_t s = first; s < stages_.size(); ++s) {
    Stage& stage = stages_[s];
    if (!suits(stage, output, pair)) continue;
    const bool last = s + 1 == stages_.size();
    const std::int64_t allowed = stage.banded ? stage.tried * 2 / 3 : stage.tried / 3;
    const bool hopeless = stage.tried >= 256 && stage.failed > allowed && !last;
    if (hopeless && !promises(stage, pair)) continue;
    stage.waiting.push_back(index);
    return;
  }
  strips_.push_back(index);
}

/// A group's matrix is as long as its longest query and as wide as its longest target. That may be
/// no more than twice its largest pair's, which is what suits() answers for, and in all not more
/// than twice what its pairs need. A band of a global group holds the corners of all its pairs:
/// they stay close together.
std::vector<Solver::Group> Solver::make_groups(std::span<const CodePair> pairs, const Order& order,
                                               const Stage& stage) const
{
  constexpr std::int64_t worth_filling = 4;  // so few pairs may leave lanes idle
  const auto lanes = static_cast<std::size_t>(lane_count(stage.width));
  const bool corners = stage.banded && problem_.mode == Mode::global;
  std::vector<Group> groups;
  std::int64_t rows = 0, columns = 0, least_columns = 0, largest = 0, sum = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const CodePair& pair = pairs[order[k]];
    const std::int64_t area =
        std::max(rows, pair.query_length) * std::max(columns, pair.target_length);
    const auto count = groups.empty() ? 0 : static_cast<std::int64_t>(groups.back().count);
    const std::int64_t spread =
        std::max(columns, pair.target_length) - std::min(least_columns, pair.target_length);
    const bool unlike = area > 2 * std::max(largest, cells(pair)) ||
                        (corners && spread > 8 + pair.query_length / 8);
    const bool wasteful = area * (count + 1) > 2 * (sum + cells(pair)) && count >= worth_filling;
    if (groups.empty() || groups.back().count == lanes || unlike || wasteful) {
      groups.push_back({k, 0});
      rows = columns = largest = sum = 0;
      least_columns = pair.target_length;
    }
    ++groups.back().count;
    rows = std::max(rows, pair.query_length);
    columns = std::max(columns, pair.target_length);
    least_columns = std::min(least_columns, pair.target_length);
    largest = std::max(largest, cells(pair));
    sum += cells(pair);
  }
  return groups;
}

Solver::Order Solver::run_stage(Stage& stage, std::span<const CodePair> pairs, LaneOutput output,
                                const Sink& sink)
{
  Order order;
  order.swap(stage.waiting);
  sort_by_shape(pairs, order);
  const std::vector<Group> groups = make_groups(pairs, order, stage);
  const auto align = stage.banded ? align_lanes_banded : align_lanes;
  std::vector<std::uint8_t> redo(order.size(), 0);
  parallel_for(threads_, groups.size(), [&](std::size_t g, int worker) {
    std::array<CodePair, 256> members;
    std::array<Path, 256> paths;
    std::array<bool, 256> exact{};
    const Group group = groups[groups.size() - 1 - g];  // the longest first
    for (std::size_t k = 0; k < group.count; ++k) members[k] = pairs[order[group.begin + k]];
    align(problem_, stage.width, output, std::span(members).first(group.count),
          workspaces_[static_cast<std::size_t>(worker)], paths.data(), exact.data());
    for (std::size_t k = 0; k < group.count; ++k) {
      if (exact[k]) {
        sink(order[group.begin + k], paths[k]);
      } else {
        redo[group.begin + k] = 1;
      }
    }
  });
  Order left;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (redo[k] != 0) left.push_back(order[k]);
  }
  stage.tried += static_cast<std::int64_t>(order.size());
  stage.failed += static_cast<std::int64_t>(left.size());
  return left;
}

void Solver::run_strips(std::span<const CodePair> pairs, LaneOutput output, const Sink& sink)
{
  Order order;
  order.swap(strips_);
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    return cells(pairs[x]) != cells(pairs[y]) ? cells(pairs[x]) > cells(pairs[y]) : x < y;
  });
  const std::size_t share = memory_ / (2 * static_cast<std::size_t>(threads_));
  parallel_for(threads_, order.size(), [&](std::size_t k, int) {
    const CodePair& pair = pairs[order[k]];
    Path path;
    if (output == LaneOutput::path) {
      path = align_strip_path(problem_, pair, share);
    } else {
      path.end = align_strip_end(problem_, pair);
    }
    sink(order[k], path);
  });
}

void Solver::solve(std::span<const CodePair> pairs, LaneOutput output, const Sink& sink)
{
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const CodePair& pair = pairs[k];
    if (pair.query_length == 0 || pair.target_length == 0) {
      Path path = solve_empty(problem_, pair.query_length, pair.target_length);
      sink(k, path);
    } else {
      queue(0, output, pair, static_cast<std::uint32_t>(k));
    }
  }
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    for (const std::uint32_t k : run_stage(stages_[s], pairs, output, sink)) {
      queue(s + 1, output, pairs[k], k);
    }
  }
  run_strips(pairs, output, sink);
}

}  // namespace helicity::align::detail
