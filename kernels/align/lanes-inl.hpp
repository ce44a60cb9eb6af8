// SPDX-License-Identifier: Apache-2.0
// The batch engine's sweep over the matrix, compiled once per instruction set.
#if defined(HELICITY_ALIGN_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HELICITY_ALIGN_LANES_INL
#undef HELICITY_ALIGN_LANES_INL
#else
#define HELICITY_ALIGN_LANES_INL
#endif

#include <align/lane_codes-inl.hpp>
#include <align/lane_group.hpp>
#include <align/lane_scores-inl.hpp>

#include <algorithm>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace helicity::align {
namespace HWY_NAMESPACE {

// What is followed besides H: nothing; the lanes' last rows (end cells lie on the matrix' edge); or
// the best cell of each column (local mode), with or without its row.
enum class Follow { nothing, edge, best, best_row };

template <class T, class Scores>
class Sweep
{
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kBlock = 127;  // rows counted in one lane of any width
  static constexpr std::size_t kCheck = 8;    // rows between looks at the cutoff

 public:
  explicit Sweep(LaneGroup& group)
      : group_(group),
        plan_(group.plan),
        scores_(group),
        column_(get(group.scratch.column, (group.rows + 1) * 2)),
        masks_(get(group.scratch.masks, group.row_events.size())),
        keep_(group.pass != LaneGroup::Pass::ends)
  {
    const std::size_t tiles = keep_ ? (group.columns + kTile - 1) / kTile : 1;
    const bool needed = keep_ || plan_.query_end_free;
    matrix_ = get(group.scratch.matrix, needed ? tiles * group.tile_cells() : 0);
    fill_masks();
    fill_left();
    start_best();
    start_cutoff();
  }

  void run()
  {
    std::size_t reached = group_.rows;  // rows that column_ holds for the tile's left edge
    T* out = matrix_;
    for (std::size_t column = 0; column < group_.columns; column += kTile) {
      const LaneGroup::Rows rows = group_.tile_rows(column);
      for (std::size_t i = reached; i < rows.end; ++i) block_left(i);
      reached = rows.end;
      stop_ = rows.end;
      scores_.start(column, rows);
      run_tile(column, rows, out);
      if (group_.cutoff > 0) {
        for (std::size_t i = stop_; i < written_; ++i) block_left(i);
        written_ = stop_;
        if (keep_) group_.stops.push_back(stop_);
      }
      if (keep_) out += group_.tile_cells() * lanes();
    }
    collect();
  }

 private:
  static HWY_INLINE std::size_t lanes() { return hn::Lanes(D()); }
  static T* get(Scratch<std::uint8_t>& scratch, std::size_t vectors)
  {
    return reinterpret_cast<T*>(scratch.get(vectors * lanes() * sizeof(T)));
  }
  static HWY_INLINE V set(std::int64_t value) { return hn::Set(D(), static_cast<T>(value)); }

  void run_tile(std::size_t column, LaneGroup::Rows rows, T* out)
  {
    const bool keep = keep_ || (plan_.query_end_free && column_event(column));
    const bool step_free = plan_.target_step == 0;
    if (group_.pass == LaneGroup::Pass::matrix) {
      tile<Follow::nothing, true, false>(column, rows, out);
    } else if (plan_.local && keep) {
      tile<Follow::best_row, true, false>(column, rows, out);
    } else if (plan_.local && group_.output == LaneOutput::score) {
      tile<Follow::best, false, false>(column, rows, out);
    } else if (plan_.local) {
      tile<Follow::best_row, false, false>(column, rows, out);
    } else if (group_.cutoff > 0 && keep) {
      tile<Follow::edge, true, false, true>(column, rows, out);
    } else if (group_.cutoff > 0) {
      tile<Follow::edge, false, false, true>(column, rows, out);
    } else if (step_free && keep) {
      tile<Follow::edge, true, true>(column, rows, out);
    } else if (step_free) {
      tile<Follow::edge, false, true>(column, rows, out);
    } else if (keep) {
      tile<Follow::edge, true, false>(column, rows, out);
    } else {
      tile<Follow::edge, false, false>(column, rows, out);
    }
  }

  bool column_event(std::size_t column) const
  {
    for (const std::size_t n : group_.column_events) {
      if (n > column && n <= column + kTile) return true;
    }
    return false;
  }

