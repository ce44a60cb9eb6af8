// SPDX-License-Identifier: Apache-2.0
#include <align/lane_group.hpp>

#include <algorithm>

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

/// Walks one lane's path back through the kept matrix (rule: problem.hpp). Only H is kept: a gap of
/// length L attains H(i,j) iff H(i,j-L) - open - L * step equals it, and going on while extending
/// attains the value is taking the longest such L.
template <class T>
class Walker
{
 public:
  Walker(const LaneGroup& group, std::size_t lane, const T* matrix)
      : plan_(group.plan),
        pair_(group.pairs[lane]),
        matrix_(matrix + lane),
        rows_(static_cast<std::int64_t>(group.rows)),
        lanes_(static_cast<std::int64_t>(group.lanes)),
        i_(group.best[lane].i),
        j_(group.best[lane].j),
        v_(group.best[lane].v)
  {
  }

  void walk(std::vector<std::uint32_t>& ops)
  {
    while (i_ > 0 && j_ > 0 && !(plan_.local && v_ == plan_.floor)) {
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
  std::int64_t at(std::int64_t i, std::int64_t j) const
  {
    if (i == 0) return plan_.top(j);
    if (j == 0) return plan_.left(i);
    constexpr auto tile = static_cast<std::int64_t>(LaneGroup::tile);
    const std::int64_t column = j - 1;
    return matrix_[((column / tile * rows_ + (i - 1)) * tile + column % tile) * lanes_];
  }

  std::int32_t score() const
  {
    return plan_.score[pair_.query[i_ - 1] * ScoreTable::stride + pair_.target[j_ - 1]];
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
  const T* matrix_;
  std::int64_t rows_;
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

LaneWorkspace::LaneWorkspace() : impl(std::make_unique<Impl>())
{
}
LaneWorkspace::~LaneWorkspace() = default;

LaneGroup::LaneGroup(const Problem& the_problem, LaneWidth the_width, LaneOutput the_output,
                     std::span<const CodePair> the_pairs, LaneWorkspace::Impl& workspace,
                     std::size_t lane_number)
    : problem(the_problem),
      width(the_width),
      output(the_output),
      pairs(the_pairs),
      scratch(workspace),
      lanes(lane_number)
{
  std::int64_t longer = 0;
  for (const CodePair& pair : pairs) {
    longer += pair.query_length - pair.target_length;
    row_events.push_back(static_cast<std::size_t>(pair.query_length));
    column_events.push_back(static_cast<std::size_t>(pair.target_length));
  }
  sort_unique(row_events);
  sort_unique(column_events);
  rows = row_events.back();
  columns = column_events.back();
  plan = plan_lanes(problem, width, longer > 0);
  keep_matrix = output == LaneOutput::path;
}

void LaneGroup::offer(std::size_t lane, std::int64_t v, std::size_t i, std::size_t j)
{
  const auto row = static_cast<std::int64_t>(i);
  const auto column = static_cast<std::int64_t>(j);
  const std::int64_t h = plan.scaled(v, row, column);
  if (h > best[lane].h) best[lane] = {v, h, row, column};
}

/// Local: the ceiling was not reached. Else: no end cell at the floor could have won, since such a
/// cell has D >= ceiling - floor.
bool LaneGroup::exact(std::size_t lane) const
{
  const Best& cell = best[lane];
  if (plan.local) return cell.v < plan.ceiling;
  const std::int64_t m = pairs[lane].query_length;
  const std::int64_t n = pairs[lane].target_length;
  std::int64_t reach = plan.a * m + plan.b * n;
  if (plan.target_end_free) reach = std::max(reach, plan.a * m);
  if (plan.query_end_free) reach = std::max(reach, plan.b * n);
  return cell.h > reach - (plan.ceiling - plan.floor);
}

bool LaneGroup::finish(std::size_t lane, Path& path)
{
  if (!exact(lane)) return false;
  const Best& cell = best[lane];
  path.end.score = cell.h * plan.divisor;
  path.end.query_end = cell.i;
  path.end.target_end = cell.j;
  if (output != LaneOutput::path) return true;
  if (width == LaneWidth::bits8) {
    trace<std::int8_t>(*this, lane, path);
  } else {
    trace<std::int16_t>(*this, lane, path);
  }
  return true;
}

}  // namespace helicity::align
