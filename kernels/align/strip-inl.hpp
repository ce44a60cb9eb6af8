// SPDX-License-Identifier: Apache-2.0
// The loop of the general engine, compiled once per instruction set.
#if defined(HELICITY_ALIGN_STRIP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HELICITY_ALIGN_STRIP_INL
#undef HELICITY_ALIGN_STRIP_INL
#else
#define HELICITY_ALIGN_STRIP_INL
#endif

#include <align/strip_tile.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace helicity::align {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using StripTag = hn::ScalableTag<T>;
template <class T>
using StripVec = hn::Vec<StripTag<T>>;
template <class T>
using StripMask = hn::Mask<StripTag<T>>;

// Rows of a lane: the more, the fewer borders, but H and E of all are to stay in registers or
// nearly. Measured with 16-bit lanes, 20 kb x 20 kb: AVX-512 8 -> 16 rows +12 %, AVX2 4 -> 8 rows
// +30 %.
constexpr int kStripRows = HWY_TARGET <= HWY_AVX3 ? 16 : 8;

template <class T>
constexpr int kStripLanes = static_cast<int>(hn::MaxLanes(StripTag<T>()));

// Row of the tile that row k of a lane is.
HWY_INLINE std::int64_t strip_row(const Strip& strip, int lane, int k)
{
  return strip.first + std::int64_t{strip.lanes - 1 - lane} * strip.rows + k;
}

// ---- scores of a strip's rows against the letters that its lanes have come to ------------------

// One score for equal letters, one for others; N equals nothing.
template <class T, int kRows>
class StripEquality
{
 public:
  struct Table
  {
    alignas(64) T codes[kRows][kStripLanes<T>] = {};
  };

  static void fill(const StripTile<T>& tile, const Strip& strip, Table& table)
  {
    constexpr int kUnknown = 4, kNever = 64;
    for (int lane = 0; lane < strip.lanes; ++lane) {
      for (int k = 0; k < kRows; ++k) {
        const std::uint8_t code = tile.query[strip_row(strip, lane, k)];
        table.codes[k][lane] = static_cast<T>(code == kUnknown ? kNever : code);
      }
    }
  }

  HWY_INLINE StripEquality(const StripTile<T>& tile, const Table& table)
      : match_(hn::Set(d, static_cast<T>((*tile.table)(0, 0)))),
        mismatch_(hn::Set(d, static_cast<T>((*tile.table)(0, 1))))
  {
    for (int k = 0; k < kRows; ++k) query_[k] = hn::Load(d, table.codes[k]);
  }

  HWY_INLINE void enter(StripVec<T> letters) { target_ = letters; }

  template <int k>
  HWY_INLINE StripVec<T> row() const
  {
    return hn::IfThenElse(hn::Eq(query_[k], target_), match_, mismatch_);
  }

 private:
  static constexpr StripTag<T> d{};
  StripVec<T> query_[kRows];
  StripVec<T> target_;
  StripVec<T> match_;
  StripVec<T> mismatch_;
};

// Any table: the scores of a lane's rows for each letter, kBits each, packed into words; one gather
// per word and step.
template <class T, int kRows, int kBits>
class StripProfile
{
  static constexpr StripTag<T> d{};
  static constexpr int kLanes = kStripLanes<T>;
  static constexpr int kPerWord = static_cast<int>(sizeof(T)) * 8 / kBits;
  static constexpr int kWords = kRows / kPerWord;

 public:
  struct Table
  {
    alignas(64) T words[kWords][ScoreTable::stride * kLanes] = {};
  };

  static void fill(const StripTile<T>& tile, const Strip& strip, Table& table)
  {
    for (int lane = 0; lane < strip.lanes; ++lane) {
      for (int w = 0; w < kWords; ++w) {
        const std::int32_t* scores[kPerWord];
        for (int k = 0; k < kPerWord; ++k) {
          const int code = tile.query[strip_row(strip, lane, w * kPerWord + k)];
          scores[k] = tile.table->score.data() + code * ScoreTable::stride;
        }
        T* const words = table.words[w] + lane;
        for (int c = 0; c < tile.table->letters; ++c)
          words[std::ptrdiff_t{c} * kLanes] = pack(scores, c);
      }
    }
  }