  // masks_[event][lane]: all ones where the lane's query ends at that row.
  void fill_masks()
  {
    for (std::size_t e = 0; e < group_.row_events.size(); ++e) {
      for (std::size_t l = 0; l < lanes(); ++l) {
        const bool here = l < group_.count && group_.query_length(l) == group_.row_events[e];
        masks_[e * lanes() + l] = here ? T(-1) : T(0);
      }
    }
  }

  // H(i,0), and E(i,1) = H(i,0) - open - step, in column_[i][2].
  void fill_left()
  {
    if (group_.shifted) {
      for (std::size_t i = 0; i < group_.rows; ++i) block_left(i);
      return;
    }
    for (std::size_t i = 0; i <= group_.rows; ++i) {
      const std::int64_t h = plan_.left(static_cast<std::int64_t>(i));
      hn::Store(set(h), D(), column_ + i * 2 * lanes());
      hn::Store(set(plan_.clamp(plan_.clamp(h - plan_.open) - plan_.target_step)), D(),
                column_ + (i * 2 + 1) * lanes());
    }
  }

  // Nothing enters row i (counted from 0) from the left.
  void block_left(std::size_t i)
  {
    hn::Store(set(plan_.floor), D(), column_ + (i + 1) * 2 * lanes());
    hn::Store(set(plan_.floor), D(), column_ + ((i + 1) * 2 + 1) * lanes());
  }

  void start_best()
  {
    best_ = column_lo_ = column_hi_ = row_lo_ = row_hi_ = hn::Zero(D());
    if (plan_.local || group_.pass == LaneGroup::Pass::matrix) {
      best_ = set(plan_.floor);
      return;
    }
    vector_edge_ = plan_.target_end_free && !plan_.query_end_free && plan_.b == 0;
    alignas(HWY_ALIGNMENT) T start[LaneGroup::max_lanes];
    for (std::size_t l = 0; l < lanes(); ++l) {
      const auto m = static_cast<std::int64_t>(group_.query_length(l));
      start[l] = static_cast<T>(plan_.left(m));
      if (l < group_.count && plan_.target_end_free)
        group_.offer(l, plan_.left(m), static_cast<std::size_t>(m), 0);
    }
    best_ = hn::Load(D(), start);
  }

  // Rows whose left edge is within the cutoff, counted from 0.
  void start_cutoff()
  {
    written_ = group_.rows;
    if (group_.cutoff == 0) return;
    passive_ = set(plan_.ceiling - group_.cutoff - 1);
    active_ = 0;
    while (active_ < group_.rows &&
           plan_.left(static_cast<std::int64_t>(active_ + 1)) >= plan_.ceiling - group_.cutoff)
    {
      ++active_;
    }
  }
  HWY_INLINE bool any_active(V values) const
  {
    return !hn::AllFalse(D(), hn::Gt(values, passive_));
  }

