// SPDX-License-Identifier: Apache-2.0
#include <align/lane_group.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace helicity::align {
namespace {

void sort_unique(std::vector<std::size_t>& values)
{
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

void append_op(std::vector<std::uint32_t>& ops, std::uint32_t op, std::uint32_t length)
{
  if (length == 0) return;
  if (!ops.empty() && (ops.back() & 15U) == op) {
    ops.back() += length << 4;
  } else {
    ops.push_back(length << 4 | op);
  }
}

/// Length, at most `most`, of the run of equal bases (not N) that ends before both pointers.
std::int64_t equal_suffix(const std::uint8_t* query, const std::uint8_t* target, std::int64_t most)
{
  constexpr std::uint64_t unknown = 0x0404040404040404;  // the bit that only N has
  std::int64_t run = 0;
  while (run + 8 <= most) {
    std::uint64_t q, t;
    std::memcpy(&q, query - run - 8, 8);
    std::memcpy(&t, target - run - 8, 8);
    const std::uint64_t differs = (q ^ t) | (q & unknown);
    if (differs != 0)
      return run + std::countl_zero(differs) / 8;  // little endian: last byte on top
    run += 8;
  }
  while (run < most && query[-run - 1] == target[-run - 1] && query[-run - 1] != 4) ++run;
  return run;
}

/// Walks one lane's path back through the kept matrix (rule: problem.hpp). Only H is kept: a gap of
/// length L attains H(i,j) iff H(i,j-L) - open - L * step equals it, and going on while extending
/// attains the value is taking the longest such L.
template <class T>
class Walker
{
 public:
  Walker(const LaneGroup& group, std::size_t lane, const T* matrix)
      : plan_(group.plan),
        pair_(group.pair[lane]),
        group_(group),
        matrix_(matrix + lane),
        tile_cells_(static_cast<std::int64_t>(group.tile_cells())),
        band_reach_(group.band.high - group.band.low +
                    2 * static_cast<std::int64_t>(LaneGroup::tile)),
        lanes_(static_cast<std::int64_t>(group.lanes)),
        i_(group.best[lane].i),
        j_(group.best[lane].j - group.target_offset(lane)),
        v_(group.best[lane].v)
  {}

  void walk(std::vector<std::uint32_t>& ops)
  {
    while (i_ > 0 && j_ > 0 && !(plan_.local && v_ == plan_.floor)) {
      if (plan_.match_is_best && matches(ops)) continue;
      if (diagonal(ops)) continue;
      if (const std::int64_t length = deletion(); length > 0) {
        append_op(ops, 2, static_cast<std::uint32_t>(length));
        j_ -= length;
      } else {
        const std::int64_t inserted = insertion();
        append_op(ops, 1, static_cast<std::uint32_t>(inserted));
        i_ -= inserted;
      }
      v_ = at(i_, j_);
    }
    if (plan_.local) return;
    if (i_ == 0 && !plan_.target_begin_free) {
      append_op(ops, 2, static_cast<std::uint32_t>(j_));
      j_ = 0;
    }
    if (j_ == 0 && !plan_.query_begin_free) {
      append_op(ops, 1, static_cast<std::uint32_t>(i_));
      i_ = 0;
    }
  }

  std::int64_t query_begin() const { return i_; }
  std::int64_t target_begin() const { return j_; }

 private:
  static constexpr std::int64_t unreachable = INT64_MIN / 4;

  std::int64_t at(std::int64_t i, std::int64_t j) const
  {
    if (i == 0) return plan_.top(j);
    if (j == 0) return group_.shifted && !plan_.local ? unreachable : plan_.left(i);
    constexpr auto tile = static_cast<std::int64_t>(LaneGroup::tile);
    const std::int64_t column = j - 1;
    std::int64_t row = i - 1;
    if (!group_.stops.empty()) {
      const std::size_t stop = group_.stops[static_cast<std::size_t>(column / tile)];
      if (row >= static_cast<std::int64_t>(stop)) return unreachable;
    }
    if (group_.banded) {
      const auto rows = group_.tile_rows(static_cast<std::size_t>(column / tile * tile));
      row -= static_cast<std::int64_t>(rows.begin);
      if (row < 0 || row >= static_cast<std::int64_t>(rows.end - rows.begin)) return unreachable;
    }
    return matrix_[(column / tile * tile_cells_ + row * tile + column % tile) * lanes_];
  }

  std::int32_t score() const
  {
    return plan_.score[pair_.query[i_ - 1] * ScoreTable::stride + pair_.target[j_ - 1]];
  }

  /// Takes a run of equal bases at once: with the best letter score on the diagonal and no gain in
  /// any gap, H(i-1,j-1) + s attains H(i,j) (shortening any path to (i,j) by its last query letter
  /// and a target letter gives a path to (i-1,j-1) that loses no more than s).
  bool matches(std::vector<std::uint32_t>& ops)
  {
    std::int64_t most = std::min(i_, j_);
    const std::int64_t step = plan_.score[0];
    if (plan_.local) most = std::min(most, (v_ - plan_.floor) / step);
    const std::int64_t run = equal_suffix(pair_.query + i_, pair_.target + j_, most);
    if (run == 0) return false;
    append_op(ops, 0, static_cast<std::uint32_t>(run));
    i_ -= run;
    j_ -= run;
    v_ -= run * step;
    return true;
  }

  bool diagonal(std::vector<std::uint32_t>& ops)
  {
    const std::int64_t before = at(i_ - 1, j_ - 1);
    if (before + score() != v_) return false;
    append_op(ops, 0, 1);
    --i_;
    --j_;
    v_ = before;
    return true;
  }

  std::int64_t longest(std::int64_t available, std::int64_t step) const
  {
    if (group_.banded) available = std::min(available, band_reach_);
    if (step <= 0) return available;
    return std::min(available, (plan_.ceiling - plan_.open - v_) / step);
  }

  std::int64_t deletion() const
  {
    for (std::int64_t length = longest(j_, plan_.target_step); length > 0; --length) {
      if (at(i_, j_ - length) - plan_.open - length * plan_.target_step == v_) return length;
    }
    return 0;
  }

  std::int64_t insertion() const
  {
    for (std::int64_t length = longest(i_, plan_.query_step); length > 0; --length) {
      if (at(i_ - length, j_) - plan_.open - length * plan_.query_step == v_) return length;
    }
    return i_;  // not reached on an exact path; ends the walk whatever the data
  }

  const LanePlan& plan_;
  const CodePair& pair_;
  const LaneGroup& group_;
  const T* matrix_;
  std::int64_t tile_cells_;
  std::int64_t band_reach_;  ///< no gap inside the band is longer
  std::int64_t lanes_;
  std::int64_t i_;
  std::int64_t j_;
  std::int64_t v_;
};

template <class T>
void trace(const LaneGroup& group, std::size_t lane, Path& path)
{
  auto& ops = group.scratch.ops;
  ops.clear();
  Walker<T> walker(group, lane, reinterpret_cast<const T*>(group.scratch.matrix.get(0)));
  walker.walk(ops);
  path.query_begin = walker.query_begin();
  path.target_begin = walker.target_begin();
  path.ops.assign(ops.rbegin(), ops.rend());
}

}  // namespace

LaneWorkspace::LaneWorkspace() : impl(std::make_unique<Impl>()) {}
LaneWorkspace::~LaneWorkspace() = default;

LaneGroup::LaneGroup(const Problem& the_problem, LaneWidth the_width, LaneOutput the_output,
                     std::span<const CodePair> pairs, LaneWorkspace::Impl& workspace,
                     std::size_t lane_number)
    : problem(the_problem),
      width(the_width),
      output(the_output),
      scratch(workspace),
      lanes(lane_number),
      count(pairs.size())
{
  std::int64_t longer = 0;
  for (std::size_t l = 0; l < count; ++l) {
    pair[l] = pairs[l];
    longer += pair[l].query_length - pair[l].target_length;
  }
  plan = plan_lanes(problem, width, longer > 0);
  measure();
}

void LaneGroup::measure()
{
  row_events.clear();
  column_events.clear();
  for (std::size_t l = 0; l < count; ++l) {
    row_events.push_back(query_length(l));
    column_events.push_back(target_length(l));
  }
  sort_unique(row_events);
  sort_unique(column_events);
  rows = most_rows = row_events.back();
  columns = column_events.back();
  if (banded) {
    most_rows = std::min(rows, static_cast<std::size_t>(band.high - band.low) + tile);
  }
}

LaneGroup::Rows LaneGroup::tile_rows(std::size_t column) const
{
  if (!banded) return {0, rows};
  const auto first = static_cast<std::int64_t>(column);
  const auto last = static_cast<std::int64_t>(rows);
  const std::int64_t begin = std::clamp<std::int64_t>(first - band.high, 0, last);
  const std::int64_t end =
      std::clamp<std::int64_t>(first + static_cast<std::int64_t>(tile) - band.low, begin, last);
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

void LaneGroup::offer(std::size_t lane, std::int64_t v, std::size_t i, std::size_t j)
{
  const auto row = static_cast<std::int64_t>(i);
  const auto column = static_cast<std::int64_t>(j);
  const std::int64_t h = plan.scaled(v, row, column);
  if (h > best[lane].h) best[lane] = {v, h, row, column};
}

namespace {

/// Diagonals that a band adds on either side of the corners (global), or holds in all (else):
/// enough for reads with some per cent of errors.
std::int64_t global_reach(std::int64_t rows, std::int64_t columns)
{
  return 8 + std::min(rows, columns) / 32;
}
std::int64_t widest_band(std::int64_t rows, std::int64_t columns)
{
  return 8 + std::min(rows, columns) / 8;
}

}  // namespace

LaneGroup::BandShape LaneGroup::band_shape(const Problem& problem, std::int64_t rows,
                                           std::int64_t columns)
{
  constexpr auto step = static_cast<std::int64_t>(tile);
  if (problem.mode == Mode::semi_global && !problem.free.target_begin) return {rows, columns};
  if (problem.mode == Mode::global) {
    return {std::abs(columns - rows) + 2 * global_reach(rows, columns) + step, columns};
  }
  const std::int64_t widest = widest_band(rows, columns);
  return {widest + step, std::min(columns, rows) + widest};
}

bool LaneGroup::cut_global()
{
  std::int64_t low = 0, high = 0;
  for (std::size_t l = 0; l < count; ++l) {
    const std::int64_t corner = pair[l].target_length - pair[l].query_length;
    low = std::min(low, corner);
    high = std::max(high, corner);
  }
  const std::int64_t reach =
      global_reach(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns));
  band = {low - reach, high + reach};
  const std::int64_t height = band.high - band.low + static_cast<std::int64_t>(tile);
  if (3 * height > 2 * static_cast<std::int64_t>(rows)) return false;
  banded = true;
  measure();
  return true;
}

/// A path that touches diagonal high + 1 has that many deleted letters at least, and inserted ones
/// to come back; likewise below.
bool LaneGroup::global_band_holds(std::size_t lane) const
{
  const std::int64_t corner = pair[lane].target_length - pair[lane].query_length;
  const std::int64_t above = band.high + 1, below = 1 - band.low;
  const std::int64_t over = plan.target_step * above + plan.query_step * (above - corner);
  const std::int64_t under = plan.query_step * below + plan.target_step * (below + corner);
  return plan.ceiling - best[lane].v < std::int64_t{2} * plan.open + std::min(over, under);
}

/// The most letters of one kind that gaps of an optimal path to the lane's best cell can hold.
LaneGroup::Gaps LaneGroup::longest_gaps(std::size_t lane) const
{
  const Best& cell = best[lane];
  std::int64_t loss = plan.ceiling - cell.v;
  std::int64_t deleted_step = plan.target_step, inserted_step = plan.query_step;
  if (plan.local) {
    loss = plan.max_letter * std::min(cell.i, cell.j) - cell.h;
    if (cell.i <= cell.j) inserted_step += plan.max_letter;
  }
  const std::int64_t left = std::max<std::int64_t>(loss - plan.open, 0);
  const auto most = [left](std::int64_t step) { return step > 0 ? left / step : INT32_MAX; };
  return {most(deleted_step), most(inserted_step)};
}

void LaneGroup::shift(std::size_t lane, std::int64_t begin)
{
  CodePair& cut = pair[lane];
  const Best& cell = best[lane];
  begin_[lane] = begin;
  cut.query_length = cell.i;
  cut.target_length = cell.j - begin;
  if (begin >= 0) {
    cut.target += begin;
    return;
  }
  const std::size_t place = scratch.shifted.size();  // room was reserved: nothing moves
  scratch.shifted.insert(scratch.shifted.end(), static_cast<std::size_t>(-begin), pad);
  scratch.shifted.insert(scratch.shifted.end(), cut.target, cut.target + cell.j);
  cut.target = scratch.shifted.data() + place;
}

void LaneGroup::set_cutoff()
{
  const auto costs = static_cast<std::int64_t>(8 + rows / 10);
  cutoff = std::min<std::int64_t>(costs, plan.ceiling - plan.floor - 1);
}

bool LaneGroup::cut_at_ends(bool* held)
{
  const std::int64_t widest =
      widest_band(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns));
  std::int64_t deleted = 0, inserted = 0;
  for (std::size_t l = 0; l < count; ++l) {
    const Gaps gaps = longest_gaps(l);
    held[l] = exact(l) && gaps.deleted + gaps.inserted <= widest;
    if (!held[l]) continue;
    deleted = std::max(deleted, gaps.deleted);
    inserted = std::max(inserted, gaps.inserted);
  }
  scratch.shifted.clear();
  scratch.shifted.reserve(count * (columns + rows + static_cast<std::size_t>(widest)) + 64);
  bool any = false;
  for (std::size_t l = 0; l < count; ++l) {
    const std::int64_t begin = best[l].j - best[l].i - deleted;
    // Outside local mode letters before the target cannot be stood in for.
    held[l] = held[l] && (begin >= 0 || plan.local);
    if (held[l] && best[l].i > 0) {
      shift(l, begin);
    } else {
      pair[l].query_length = pair[l].target_length = 0;
    }
    any = any || held[l];
  }
  scratch.shifted.resize(scratch.shifted.size() + 64);  // CodePair: readable past the end
  banded = shifted = true;
  cutoff = 0;
  band = {0, deleted + inserted};
  measure();
  return any;
}