  HWY_INLINE StripProfile(const StripTile<T>&, const Table& table) : table_(table) {}

  HWY_INLINE void enter(StripVec<T> letters)
  {
    constexpr int kShift = static_cast<int>(hwy::CeilLog2(static_cast<unsigned>(kLanes)));
    const auto index = hn::Add(hn::ShiftLeft<kShift>(letters), hn::Iota(d, 0));
    for (int w = 0; w < kWords; ++w) word_[w] = hn::GatherIndex(d, table_.words[w], index);
  }

  template <int k>
  HWY_INLINE StripVec<T> row() const
  {
    constexpr int kAbove = kBits * (kPerWord - 1 - k % kPerWord);
    return hn::ShiftRight<kBits*(kPerWord - 1)>(hn::ShiftLeft<kAbove>(word_[k / kPerWord]));
  }

 private:
  static T pack(const std::int32_t* const* scores, int letter)
  {
    constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
    std::uint64_t word = 0;
    for (int k = kPerWord - 1; k >= 0; --k) {
      word = word << kBits | (static_cast<std::uint64_t>(scores[k][letter]) & kMask);
    }
    return static_cast<T>(word);
  }

  const Table& table_;
  StripVec<T> word_[kWords];
};

// ---- one strip ---------------------------------------------------------------------------------

// Best cell of each lane: score, step and row of the lane.
template <class T, int kRows>
class StripBest
{
 public:
  // Looks for cells that are above `floor`; lanes above `top` are not looked at.
  HWY_INLINE StripBest(T floor, int top)
      : score_(hn::IfThenElse(hn::Gt(hn::Iota(d, 0), hn::Set(d, static_cast<T>(top))),
                              hn::Set(d, std::numeric_limits<T>::max()), hn::Set(d, floor))),
        step_(hn::Set(d, -1)),
        row_(hn::Zero(d))
  {}

  // A column, of the lanes in `active` if kEdge. Later columns must be better, the first row wins.
  template <bool kEdge>
  HWY_INLINE void note(const StripVec<T>* h, std::int64_t step, StripMask<T> active)
  {
    StripVec<T> top = h[0];
    for (int k = 1; k < kRows; ++k) top = hn::Max(top, h[k]);
    auto improved = hn::Gt(top, score_);
    if constexpr (kEdge) improved = hn::And(improved, active);
    if (HWY_LIKELY(hn::AllFalse(d, improved))) return;
    StripVec<T> row = hn::Set(d, kRows - 1);
    for (int k = kRows - 2; k >= 0; --k) {
      row = hn::IfThenElse(hn::Eq(h[k], top), hn::Set(d, static_cast<T>(k)), row);
    }
    score_ = hn::IfThenElse(improved, top, score_);
    step_ = hn::IfThenElse(improved, hn::Set(d, static_cast<T>(step)), step_);
    row_ = hn::IfThenElse(improved, row, row_);
  }

  // Improves the end cell by those of the lanes.
  HWY_INLINE void merge(const StripTile<T>& tile, const Strip& strip, EndCell& best) const
  {
    alignas(64) T score[kStripLanes<T>], step[kStripLanes<T>], row[kStripLanes<T>];
    hn::Store(score_, d, score);
    hn::Store(step_, d, step);
    hn::Store(row_, d, row);
    for (int lane = 0; lane < strip.lanes; ++lane) {
      if (step[lane] < 0) continue;
      const EndCell cell{
          tile.base + score[lane],
          tile.row + 1 + strip_row(strip, lane, static_cast<int>(row[lane])),
          tile.column + 1 + static_cast<std::int64_t>(step[lane]) - (strip.lanes - 1 - lane)};
      if (better(cell, best)) best = cell;
    }
  }

