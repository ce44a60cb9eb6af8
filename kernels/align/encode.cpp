// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/encode.hpp>

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "align/encode.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace helicity::align {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

std::size_t EncodeDna(const char*, std::size_t, std::uint8_t*) { return 0; }

#else

// A C G T U N, either case, differ in their low four bits: one lookup gives the letter expected
// there, one its code. Any other byte (an IUPAC code, or no letter) stops the run.
// Returns how many letters were encoded, a multiple of the register size.
std::size_t EncodeDna(const char* text, std::size_t size, std::uint8_t* codes)
{
  const hn::ScalableTag<std::uint8_t> d;
  alignas(16) static constexpr std::uint8_t expected[16] = {0, 'A', 0, 'C', 'T', 'U', 0,   'G',
                                                            0, 0,   0, 0,   0,   0,   'N', 0};
  alignas(16) static constexpr std::uint8_t code[16] = {0, 0, 0, 1, 3, 3, 0, 2,
                                                        0, 0, 0, 0, 0, 0, 4, 0};
  const auto letters = hn::LoadDup128(d, expected);
  const auto values = hn::LoadDup128(d, code);
  const auto low = hn::Set(d, std::uint8_t{15});
  const auto upper = hn::Set(d, std::uint8_t{0xDF});
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + lanes <= size; k += lanes) {
    const auto bytes = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(text) + k);
    const auto index = hn::And(bytes, low);
    const auto known = hn::Eq(hn::And(bytes, upper), hn::TableLookupBytes(letters, index));
    if (!hn::AllTrue(d, known)) break;
    hn::StoreU(hn::TableLookupBytes(values, index), d, codes + k);
  }
  return k;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace helicity::align
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace helicity::align {

HWY_EXPORT(EncodeDna);

std::size_t encode_letters(std::string_view text, seq::Alphabet alphabet, std::uint8_t* codes)
{
  if (alphabet != seq::Alphabet::dna) return seq::encode(text, alphabet, codes);
  constexpr std::size_t step = 64;  // after a stop: so many letters by table, then on in registers
  std::size_t done = 0;
  while (done < text.size()) {
    done += HWY_DYNAMIC_DISPATCH(EncodeDna)(text.data() + done, text.size() - done, codes + done);
    const std::string_view piece = text.substr(done, step);
    const std::size_t bad = seq::encode(piece, alphabet, codes + done);
    if (bad != std::string_view::npos) return done + bad;
    done += piece.size();
  }
  return std::string_view::npos;
}

}  // namespace helicity::align
#endif
