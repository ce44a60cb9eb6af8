// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/packed.hpp>

#include <helicity/core/error.hpp>
#include <helicity/seq/alphabet.hpp>

#include <algorithm>
#include <string>

namespace helicity::seq {

void pack(std::span<const std::uint8_t> codes, std::span<std::uint64_t> bases,
          std::span<std::uint64_t> mask)
{
  std::fill_n(mask.begin(), packed_mask_words(codes.size()), std::uint64_t{0});
  for (std::size_t begin = 0; begin < codes.size(); begin += 32) {
    const std::size_t count = std::min<std::size_t>(32, codes.size() - begin);
    std::uint64_t word = 0;
    std::uint64_t unknown = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t code = codes[begin + i];
      word |= (code & 3) << (2 * i);
      unknown |= (code >> 2) << i;
    }
    bases[begin / 32] = word;
    mask[begin / 64] |= unknown << (begin % 64);
  }
}

void unpack(std::span<const std::uint64_t> bases, std::span<const std::uint64_t> mask,
            std::size_t begin, std::span<std::uint8_t> codes)
{
  for (std::size_t k = 0; k < codes.size(); ++k) {
    const std::size_t i = begin + k;
    const std::uint64_t base = bases[i / 32] >> (2 * (i % 32)) & 3;
    const std::uint64_t unknown = mask[i / 64] >> (i % 64) & 1;
    codes[k] = static_cast<std::uint8_t>(base | unknown << 2);  // the base bits of an N are 0
  }
}

PackedDna::PackedDna(std::span<const std::uint8_t> codes)
    : size_(codes.size()),
      bases_(packed_base_words(codes.size())),
      mask_(packed_mask_words(codes.size()))
{
  pack(codes, bases_, mask_);
}

PackedDna PackedDna::from_text(std::string_view text)
{
  std::vector<std::uint8_t> codes(text.size());
  const std::size_t bad = encode(text, Alphabet::dna, codes.data());
  if (bad != std::string_view::npos)
    throw UsageError("PackedDna: byte " + std::to_string(static_cast<unsigned char>(text[bad])) +
                     " at position " + std::to_string(bad + 1) + ": expected " +
                     std::string(expected_letters(Alphabet::dna)));
  return PackedDna(codes);
}

void PackedDna::unpack(std::size_t begin, std::span<std::uint8_t> codes) const
{
  if (begin > size_ || codes.size() > size_ - begin)
    throw UsageError("PackedDna: range [" + std::to_string(begin) + ", " +
                     std::to_string(begin + codes.size()) + ") leaves a sequence of " +
                     std::to_string(size_) + " bases");
  seq::unpack(bases_, mask_, begin, codes);
}

}  // namespace helicity::seq
