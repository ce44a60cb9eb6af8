// SPDX-License-Identifier: Apache-2.0
// The loops of the batch engine, compiled once per instruction set.
#if defined(HELICITY_ALIGN_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HELICITY_ALIGN_LANES_INL
#undef HELICITY_ALIGN_LANES_INL
#else
#define HELICITY_ALIGN_LANES_INL
#endif

#include <align/lane_group.hpp>

#include <algorithm>
#include <cstring>
#include <new>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace helicity::align {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kTile = LaneGroup::tile;
constexpr std::uint8_t kUnknown = 4;        // N as a query code, and the query's padding
constexpr std::uint8_t kTargetPad = 0x80;   // top bit set: the lookup gives 0

// What is followed besides H: nothing (end cells on the matrix' edge), or the best cell of each
// column (local mode), with or without its row.
enum class Follow { edge, best, best_row };

// ---- codes of all lanes, one vector per letter ------------------------------------------------

#if HWY_TARGET != HWY_SCALAR  // one lane has nothing to transpose and no 16-byte tables: Profile

// Transposes 16 x 16 bytes: out[r * stride + l] = in[l][r].
HWY_INLINE void transpose16(const std::uint8_t* const* in, std::uint8_t* out, std::size_t stride)
{
  const hn::Full128<std::uint8_t> d8;
  const hn::Full128<std::uint16_t> d16;
  const hn::Full128<std::uint32_t> d32;
  const hn::Full128<std::uint64_t> d64;
  hn::Vec<decltype(d8)> a[16], b[16];
  for (int l = 0; l < 16; ++l) a[l] = hn::LoadU(d8, in[l]);
  for (int l = 0; l < 8; ++l) {
    b[2 * l] = hn::InterleaveLower(d8, a[2 * l], a[2 * l + 1]);
    b[2 * l + 1] = hn::InterleaveUpper(d8, a[2 * l], a[2 * l + 1]);
  }
  for (int g = 0; g < 4; ++g) {
    for (int h = 0; h < 2; ++h) {
      const auto x = hn::BitCast(d16, b[4 * g + h]), y = hn::BitCast(d16, b[4 * g + 2 + h]);
      a[4 * g + 2 * h] = hn::BitCast(d8, hn::InterleaveLower(d16, x, y));
      a[4 * g + 2 * h + 1] = hn::BitCast(d8, hn::InterleaveUpper(d16, x, y));
    }
  }
  for (int g = 0; g < 2; ++g) {
    for (int h = 0; h < 4; ++h) {
      const auto x = hn::BitCast(d32, a[8 * g + h]), y = hn::BitCast(d32, a[8 * g + 4 + h]);
      b[8 * g + 2 * h] = hn::BitCast(d8, hn::InterleaveLower(d32, x, y));
      b[8 * g + 2 * h + 1] = hn::BitCast(d8, hn::InterleaveUpper(d32, x, y));
    }
  }
  for (int h = 0; h < 8; ++h) {
    const auto x = hn::BitCast(d64, b[h]), y = hn::BitCast(d64, b[8 + h]);
    const auto lower = hn::BitCast(d8, hn::InterleaveLower(d64, x, y));
    const auto upper = hn::BitCast(d8, hn::InterleaveUpper(d64, x, y));
    hn::StoreU(lower, d8, out + static_cast<std::size_t>(2 * h) * stride);
    hn::StoreU(upper, d8, out + static_cast<std::size_t>(2 * h + 1) * stride);
  }
}

// out[row * lanes + lane]; rows past a lane's end hold `pad`. Rows are rounded up to 16.
template <class Letters, class Length>
HWY_NOINLINE void interleave(std::size_t lanes, std::size_t rows, std::uint8_t pad, Letters letters,
                             Length length, std::uint8_t* out)
{
  alignas(64) std::uint8_t padding[16];
  std::memset(padding, pad, sizeof padding);
  const std::size_t group = lanes < 16 ? lanes : 16;  // 8 lanes: 128-bit vectors of 16 bits
  for (std::size_t l0 = 0; l0 < lanes; l0 += group) {
    for (std::size_t r = 0; r < rows; r += 16) {
      const std::uint8_t* in[16];
      for (std::size_t l = 0; l < 16; ++l) {
        const bool inside = l < group && r < length(l0 + l);
        in[l] = inside ? letters(l0 + l) + r : padding;
      }
      if (group == 16) {
        transpose16(in, out + r * lanes + l0, lanes);
      } else {
        for (std::size_t k = 0; k < 16; ++k) {
          for (std::size_t l = 0; l < group; ++l) out[(r + k) * lanes + l0 + l] = in[l][k];
        }
      }
    }
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    for (std::size_t r = length(l); r % 16 != 0 && r < rows; ++r) out[r * lanes + l] = pad;
  }
}

