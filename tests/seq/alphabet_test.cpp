// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/alphabet.hpp>

#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <vector>

namespace helicity::seq {
namespace {

TEST(Alphabet, DnaCodes)
{
  const EncodeTable& table = encode_table(Alphabet::dna);
  const std::string_view known = "ACGTUNRYSWKMBDHV";
  const std::string_view codes = "0123344444444444";
  for (int byte = 0; byte < 256; ++byte) {
    const auto at = byte < 128 ? known.find(static_cast<char>(std::toupper(byte))) : known.npos;
    const int want = byte != 0 && at != known.npos ? codes[at] - '0' : invalid_code;
    EXPECT_EQ(table[static_cast<std::size_t>(byte)], want) << byte;
  }
}

TEST(Alphabet, ProteinCodes)
{
  const EncodeTable& table = encode_table(Alphabet::protein);
  const std::string_view known = "ARNDCQEGHILKMFPSTWYVBZX*";
  for (int byte = 0; byte < 256; ++byte) {
    const char upper = byte < 128 ? static_cast<char>(std::toupper(byte)) : '\0';
    std::size_t want = known.find(upper);
    if (want == known.npos) want = upper == 'U' || upper == 'O' || upper == 'J' ? 22 : invalid_code;
    EXPECT_EQ(table[static_cast<std::size_t>(byte)], want) << byte;
  }
}

TEST(Alphabet, EncodeFindsTheFirstInvalidLetterAnywhere)
{
  for (const std::size_t size : {1u, 63u, 64u, 65u, 200u}) {
    const std::string good(size, 'g');
    std::vector<std::uint8_t> codes(size);
    EXPECT_EQ(encode(good, Alphabet::dna, codes.data()), std::string::npos);
    EXPECT_EQ(codes, std::vector<std::uint8_t>(size, 2));
    EXPECT_EQ(find_invalid(good, Alphabet::dna), std::string::npos);
    for (std::size_t bad = 0; bad < size; ++bad) {
      std::string text = good;
      text[bad] = '-';
      text[size - 1] = '-';
      EXPECT_EQ(encode(text, Alphabet::dna, codes.data()), bad);
      EXPECT_EQ(find_invalid(text, Alphabet::dna), bad);
    }
  }
  EXPECT_EQ(encode("", Alphabet::dna, nullptr), std::string::npos);
}

TEST(Alphabet, DecodeUndoesEncode)
{
  std::mt19937 random(1);
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein}) {
    std::string text(1000, ' ');
    for (char& c : text) c = letters(alphabet)[random() % letters(alphabet).size()];
    std::vector<std::uint8_t> codes(text.size());
    ASSERT_EQ(encode(text, alphabet, codes.data()), std::string::npos);
    EXPECT_EQ(decode(codes.data(), codes.size(), alphabet), text);
  }
}

TEST(Alphabet, ReverseComplementKeepsCaseAndAmbiguity)
{
  EXPECT_EQ(reverse_complement("ACGTUNRYSWKMBDHV"), "BDHVKMWSRYNAACGT");
  EXPECT_EQ(reverse_complement("acgtunryswkmbdhv"), "bdhvkmwsrynaacgt");
  EXPECT_EQ(reverse_complement(""), "");
  EXPECT_EQ(reverse_complement("A"), "T");
}

TEST(Alphabet, ReverseComplementTwiceIsTheSequence)
{
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 300, ' ');
    for (char& c : text) c = std::string_view("ACGTNRYSWKMBDHVacgtnryswkmbdhv")[random() % 30];
    EXPECT_EQ(reverse_complement(reverse_complement(text)), text);

    std::vector<std::uint8_t> codes(text.size());
    std::vector<std::uint8_t> of_text(text.size());
    encode(text, Alphabet::dna, codes.data());
    reverse_complement(codes.data(), codes.size());
    encode(reverse_complement(text), Alphabet::dna, of_text.data());
    EXPECT_EQ(codes, of_text);
  }
}

}  // namespace
}  // namespace helicity::seq