 private:
  static constexpr StripTag<T> d{};
  StripVec<T> score_;
  StripVec<T> step_;
  StripVec<T> row_;
};

// Slides a strip over the columns of a tile. At step t lane l is at column t - (lanes-1-l): its
// letters lie in memory in the order of the lanes; the border above enters at lane `lanes - 1`;
// what the last row of a lane leaves goes to the lane below; the border below comes out of lane 0.
template <class T, int kRows, class Scores, bool kLocal, bool kDirections>
class StripLoop
{
 public:
  using V = StripVec<T>;
  using M = StripMask<T>;

  HWY_INLINE StripLoop(const StripTile<T>& tile, const Strip& strip, T corner, const Scores& scores,
                       std::uint8_t* bits)
      : scores_(scores),
        letters_(tile.target - (strip.lanes - 1)),
        row_h_(tile.row_h),
        row_f_(tile.row_f),
        bits_(bits),
        behind_(strip.lanes - 1),
        columns_(tile.columns),
        zero_(hn::Set(d, relative(tile, 0))),
        extend_(hn::Set(d, static_cast<T>(tile.table->gap_extend))),
        open_extend_(hn::Set(d, static_cast<T>(tile.table->gap_open + tile.table->gap_extend))),
        next_block_(hn::IndicesFromVec(
            d32, hn::And(hn::Iota(d32, 4), hn::Set(d32, hn::MaxLanes(d32) - 1)))),
        entry_(hn::Eq(hn::Iota(d, 0), hn::Set(d, static_cast<T>(behind_)))),
        above_(hn::Set(d, corner)),
        f_(hn::Zero(d)),
        best_(relative(tile, to_exceed(tile.best)), behind_)
  {
    load_column(tile, strip);
  }

  // Fills the lanes one by one, runs with all of them, drains them.
  HWY_INLINE void run()
  {
    for (std::int64_t t = 0; t < columns_ + behind_;) {
      if (t >= behind_ && t < columns_) {
        for (; t < columns_; ++t) step<false>(t, entry_);
      } else {
        edge_step(t++);  // written once, as it is long when expanded
      }
    }
  }

  // Leaves the column border, and the best cell.
  HWY_INLINE void finish(const StripTile<T>& tile, const Strip& strip) const
  {
    alignas(64) T h[kRows][kLanes], e[kRows][kLanes];
    for (int k = 0; k < kRows; ++k) hn::Store(h_[k], d, h[k]);
    for (int k = 0; k < kRows; ++k) hn::Store(e_[k], d, e[k]);
    for (int lane = 0; lane < strip.lanes; ++lane) {
      for (int k = 0; k < kRows; ++k) {
        tile.column_h[strip_row(strip, lane, k)] = h[k][lane];
        tile.column_e[strip_row(strip, lane, k)] = e[k][lane];
      }
    }
    if (kBest && tile.best != nullptr) best_.merge(tile, strip, *tile.best);
  }

 private:
  static constexpr StripTag<T> d{};
  static constexpr StripTag<std::int32_t> d32{};
  static constexpr int kLanes = kStripLanes<T>;
  static constexpr int kMaskBytes = (kLanes + 7) / 8;
  static constexpr bool kBest = kLocal && !kDirections;

  // Cells that may be the best, by their place if not by their score, have more than this.
  static std::int64_t to_exceed(const EndCell* best)
  {
    if (best == nullptr) return std::numeric_limits<std::int64_t>::max() / 2;
    return std::max<std::int64_t>(best->score - 1, 0);
  }

  // A score as lanes hold it; one that no cell of the tile can have becomes one that none has.
  static T relative(const StripTile<T>& tile, std::int64_t score)
  {
    return static_cast<T>(std::clamp<std::int64_t>(score - tile.base, std::numeric_limits<T>::min(),
                                                   std::numeric_limits<T>::max()));
  }

