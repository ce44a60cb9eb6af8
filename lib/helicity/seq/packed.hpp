// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace helicity::seq {

/// Layout of packed DNA, on host and device alike. Base i has its low two bits of code in
/// bits 2*(i%32) and 2*(i%32)+1 of `bases[i/32]`, and bit i%64 of `mask[i/64]` set if it is N
/// (code 4, whose two base bits are 0). Bits past the end are 0.
constexpr std::size_t packed_base_words(std::size_t size) { return (size + 31) / 32; }
constexpr std::size_t packed_mask_words(std::size_t size) { return (size + 63) / 64; }

/// Packs DNA codes 0..4.
/// @pre bases and mask have at least packed_base_words and packed_mask_words words
HELICITY_EXPORT void pack(std::span<const std::uint8_t> codes, std::span<std::uint64_t> bases,
                          std::span<std::uint64_t> mask);

/// Codes of bases [begin, begin + codes.size()) of packed DNA.
HELICITY_EXPORT void unpack(std::span<const std::uint64_t> bases,
                            std::span<const std::uint64_t> mask, std::size_t begin,
                            std::span<std::uint8_t> codes);

/// A DNA sequence in 3 bits a base: 2 of code and 1 of N mask.
class HELICITY_EXPORT PackedDna
{
 public:
  PackedDna() = default;

  /// @pre every code <= 4
  explicit PackedDna(std::span<const std::uint8_t> codes);

  /// @throws UsageError if a letter is no DNA letter, with its position
  static PackedDna from_text(std::string_view text);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Code 0..4 of base i. @pre i < size()
  std::uint8_t operator[](std::size_t i) const
  {
    if (mask_[i / 64] >> (i % 64) & 1) return 4;
    return static_cast<std::uint8_t>(bases_[i / 32] >> (2 * (i % 32)) & 3);
  }

  /// Writes the codes of bases [begin, begin + codes.size()).
  /// @throws UsageError if the range leaves the sequence
  void unpack(std::size_t begin, std::span<std::uint8_t> codes) const;

  std::span<const std::uint64_t> bases() const { return bases_; }
  std::span<const std::uint64_t> mask() const { return mask_; }

  bool operator==(const PackedDna&) const = default;

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> bases_;
  std::vector<std::uint64_t> mask_;
};

}  // namespace helicity::seq