// ---- letter scores ----------------------------------------------------------------------------

// DNA with one match, one mismatch and one N score: a 16-entry table indexed by
// query code ^ target code, N being 4 in queries and 8 in targets.
template <class T>
class Lookup
{
  using D = hn::ScalableTag<T>;
  using D8 = hn::Rebind<std::uint8_t, D>;
  using V8 = hn::Vec<D8>;

 public:
  explicit Lookup(const LaneGroup& group)
      : query_(group.scratch.query.get(0)), target_(group.scratch.target.get(0))
  {
    alignas(16) std::int8_t entries[16];
    for (int k = 0; k < 16; ++k) {
      const int cell = k == 0 ? 0 : (k < 4 ? 1 : 4);
      entries[k] = static_cast<std::int8_t>(group.plan.score[cell]);
    }
    std::memcpy(entries_, entries, sizeof entries);
  }

  HWY_INLINE void start(std::size_t column)
  {
    for (std::size_t c = 0; c < kTile; ++c) {
      letter_[c] = hn::Load(D8(), target_ + (column + c) * hn::Lanes(D()));
    }
    table_ = hn::LoadDup128(DTable(), entries_);
  }
  HWY_INLINE V8 row(std::size_t i) const { return hn::Load(D8(), query_ + i * hn::Lanes(D())); }
  HWY_INLINE hn::Vec<D> score(V8 row, std::size_t c) const
  {
    return widen(hn::TableLookupBytesOr0(table_, hn::Xor(row, letter_[c])));
  }

 private:
  static constexpr std::size_t kBytes = hn::MaxLanes(D8()) < 16 ? 16 : hn::MaxLanes(D8());
  using DTable = hn::Simd<std::uint8_t, kBytes, 0>;

  HWY_INLINE hn::Vec<D> widen(V8 bytes) const
  {
    const hn::Rebind<std::int8_t, D> signed8;
    if constexpr (sizeof(T) == 1) {
      return hn::BitCast(D(), bytes);
    } else {
      return hn::PromoteTo(D(), hn::BitCast(signed8, bytes));
    }
  }

  const std::uint8_t* query_;
  const std::uint8_t* target_;
  alignas(16) std::uint8_t entries_[16];
  hn::Vec<DTable> table_;
  V8 letter_[kTile];
};

#endif  // HWY_TARGET != HWY_SCALAR

// Any letters and scores: the tile's scores are laid out beforehand, one vector per cell.
template <class T>
class Profile
{
  using D = hn::ScalableTag<T>;

 public:
  explicit Profile(const LaneGroup& group)
      : group_(&group),
        scores_(reinterpret_cast<T*>(
            group.scratch.profile.get(group.rows * kTile * group.lanes * sizeof(T))))
  {
    for (int t = 0; t < ScoreTable::stride; ++t) {
      for (int q = 0; q < ScoreTable::stride; ++q) {
        by_target_[t][q] = static_cast<T>(group.plan.score[q * ScoreTable::stride + t]);
      }
    }
  }

  HWY_INLINE void start(std::size_t column)
  {
    for (std::size_t lane = 0; lane < group_->lanes; ++lane) {
      for (std::size_t c = 0; c < kTile; ++c) fill(lane, column + c, c);
    }
  }
  HWY_INLINE std::size_t row(std::size_t i) const { return i; }
  HWY_INLINE hn::Vec<D> score(std::size_t i, std::size_t c) const
  {
    return hn::Load(D(), scores_ + (i * kTile + c) * hn::Lanes(D()));
  }

 private:
  // Padding scores 0: it cannot raise a local score, and does not matter elsewhere.
  void fill(std::size_t lane, std::size_t column, std::size_t c)
  {
    T* out = scores_ + c * group_->lanes + lane;
    const std::size_t stride = kTile * group_->lanes;
    std::size_t i = 0;
    if (column < group_->target_length(lane)) {
      const CodePair& pair = group_->pairs[lane];
      const T* scores = by_target_[pair.target[column]];
      const std::size_t length = group_->query_length(lane);
      for (; i < length; ++i) out[i * stride] = scores[pair.query[i]];
    }
    for (; i < group_->rows; ++i) out[i * stride] = 0;
  }

  const LaneGroup* group_;
  T* scores_;
  T by_target_[ScoreTable::stride][ScoreTable::stride];
};

// ---- the matrix, tile by tile -----------------------------------------------------------------

template <class T, class Scores>
class Sweep
{
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kBlock = 127;  // rows counted in one lane of any width