  HWY_INLINE void load_column(const StripTile<T>& tile, const Strip& strip)
  {
    alignas(64) T h[kRows][kLanes] = {}, e[kRows][kLanes] = {};
    for (int lane = 0; lane < strip.lanes; ++lane) {
      for (int k = 0; k < kRows; ++k) {
        h[k][lane] = tile.column_h[strip_row(strip, lane, k)];
        e[k][lane] = tile.column_e[strip_row(strip, lane, k)];
      }
    }
    for (int k = 0; k < kRows; ++k) h_[k] = hn::Load(d, h[k]);
    for (int k = 0; k < kRows; ++k) e_[k] = hn::Load(d, e[k]);
  }

  // A step at which some lanes are before the first or past the last column.
  HWY_INLINE void edge_step(std::int64_t t)
  {
    const V column = hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<T>(t - behind_)));
    const M begun = hn::Gt(column, hn::Set(d, -1));
    const M ended = hn::Gt(column, hn::Set(d, static_cast<T>(columns_ - 1)));
    step<true>(t, hn::AndNot(ended, begun));
  }

  // One column of each lane. Without kEdge all lanes are active, and the mask is not read.
  template <bool kEdge>
  HWY_INLINE void step(std::int64_t t, M active)
  {
    const V diagonal = above_;  // H(i-1,j-1) of the first row of each lane
    const std::int64_t entering = kEdge ? std::min(t, columns_ - 1) : t;
    above_ = hn::IfThenElse(entry_, hn::Set(d, row_h_[entering]), from_next_lane(h_[kRows - 1]));
    f_ = hn::IfThenElse(entry_, hn::Set(d, row_f_[entering]), from_next_lane(f_));
    scores_.enter(
        hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, StripTag<T>>(), letters_ + t)));
    rows<0, kEdge>(diagonal, active);
    if constexpr (kBest) best_.template note<kEdge>(h_, t, active);
    if (kEdge && t < behind_) return;
    row_h_[t - behind_] = hn::GetLane(h_[kRows - 1]);
    row_f_[t - behind_] = hn::GetLane(f_);
  }

  // Rows k and below of each lane, all in the lane's column. In: f_ = F(i,j), e_[k] = E(i,j),
  // h_[k] = H(i,j-1), diagonal = H(i-1,j-1). Out: f_ = F(i+1,j), e_[k] = E(i,j+1), h_[k] = H(i,j).
  template <int k, bool kEdge>
  HWY_INLINE void rows(V diagonal, M active)
  {
    if constexpr (k < kRows) {
      // H(i,j) = max(H(i-1,j-1) + s(i,j), E(i,j), F(i,j)), F last: it is what is waited for
      const V next_diagonal = h_[k];
      const V aligned = hn::Add(diagonal, scores_.template row<k>());
      V sooner = hn::Max(aligned, e_[k]);
      if constexpr (kLocal) sooner = hn::Max(sooner, zero_);
      const V h = hn::Max(sooner, f_);
      // E(i,j+1) = max(E(i,j), H(i,j) - o) - e
      const V longer_e = extended(e_[k]);
      const V e = hn::Max(longer_e, hn::Sub(h, open_extend_));
      // F(i+1,j) likewise; H without F does, as F - o - e <= F - e
      const V longer_f = extended(f_);
      const V f = hn::Max(longer_f, hn::Sub(sooner, open_extend_));
      if constexpr (kDirections) {
        put_bits(hn::Eq(h, aligned));
        put_bits(hn::Eq(h, e_[k]));
        put_bits(hn::Eq(e, longer_e));
        put_bits(hn::Eq(f, longer_f));
      }
      h_[k] = kEdge ? hn::IfThenElse(active, h, h_[k]) : h;
      e_[k] = kEdge ? hn::IfThenElse(active, e, e_[k]) : e;
      f_ = f;
      rows<k + 1, kEdge>(next_diagonal, active);
    }
  }

  // Outside local mode extending costs nothing (StripTile).
  HWY_INLINE V extended(V gap) const { return kLocal ? hn::Sub(gap, extend_) : gap; }

  // Lane l + 1 in lane l; the last lane is rubbish.
  HWY_INLINE V from_next_lane(V v) const
  {
    if constexpr (kLanes == 1) {
      return v;
    } else {
      const auto next_blocks = hn::TableLookupLanes(hn::BitCast(d32, v), next_block_);
      // found by its arguments: the scalar target has none of that name
      return CombineShiftRightBytes<sizeof(T)>(d, hn::BitCast(d, next_blocks), v);
    }
  }

  HWY_INLINE void put_bits(M mask)
  {
    hn::StoreMaskBits(d, mask, bits_);
    bits_ += kMaskBytes;
  }

  Scores scores_;
  const std::uint8_t* letters_;
  T* row_h_;
  T* row_f_;
  std::uint8_t* bits_;
  int behind_;  // columns that lane 0 is behind
  std::int64_t columns_;
  V zero_;
  V extend_;
  V open_extend_;
  decltype(hn::IndicesFromVec(d32, hn::Zero(d32))) next_block_;  // turns 128-bit blocks by one
  M entry_;
  V h_[kRows];
  V e_[kRows];
  V above_;
  V f_;
  StripBest<T, kRows> best_;
};

