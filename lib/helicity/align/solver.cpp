// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/detail/solver.hpp>
#include <helicity/align/strip.hpp>
#include <helicity/core/parallel.hpp>

#include <algorithm>
#include <bit>

namespace helicity::align::detail {
namespace {

constexpr std::size_t lane_matrix_limit = std::size_t{16} << 20;  ///< per thread: beyond the caches
constexpr std::size_t least_matrix = std::size_t{1} << 20;

std::int64_t cells(const CodePair& pair)
{
  return pair.query_length * pair.target_length;
}

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

void sort_by_shape(std::span<const CodePair> pairs, std::vector<std::uint32_t>& order)
{
  std::vector<std::uint64_t> keys;
  keys.reserve(order.size());
  for (const std::uint32_t k : order) keys.push_back(shape_key(pairs[k], k));
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
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
  // Smallest end first: a free end stops at 0, and a free begin costs nothing up to the last letter.
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
      takes_{lanes_take(problem, LaneWidth::bits8), lanes_take(problem, LaneWidth::bits16)},
      workspaces_(static_cast<std::size_t>(threads))
{
}

bool Solver::suits_lanes(LaneWidth width, LaneOutput output, const CodePair& pair) const
{
  if (!takes_[static_cast<std::size_t>(width)]) return false;
  if (pair.query_length > lane_max_query || pair.target_length > lane_max_target) return false;
  if (output != LaneOutput::path) return true;
  const std::size_t share = memory_ / (4 * static_cast<std::size_t>(threads_));
  const std::size_t limit = std::clamp(share, least_matrix, lane_matrix_limit);
  return lane_path_bytes(width, pair.query_length, pair.target_length) <= limit;
}

/// 8 bits where they cannot fail, and elsewhere as long as no more than a third of them has failed.
bool Solver::starts_narrow(LaneOutput output, const CodePair& pair) const
{
  if (!suits_lanes(LaneWidth::bits8, output, pair)) return false;
  if (tried_ < 256 || 3 * failed_ <= tried_) return true;
  return lanes_always_fit(problem_, LaneWidth::bits8, pair.query_length, pair.target_length);
}

std::vector<Solver::Group> Solver::make_groups(std::span<const CodePair> pairs, const Order& order,
                                               LaneWidth width) const
{
  const auto lanes = static_cast<std::size_t>(lane_count(width));
  std::vector<Group> groups;
  std::int64_t rows = 0, columns = 0, sum = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const CodePair& pair = pairs[order[k]];
    const std::int64_t new_rows = std::max(rows, pair.query_length);
    const std::int64_t new_columns = std::max(columns, pair.target_length);
    const auto count = groups.empty() ? 0 : static_cast<std::int64_t>(groups.back().count);
    const bool wasteful = new_rows * new_columns * (count + 1) > 2 * (sum + cells(pair)) && count >= 4;
    if (groups.empty() || groups.back().count == lanes || wasteful) {
      groups.push_back({k, 0});
      rows = columns = sum = 0;
    }
    ++groups.back().count;
    rows = std::max(rows, pair.query_length);
    columns = std::max(columns, pair.target_length);
    sum += cells(pair);
  }
  return groups;
}

Solver::Order Solver::run_lanes(std::span<const CodePair> pairs, Order& order, LaneWidth width,
                                LaneOutput output, const Sink& sink)
{
  sort_by_shape(pairs, order);
  const std::vector<Group> groups = make_groups(pairs, order, width);
  std::vector<std::uint8_t> redo(order.size(), 0);
  const auto run_group = [&](std::size_t g, int worker) {
    std::array<CodePair, 256> members;
    std::array<Path, 256> paths;
    std::array<bool, 256> exact{};
    const Group group = groups[groups.size() - 1 - g];  // the longest first
    for (std::size_t k = 0; k < group.count; ++k) members[k] = pairs[order[group.begin + k]];
    align_lanes(problem_, width, output, std::span(members).first(group.count),
                workspaces_[static_cast<std::size_t>(worker)], paths.data(), exact.data());
    for (std::size_t k = 0; k < group.count; ++k) {
      if (exact[k]) {
        sink(order[group.begin + k], paths[k]);
      } else {
        redo[group.begin + k] = 1;
      }
    }
  };
  parallel_for(threads_, groups.size(), run_group);
  Order left;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (redo[k] != 0) left.push_back(order[k]);
  }
  return left;
}

void Solver::run_strips(std::span<const CodePair> pairs, Order& order, LaneOutput output,
                        const Sink& sink)
{
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
  Order narrow, wide, strips;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const CodePair& pair = pairs[k];
    const auto index = static_cast<std::uint32_t>(k);
    if (pair.query_length == 0 || pair.target_length == 0) {
      Path path = solve_empty(problem_, pair.query_length, pair.target_length);
      sink(k, path);
    } else if (starts_narrow(output, pair)) {
      narrow.push_back(index);
    } else if (suits_lanes(LaneWidth::bits16, output, pair)) {
      wide.push_back(index);
    } else {
      strips.push_back(index);
    }
  }
  tried_ += static_cast<std::int64_t>(narrow.size());
  for (const std::uint32_t k : run_lanes(pairs, narrow, LaneWidth::bits8, output, sink)) {
    ++failed_;
    (suits_lanes(LaneWidth::bits16, output, pairs[k]) ? wide : strips).push_back(k);
  }
  for (const std::uint32_t k : run_lanes(pairs, wide, LaneWidth::bits16, output, sink)) {
    strips.push_back(k);
  }
  run_strips(pairs, strips, output, sink);
}

}  // namespace helicity::align::detail
