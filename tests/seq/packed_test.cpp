// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/packed.hpp>

#include <helicity/core/error.hpp>
#include <helicity/seq/alphabet.hpp>

#include <gtest/gtest.h>

#include <random>

namespace helicity::seq {
namespace {

std::vector<std::uint8_t> random_codes(std::mt19937& random, std::size_t size)
{
  std::vector<std::uint8_t> codes(size);
  for (auto& code : codes) code = static_cast<std::uint8_t>(random() % 5);
  return codes;
}

TEST(Packed, RoundTripsEveryLengthAndRange)
{
  std::mt19937 random(3);
  for (std::size_t size = 0; size <= 200; ++size) {
    const auto codes = random_codes(random, size);
    const PackedDna packed{codes};
    ASSERT_EQ(packed.size(), size);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(packed[i], codes[i]) << i;
    for (int k = 0; k < 20; ++k) {
      const std::size_t begin = random() % (size + 1);
      std::vector<std::uint8_t> part(random() % (size - begin + 1));
      packed.unpack(begin, part);
      for (std::size_t i = 0; i < part.size(); ++i) ASSERT_EQ(part[i], codes[begin + i]);
    }
  }
}

TEST(Packed, LayoutIsAsStated)
{
  std::vector<std::uint8_t> codes(70, 0);
  codes[1] = 3;
  codes[33] = 2;
  codes[65] = 4;
  const PackedDna packed{codes};
  ASSERT_EQ(packed.bases().size(), 3u);
  ASSERT_EQ(packed.mask().size(), 2u);
  EXPECT_EQ(packed.bases()[0], std::uint64_t{3} << 2);
  EXPECT_EQ(packed.bases()[1], std::uint64_t{2} << 2);
  EXPECT_EQ(packed.bases()[2], 0u);
  EXPECT_EQ(packed.mask()[0], 0u);
  EXPECT_EQ(packed.mask()[1], 2u);
}

TEST(Packed, PackClearsWhatTheWordsHeld)
{
  std::vector<std::uint64_t> bases(2, ~std::uint64_t{0});
  std::vector<std::uint64_t> mask(1, ~std::uint64_t{0});
  pack(std::vector<std::uint8_t>(40, 1), bases, mask);
  EXPECT_EQ(bases[0], 0x5555'5555'5555'5555u);
  EXPECT_EQ(bases[1], 0x5555u);
  EXPECT_EQ(mask[0], 0u);
}

TEST(Packed, FromText)
{
  const auto packed = PackedDna::from_text("ACGTUnRa");
  std::vector<std::uint8_t> codes(packed.size());
  packed.unpack(0, codes);
  EXPECT_EQ(decode(codes.data(), codes.size(), Alphabet::dna), "ACGTTNNA");
  EXPECT_EQ(packed, PackedDna::from_text("acgttnna"));
  EXPECT_TRUE(PackedDna::from_text("").empty());
  EXPECT_THROW(PackedDna::from_text("AC-T"), UsageError);
}

TEST(Packed, RangeOutsideIsRefused)
{
  const auto packed = PackedDna::from_text("ACGT");
  std::vector<std::uint8_t> codes(3);
  EXPECT_THROW(packed.unpack(2, codes), UsageError);
  EXPECT_THROW(packed.unpack(5, std::span(codes).first(0)), UsageError);
  EXPECT_NO_THROW(packed.unpack(4, std::span(codes).first(0)));
}

}  // namespace
}  // namespace helicity::seq