template <class T, int kRows, class Scores, bool kLocal, bool kDirections>
HWY_NOINLINE void run_strip(const StripTile<T>& tile, const Strip& strip, T corner,
                            std::uint8_t* bits)
{
  typename Scores::Table table;
  Scores::fill(tile, strip, table);
  StripLoop<T, kRows, Scores, kLocal, kDirections> loop(tile, strip, corner, Scores(tile, table),
                                                        bits);
  loop.run();
  loop.finish(tile, strip);
}

// ---- a tile ------------------------------------------------------------------------------------

template <class T>
using StripFunction = void (*)(const StripTile<T>&, const Strip&, T, std::uint8_t*);

template <class T, int kRows, class Scores>
StripFunction<T> choose_strip(const StripTile<T>& tile)
{
  if (tile.directions != nullptr) {
    return tile.local ? run_strip<T, kRows, Scores, true, true>
                      : run_strip<T, kRows, Scores, false, true>;
  }
  return tile.local ? run_strip<T, kRows, Scores, true, false>
                    : run_strip<T, kRows, Scores, false, false>;
}

// By the cheapest scores that the scheme admits.
template <class T, int kRows>
StripFunction<T> choose_scores(const StripTile<T>& tile)
{
  if constexpr (sizeof(T) == 2) {
    return choose_strip<T, kRows, StripEquality<T, kRows>>(tile);
  } else if (kRows == 1) {
    return choose_strip<T, 1, StripProfile<T, 1, 32>>(tile);
  } else if (tile.by_equality) {
    return choose_strip<T, kRows, StripEquality<T, kRows>>(tile);
  } else if (tile.table->min_score >= -128 && tile.table->max_score <= 127) {
    return choose_strip<T, kRows, StripProfile<T, kRows, 8>>(tile);
  } else {
    return choose_strip<T, kRows, StripProfile<T, kRows, 32>>(tile);
  }
}

template <class T>
void run_tile(const StripTile<T>& tile)
{
  const StripShape shape{kStripLanes<T>, kStripRows};
  const StripFunction<T> full = choose_scores<T, kStripRows>(tile);
  const StripFunction<T> rest = choose_scores<T, 1>(tile);
  std::uint8_t* bits = tile.directions;
  T corner = 0;
  for (std::int64_t first = 0; first < tile.rows;) {
    const Strip strip = strip_at(shape, first, tile.rows);
    const T next_corner = tile.column_h[first + strip.height() - 1];
    (strip.rows == kStripRows ? full : rest)(tile, strip, corner, bits);
    if (bits != nullptr) bits += StripDirections::bytes(shape, strip, tile.columns);
    corner = next_corner;
    first += strip.height();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace helicity::align
HWY_AFTER_NAMESPACE();
#endif