/// Local: the ceiling was not reached. With a cutoff: the cost is within it. Else: no end cell at
/// the floor could have won, since such a cell has D >= ceiling - floor.
bool LaneGroup::exact(std::size_t lane) const
{
  const Best& cell = best[lane];
  if (plan.local) return cell.v < plan.ceiling;
  if (cutoff > 0) return cell.v >= plan.ceiling - cutoff;
  const std::int64_t m = pair[lane].query_length;
  const std::int64_t n = pair[lane].target_length;
  std::int64_t reach = plan.a * m + plan.b * n;
  if (plan.target_end_free) reach = std::max(reach, plan.a * m);
  if (plan.query_end_free) reach = std::max(reach, plan.b * n);
  return cell.h > reach - (plan.ceiling - plan.floor);
}

void LaneGroup::finish(std::size_t lane, Path& path) const
{
  const Best& cell = best[lane];
  path.end.score = cell.h * plan.divisor;
  path.end.query_end = cell.i;
  path.end.target_end = cell.j;
  if (output != LaneOutput::path) return;
  if (width == LaneWidth::bits8) {
    trace<std::int8_t>(*this, lane, path);
  } else {
    trace<std::int16_t>(*this, lane, path);
  }
  path.target_begin += begin_[lane];
}

}  // namespace helicity::align