 public:
  explicit Sweep(LaneGroup& group)
      : group_(group),
        plan_(group.plan),
        scores_(group),
        column_(reinterpret_cast<T*>(group.scratch.column.get((group.rows + 1) * 2 * lanes() * sizeof(T)))),
        masks_(hwy::AllocateAligned<T>(group.row_events.size() * lanes()))
  {
    const std::size_t tiles = group.keep_matrix ? (group.columns + kTile - 1) / kTile : 1;
    const bool needed = group.keep_matrix || plan_.query_end_free;
    matrix_ = reinterpret_cast<T*>(group.scratch.matrix.get(
        needed ? tiles * group.rows * kTile * lanes() * sizeof(T) : 0));
    fill_masks();
    fill_left();
    start_best();
  }

  void run()
  {
    for (std::size_t column = 0; column < group_.columns; column += kTile) {
      T* out = group_.keep_matrix ? matrix_ + column * group_.rows * lanes() : matrix_;
      const bool keep = group_.keep_matrix || (plan_.query_end_free && column_event(column));
      scores_.start(column);
      if (plan_.local) {
        if (keep) {
          tile<Follow::best_row, true, false>(column, out);
        } else if (group_.output == LaneOutput::score) {
          tile<Follow::best, false, false>(column, out);
        } else {
          tile<Follow::best_row, false, false>(column, out);
        }
      } else if (plan_.target_step == 0) {
        keep ? tile<Follow::edge, true, true>(column, out)
             : tile<Follow::edge, false, true>(column, out);
      } else {
        keep ? tile<Follow::edge, true, false>(column, out)
             : tile<Follow::edge, false, false>(column, out);
      }
    }
    collect();
  }

