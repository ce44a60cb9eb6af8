// SPDX-License-Identifier: Apache-2.0
// The batch engine: codes of all lanes, one vector per letter.
#if defined(HELICITY_ALIGN_LANE_CODES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HELICITY_ALIGN_LANE_CODES_INL
#undef HELICITY_ALIGN_LANE_CODES_INL
#else
#define HELICITY_ALIGN_LANE_CODES_INL
#endif

#include <align/lane_group.hpp>

#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace helicity::align {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kTile = LaneGroup::tile;
constexpr std::uint8_t kUnknown = 4;                 // N as a query code, and the query's padding
constexpr std::uint8_t kTargetPad = LaneGroup::pad;  // top bit set: the lookup gives 0

#if HWY_TARGET != HWY_SCALAR  // one lane has nothing to transpose and no 16-byte tables: Profile

// Transposes 16 x 16 bytes: out[r * stride + l] = in[l][r].
HWY_INLINE void transpose16(const std::uint8_t* const* in, std::uint8_t* out, std::size_t stride)
{
  const hn::Full128<std::uint8_t> d8;
  const hn::Full128<std::uint16_t> d16;
  const hn::Full128<std::uint32_t> d32;
  const hn::Full128<std::uint64_t> d64;
  hn::Vec<decltype(d8)> a[16], b[16];
  for (std::size_t l = 0; l < 16; ++l) a[l] = hn::LoadU(d8, in[l]);
  for (std::size_t l = 0; l < 8; ++l) {
    b[2 * l] = hn::InterleaveLower(d8, a[2 * l], a[2 * l + 1]);
    b[2 * l + 1] = hn::InterleaveUpper(d8, a[2 * l], a[2 * l + 1]);
  }
  for (std::size_t g = 0; g < 4; ++g) {
    for (std::size_t h = 0; h < 2; ++h) {
      const auto x = hn::BitCast(d16, b[4 * g + h]), y = hn::BitCast(d16, b[4 * g + 2 + h]);
      a[4 * g + 2 * h] = hn::BitCast(d8, hn::InterleaveLower(d16, x, y));
      a[4 * g + 2 * h + 1] = hn::BitCast(d8, hn::InterleaveUpper(d16, x, y));
    }
  }
  for (std::size_t g = 0; g < 2; ++g) {
    for (std::size_t h = 0; h < 4; ++h) {
      const auto x = hn::BitCast(d32, a[8 * g + h]), y = hn::BitCast(d32, a[8 * g + 4 + h]);
      b[8 * g + 2 * h] = hn::BitCast(d8, hn::InterleaveLower(d32, x, y));
      b[8 * g + 2 * h + 1] = hn::BitCast(d8, hn::InterleaveUpper(d32, x, y));
    }
  }
  for (std::size_t h = 0; h < 8; ++h) {
    const auto x = hn::BitCast(d64, b[h]), y = hn::BitCast(d64, b[8 + h]);
    const auto lower = hn::BitCast(d8, hn::InterleaveLower(d64, x, y));
    const auto upper = hn::BitCast(d8, hn::InterleaveUpper(d64, x, y));
    hn::StoreU(lower, d8, out + 2 * h * stride);
    hn::StoreU(upper, d8, out + (2 * h + 1) * stride);
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

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace helicity::align
HWY_AFTER_NAMESPACE();

#endif