  // One tile of columns over its rows. For each cell, with X(.) saturating at the floor:
  //   H = max(Hdiag + s, E, F);  E' = max(E, H - open) - target_step;  F' alike with query_step
  // where E' is the next column's and F' the next row's. With a cutoff the tile ends where nothing
  // enters from above or from the left that costs no more (Ukkonen 1985): costs only grow.
  template <Follow follow, bool keep, bool step_free, bool cutoff = false>
  HWY_NOINLINE void tile(std::size_t column, LaneGroup::Rows rows, T* out)
  {
    const D d;
    const std::size_t n = lanes();
    const V open = set(plan_.open);
    const V query_step = set(plan_.query_step);
    const V target_step = set(plan_.target_step);
    V up[kTile], gap[kTile], most[kTile], start[kTile], row_lo[kTile], row_hi[kTile], edge[kTile];
    for (std::size_t c = 0; c < kTile; ++c) {
      const bool inside = rows.begin > 0;  // above lie cells outside the band
      const std::int64_t h =
          inside ? plan_.floor : plan_.top(static_cast<std::int64_t>(column + c + 1));
      up[c] = set(h);
      gap[c] = set(plan_.clamp(plan_.clamp(h - plan_.open) - plan_.query_step));
      most[c] = start[c] = edge[c] = set(plan_.floor);
      row_lo[c] = row_hi[c] = hn::Zero(d);
    }
    V corner = rows.begin > 0 ? hn::Load(d, column_ + rows.begin * 2 * n)
                              : set(plan_.top(static_cast<std::int64_t>(column)));
    const std::size_t active_left = active_;
    if (cutoff) active_ = 0;
    std::size_t event = 0;
    if (follow == Follow::edge) {
      while (event < group_.row_events.size() && group_.row_events[event] <= rows.begin) ++event;
    }
    for (std::size_t i = rows.begin, block = 0; i < rows.end; ++block) {
      std::size_t stop = rows.end;
      if (follow == Follow::best_row) stop = std::min(stop, i + kBlock);
      if (cutoff) stop = std::min(stop, i + kCheck);
      const bool ends = follow == Follow::edge && event < group_.row_events.size() &&
                        group_.row_events[event] <= stop;
      if (ends) stop = group_.row_events[event];
      V right = set(plan_.floor);
      V number = hn::Zero(d);
      for (; i < stop; ++i) {
        T* HWY_RESTRICT left = column_ + (i + 1) * 2 * n;
        V h = hn::Load(d, left);
        V deletion = hn::Load(d, left + n);
        V diagonal = corner;
        corner = h;
        const auto row = scores_.row(i);
        for (std::size_t c = 0; c < kTile; ++c) {
          h = hn::Max(hn::SaturatedAdd(diagonal, scores_.score(row, c)), hn::Max(deletion, gap[c]));
          diagonal = up[c];
          up[c] = h;
          const V opened = hn::SaturatedSub(h, open);
          deletion = hn::Max(deletion, opened);
          if (!step_free) deletion = hn::SaturatedSub(deletion, target_step);
          gap[c] = hn::SaturatedSub(hn::Max(gap[c], opened), query_step);
          if (follow == Follow::best_row) {
            row_lo[c] = hn::IfThenElse(hn::Gt(h, most[c]), number, row_lo[c]);
          }
          if (follow == Follow::best || follow == Follow::best_row) most[c] = hn::Max(most[c], h);
          if (keep) hn::Store(h, d, out + ((i - rows.begin) * kTile + c) * n);
        }
        hn::Store(h, d, left);
        hn::Store(deletion, d, left + n);
        if (cutoff) right = hn::Max(right, hn::Max(h, deletion));
        if (follow == Follow::best_row) number = hn::Add(number, hn::Set(d, T(1)));
      }
      for (std::size_t c = 0; c < kTile; ++c) {
        if (follow == Follow::best_row) {
          const auto more = hn::Gt(most[c], start[c]);
          row_hi[c] = hn::IfThenElse(more, set(static_cast<std::int64_t>(block)), row_hi[c]);
          start[c] = most[c];
        }
        if (ends) {
          const auto here = hn::MaskFromVec(hn::Load(d, masks_ + event * n));
          edge[c] = hn::IfThenElse(here, up[c], edge[c]);
        }
      }
      if (ends) ++event;
      if (cutoff) {
        if (any_active(right)) active_ = i;
        V below = hn::Max(up[0], gap[0]);
        for (std::size_t c = 1; c < kTile; ++c) below = hn::Max(below, hn::Max(up[c], gap[c]));
        if (i > active_left && !any_active(below)) {
          stop_ = i;
          break;
        }
      }
    }
    for (std::size_t c = 0; c < kTile; ++c) {
      if (follow == Follow::edge) take_edge(column + c + 1, edge[c], out + c * n);
      if (follow == Follow::best || follow == Follow::best_row) {
        take_best(column + c, most[c], row_lo[c], row_hi[c]);
      }
    }
  }

  // Keeps the first column that improves a lane; numbers are split into bytes.
  HWY_INLINE void take_best(std::size_t j, V most, V row_lo, V row_hi)
  {
    const auto better = hn::Gt(most, best_);
    best_ = hn::Max(best_, most);
    mark_column(better, j);
    row_lo_ = hn::IfThenElse(better, row_lo, row_lo_);
    row_hi_ = hn::IfThenElse(better, row_hi, row_hi_);
  }

  template <class Mask>
  HWY_INLINE void mark_column(Mask better, std::size_t j)
  {
    column_lo_ = hn::IfThenElse(better, set(static_cast<std::int8_t>(j & 255)), column_lo_);
    column_hi_ = hn::IfThenElse(better, set(static_cast<std::int8_t>(j >> 8)), column_hi_);
  }