 private:
  static HWY_INLINE std::size_t lanes() { return hn::Lanes(D()); }
  static HWY_INLINE V set(std::int64_t value) { return hn::Set(D(), static_cast<T>(value)); }

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
    if (!masks_) throw std::bad_alloc();
    for (std::size_t e = 0; e < group_.row_events.size(); ++e) {
      for (std::size_t l = 0; l < lanes(); ++l) {
        const bool here = l < group_.pairs.size() && group_.query_length(l) == group_.row_events[e];
        masks_[e * lanes() + l] = here ? T(-1) : T(0);
      }
    }
  }

  // H(i,0), and E(i,1) = H(i,0) - open - step, in column_[i][2].
  void fill_left()
  {
    for (std::size_t i = 0; i <= group_.rows; ++i) {
      const std::int64_t h = plan_.left(static_cast<std::int64_t>(i));
      hn::Store(set(h), D(), column_ + i * 2 * lanes());
      hn::Store(set(plan_.clamp(plan_.clamp(h - plan_.open) - plan_.target_step)), D(),
                column_ + (i * 2 + 1) * lanes());
    }
  }

  void start_best()
  {
    best_ = column_lo_ = column_hi_ = row_lo_ = row_hi_ = hn::Zero(D());
    if (plan_.local) {
      best_ = set(plan_.floor);
      return;
    }
    vector_edge_ = plan_.target_end_free && !plan_.query_end_free && plan_.b == 0;
    alignas(HWY_ALIGNMENT) T start[LaneGroup::max_lanes];
    for (std::size_t l = 0; l < lanes(); ++l) {
      const auto m = static_cast<std::int64_t>(group_.query_length(l));
      start[l] = static_cast<T>(plan_.left(m));
      if (l >= group_.pairs.size()) continue;
      if (plan_.target_end_free) group_.offer(l, plan_.left(m), static_cast<std::size_t>(m), 0);
    }
    best_ = hn::Load(D(), start);
  }

  // One tile of columns over all rows. For each cell, with X(.) saturating at the floor:
  //   H = max(Hdiag + s, E, F);  E' = max(E, H - open) - target_step;  F' alike with query_step
  // where E' is the next column's and F' the next row's.
  template <Follow follow, bool keep, bool step_free>
  HWY_NOINLINE void tile(std::size_t column, T* out)
  {
    const D d;
    const std::size_t n = lanes();
    const V open = set(plan_.open);
    const V query_step = set(plan_.query_step);
    const V target_step = set(plan_.target_step);
    V up[kTile], gap[kTile], most[kTile], start[kTile], row_lo[kTile], row_hi[kTile], edge[kTile];
    for (std::size_t c = 0; c < kTile; ++c) {
      const std::int64_t h = plan_.top(static_cast<std::int64_t>(column + c + 1));
      up[c] = set(h);
      gap[c] = set(plan_.clamp(plan_.clamp(h - plan_.open) - plan_.query_step));
      most[c] = start[c] = set(plan_.floor);
      row_lo[c] = row_hi[c] = hn::Zero(d);
      edge[c] = set(plan_.floor);
    }
    V corner = set(plan_.top(static_cast<std::int64_t>(column)));
    std::size_t event = 0;
    for (std::size_t i = 0, block = 0; i < group_.rows; ++block) {
      std::size_t stop = group_.rows;
      if (follow == Follow::best_row && i + kBlock < stop) stop = i + kBlock;
      if (follow == Follow::edge) stop = group_.row_events[event];
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
          if (follow != Follow::edge) most[c] = hn::Max(most[c], h);
          if (keep) hn::Store(h, d, out + (i * kTile + c) * n);
        }
        hn::Store(h, d, left);
        hn::Store(deletion, d, left + n);
        if (follow == Follow::best_row) number = hn::Add(number, hn::Set(d, T(1)));
      }
      for (std::size_t c = 0; c < kTile; ++c) {
        if (follow == Follow::best_row) {
          row_hi[c] = hn::IfThenElse(hn::Gt(most[c], start[c]), set(static_cast<std::int64_t>(block)),
                                     row_hi[c]);
          start[c] = most[c];
        }
        if (follow == Follow::edge) {
          const auto ends = hn::MaskFromVec(hn::Load(d, masks_.get() + event * n));
          edge[c] = hn::IfThenElse(ends, up[c], edge[c]);
        }
      }
      ++event;
    }
    for (std::size_t c = 0; c < kTile; ++c) {
      if (follow == Follow::edge) {
        take_edge(column + c + 1, edge[c], out + c * n);
      } else {
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

  // The last row of each lane in column j = 1 .. columns, and the column itself where a target ends.
  void take_edge(std::size_t j, V edge, const T* kept)
  {
    alignas(HWY_ALIGNMENT) T values[LaneGroup::max_lanes];
    if (vector_edge_) {
      alignas(HWY_ALIGNMENT) T inside[LaneGroup::max_lanes];
      auto better = hn::Gt(edge, best_);
      if (j > group_.column_events.front()) {
        for (std::size_t l = 0; l < lanes(); ++l) inside[l] = j <= group_.target_length(l) ? T(-1) : T(0);
        better = hn::And(better, hn::MaskFromVec(hn::Load(D(), inside)));
      }
      best_ = hn::IfThenElse(better, edge, best_);
      mark_column(better, j);
      return;
    }
    const bool ends = std::binary_search(group_.column_events.begin(), group_.column_events.end(), j);
    if (!ends && !plan_.target_end_free) return;
    hn::Store(edge, D(), values);
    for (std::size_t l = 0; l < group_.pairs.size(); ++l) {
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
    for (std::size_t i = 0; i < m; ++i) group_.offer(lane, kept[i * kTile * lanes() + lane], i + 1, j);
  }

  // Moves the best cells that were followed in vectors to the group.
  void collect()
  {
    if (!plan_.local && !vector_edge_) return;
    alignas(HWY_ALIGNMENT) T v[LaneGroup::max_lanes];
    alignas(HWY_ALIGNMENT) T number[4][LaneGroup::max_lanes];
    hn::Store(best_, D(), v);
    hn::Store(column_lo_, D(), number[0]);
    hn::Store(column_hi_, D(), number[1]);
    hn::Store(row_lo_, D(), number[2]);
    hn::Store(row_hi_, D(), number[3]);
    for (std::size_t l = 0; l < group_.pairs.size(); ++l) {
      const auto byte = [&](int k) { return static_cast<std::size_t>(static_cast<std::uint8_t>(number[k][l])); };
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
  hwy::AlignedFreeUniquePtr<T[]> masks_;
  bool vector_edge_ = false;
  V best_, column_lo_, column_hi_, row_lo_, row_hi_;
};

#if HWY_TARGET != HWY_SCALAR
void lay_out_codes(LaneGroup& group)
{
  const auto round = [](std::size_t letters) { return (letters + 15) / 16 * 16; };
  const std::size_t query_rows = round(group.rows), target_rows = round(group.columns + kTile);
  std::uint8_t* query = group.scratch.query.get(query_rows * group.lanes);
  std::uint8_t* target = group.scratch.target.get(target_rows * group.lanes);
  interleave(
      group.lanes, query_rows, kUnknown, [&](std::size_t l) { return group.pairs[l].query; },
      [&](std::size_t l) { return group.query_length(l); }, query);
  interleave(
      group.lanes, target_rows, kTargetPad, [&](std::size_t l) { return group.pairs[l].target; },
      [&](std::size_t l) { return group.target_length(l); }, target);
  const std::size_t count = target_rows * group.lanes;  // N: 4 becomes 8
  for (std::size_t k = 0; k < count; ++k) target[k] = static_cast<std::uint8_t>(target[k] + (target[k] & kUnknown));
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
#endif
  Sweep<T, Profile<T>>(group).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace helicity::align
HWY_AFTER_NAMESPACE();

#endif
