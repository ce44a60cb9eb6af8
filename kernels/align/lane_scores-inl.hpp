// SPDX-License-Identifier: Apache-2.0
// The batch engine: where the score of a pair of letters comes from, for all lanes at once.
#if defined(HELICITY_ALIGN_LANE_SCORES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HELICITY_ALIGN_LANE_SCORES_INL
#undef HELICITY_ALIGN_LANE_SCORES_INL
#else
#define HELICITY_ALIGN_LANE_SCORES_INL
#endif

#include <align/lane_codes-inl.hpp>
#include <align/lane_group.hpp>

#include <algorithm>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace helicity::align {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

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

  HWY_INLINE void start(std::size_t column, LaneGroup::Rows)
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

// Any letters, scores of a byte: the tile's scores are laid out beforehand, one vector per cell.
// Sixteen rows of a lane come from one 32-entry lookup in the target letter's scores; sixteen lanes
// of them are transposed.
template <class T>
class ByteProfile
{
  using D = hn::ScalableTag<T>;
  using D8 = hn::Rebind<std::int8_t, D>;
  static constexpr std::uint8_t kNothing = ScoreTable::stride - 1;  // a code that scores 0

 public:
  explicit ByteProfile(const LaneGroup& group)
      : group_(&group), stride_((group.rows + 31) / 16 * 16)
  {
    scores_ = reinterpret_cast<std::int8_t*>(
        group.scratch.profile.get((group.rows + 16) * kTile * group.lanes));
    for (int t = 0; t < ScoreTable::stride; ++t) {
      for (int q = 0; q < ScoreTable::stride; ++q) {
        by_target_[t][q] = static_cast<std::int8_t>(group.plan.score[q * ScoreTable::stride + t]);
      }
    }
    query_ = group.scratch.query.get(group.lanes * stride_);
    for (std::size_t l = 0; l < group.lanes; ++l) {
      const std::size_t length = group.query_length(l);
      if (length > 0) std::memcpy(query_ + l * stride_, group.pair[l].query, length);
      std::memset(query_ + l * stride_ + length, kNothing, stride_ - length);
    }
  }

  HWY_INLINE void start(std::size_t column, LaneGroup::Rows rows)
  {
    for (std::size_t l = 0; l < group_->lanes; l += 16) {
      for (std::size_t c = 0; c < kTile; ++c) fill(l, column + c, c, rows);
    }
  }
  HWY_INLINE std::size_t row(std::size_t i) const { return i; }
  HWY_INLINE hn::Vec<D> score(std::size_t i, std::size_t c) const
  {
    const auto bytes = hn::Load(D8(), scores_ + (i * kTile + c) * hn::Lanes(D()));
    if constexpr (sizeof(T) == 1) {
      return bytes;
    } else {
      return hn::PromoteTo(D(), bytes);
    }
  }

 private:
  // Padding scores 0: it cannot raise a local score, and does not matter elsewhere.
  const std::int8_t* letter_scores(std::size_t lane, std::size_t column) const
  {
    if (column >= group_->target_length(lane)) return by_target_[kNothing];
    const std::uint8_t letter = group_->pair[lane].target[column];
    return by_target_[letter == kTargetPad ? kNothing : letter];
  }

  HWY_INLINE void fill(std::size_t lane, std::size_t column, std::size_t c, LaneGroup::Rows rows)
  {
    const hn::Full128<std::uint8_t> d;
    const std::int8_t* table[16];
    for (std::size_t l = 0; l < 16; ++l) table[l] = letter_scores(lane + l, column);
    alignas(16) std::uint8_t found[16][16];
    const std::uint8_t* in[16];
    for (std::size_t l = 0; l < 16; ++l) in[l] = found[l];
    for (std::size_t i = rows.begin; i < rows.end; i += 16) {
      for (std::size_t l = 0; l < 16; ++l) {
        // Codes below 16 look into the lower half (112 + code keeps the top bit clear), others
        // into the upper one (code - 16 does); the other lookup gives 0.
        const auto* half = reinterpret_cast<const std::uint8_t*>(table[l]);
        const auto codes = hn::LoadU(d, query_ + (lane + l) * stride_ + i);
        const auto lower = hn::TableLookupBytesOr0(hn::LoadU(d, half),
                                                   hn::Add(codes, hn::Set(d, std::uint8_t{112})));
        const auto upper = hn::TableLookupBytesOr0(hn::LoadU(d, half + 16),
                                                   hn::Sub(codes, hn::Set(d, std::uint8_t{16})));
        hn::Store(hn::Or(lower, upper), d, found[l]);
      }
      const std::size_t stride = kTile * group_->lanes;
      auto* out = reinterpret_cast<std::uint8_t*>(scores_) + i * stride + c * group_->lanes + lane;
      transpose16(in, out, stride);
    }
  }

  const LaneGroup* group_;
  std::size_t stride_;
  std::uint8_t* query_;
  std::int8_t* scores_;
  alignas(16) std::int8_t by_target_[ScoreTable::stride][ScoreTable::stride];
};

#endif  // HWY_TARGET != HWY_SCALAR

// Any letters and scores, one lookup after the other.
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

  HWY_INLINE void start(std::size_t column, LaneGroup::Rows rows)
  {
    for (std::size_t lane = 0; lane < group_->lanes; ++lane) {
      for (std::size_t c = 0; c < kTile; ++c) fill(lane, column + c, c, rows);
    }
  }
  HWY_INLINE std::size_t row(std::size_t i) const { return i; }
  HWY_INLINE hn::Vec<D> score(std::size_t i, std::size_t c) const
  {
    return hn::Load(D(), scores_ + (i * kTile + c) * hn::Lanes(D()));
  }

 private:
  // Padding scores 0: it cannot raise a local score, and does not matter elsewhere.
  void fill(std::size_t lane, std::size_t column, std::size_t c, LaneGroup::Rows rows)
  {
    const std::size_t stride = kTile * group_->lanes;
    T* out = scores_ + c * group_->lanes + lane;
    const CodePair& pair = group_->pair[lane];
    std::size_t i = rows.begin;
    if (column < group_->target_length(lane) && pair.target[column] != kTargetPad) {
      const T* scores = by_target_[pair.target[column]];
      const std::size_t end = std::min(rows.end, group_->query_length(lane));
      for (; i < end; ++i) out[i * stride] = scores[pair.query[i]];
    }
    for (; i < rows.end; ++i) out[i * stride] = 0;
  }

  const LaneGroup* group_;
  T* scores_;
  T by_target_[ScoreTable::stride][ScoreTable::stride];
};

}  // namespace HWY_NAMESPACE
}  // namespace helicity::align
HWY_AFTER_NAMESPACE();

#endif