  // The last row of each lane in column j = 1 .. columns, and the column itself where a target
  // ends.
  void take_edge(std::size_t j, V edge, const T* kept)
  {
    alignas(HWY_ALIGNMENT) T values[LaneGroup::max_lanes];
    if (vector_edge_) {
      alignas(HWY_ALIGNMENT) T inside[LaneGroup::max_lanes];
      auto better = hn::Gt(edge, best_);
      if (j > group_.column_events.front()) {
        for (std::size_t l = 0; l < lanes(); ++l)
          inside[l] = j <= group_.target_length(l) ? T(-1) : T(0);
        better = hn::And(better, hn::MaskFromVec(hn::Load(D(), inside)));
      }
      best_ = hn::IfThenElse(better, edge, best_);
      mark_column(better, j);
      return;
    }
    const bool ends =
        std::binary_search(group_.column_events.begin(), group_.column_events.end(), j);
    if (!ends && !plan_.target_end_free) return;
    hn::Store(edge, D(), values);
    for (std::size_t l = 0; l < group_.count; ++l) {
      const std::size_t n = group_.target_length(l);
      if (j > n || (j < n && !plan_.target_end_free)) continue;
      if (j == n && plan_.query_end_free) take_column(l, j, kept);
      group_.offer(l, values[l], group_.query_length(l), j);
    }
  }

  void take_column(std::size_t lane, std::size_t j, const T* kept)
  {
    group_.offer(lane, plan_.top(static_cast<std::int64_t>(j)), 0, j);
    const std::size_t m = group_.query_length(lane);
    for (std::size_t i = 0; i < m; ++i)
      group_.offer(lane, kept[i * kTile * lanes() + lane], i + 1, j);
  }

  // Moves the best cells that were followed in vectors to the group.
  void collect()
  {
    if (group_.pass == LaneGroup::Pass::matrix || (!plan_.local && !vector_edge_)) return;
    alignas(HWY_ALIGNMENT) T v[LaneGroup::max_lanes];
    alignas(HWY_ALIGNMENT) T number[4][LaneGroup::max_lanes];
    hn::Store(best_, D(), v);
    hn::Store(column_lo_, D(), number[0]);
    hn::Store(column_hi_, D(), number[1]);
    hn::Store(row_lo_, D(), number[2]);
    hn::Store(row_hi_, D(), number[3]);
    for (std::size_t l = 0; l < group_.count; ++l) {
      const auto byte = [&](int k) {
        return static_cast<std::size_t>(static_cast<std::uint8_t>(number[k][l]));
      };
      const std::size_t j = byte(0) | byte(1) << 8;
      if (!plan_.local) {
        group_.offer(l, v[l], group_.query_length(l), j);
      } else if (v[l] == plan_.floor) {
        group_.offer(l, v[l], 0, 0);
      } else {
        group_.offer(l, v[l], byte(3) * kBlock + byte(2) + 1, j + 1);
      }
    }
  }

  LaneGroup& group_;
  const LanePlan& plan_;
  Scores scores_;
  T* column_;
  T* matrix_ = nullptr;
  T* masks_;
  bool keep_;
  bool vector_edge_ = false;
  std::size_t active_ = 0;   // rows of the tile's left edge, then right edge, within the cutoff
  std::size_t stop_ = 0;     // rows of the tile that were computed
  std::size_t written_ = 0;  // rows of column_ that may hold more than the floor
  V passive_;
  V best_, column_lo_, column_hi_, row_lo_, row_hi_;
};

#if HWY_TARGET != HWY_SCALAR
HWY_INLINE void lay_out_codes(LaneGroup& group)
{
  const auto round = [](std::size_t letters) { return (letters + 15) / 16 * 16; };
  const std::size_t query_rows = round(group.rows), target_rows = round(group.columns + kTile);
  std::uint8_t* query = group.scratch.query.get(query_rows * group.lanes);
  std::uint8_t* target = group.scratch.target.get(target_rows * group.lanes);
  interleave(
      group.lanes, query_rows, kUnknown, [&](std::size_t l) { return group.pair[l].query; },
      [&](std::size_t l) { return group.query_length(l); }, query);
  interleave(
      group.lanes, target_rows, kTargetPad, [&](std::size_t l) { return group.pair[l].target; },
      [&](std::size_t l) { return group.target_length(l); }, target);
  const std::size_t count = target_rows * group.lanes;  // N: 4 becomes 8
  for (std::size_t k = 0; k < count; ++k)
    target[k] = static_cast<std::uint8_t>(target[k] + (target[k] & kUnknown));
}
#endif

template <class T>
void run_group(LaneGroup& group)
{
#if HWY_TARGET != HWY_SCALAR
  if (group.plan.uniform) {
    lay_out_codes(group);
    Sweep<T, Lookup<T>>(group).run();
    return;
  }
  if (group.plan.bytes && group.lanes >= 16) {
    Sweep<T, ByteProfile<T>>(group).run();
    return;
  }
#endif
  Sweep<T, Profile<T>>(group).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace helicity::align
HWY_AFTER_NAMESPACE();

#endif
