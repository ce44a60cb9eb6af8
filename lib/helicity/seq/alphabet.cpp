// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/alphabet.hpp>

#include <algorithm>

namespace helicity::seq {
namespace {

constexpr std::size_t block_size = 64;

std::array<char, 256> make_complement_table()
{
  std::array<char, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<char>(i);
  constexpr std::string_view from = "ACGTURYKMBVDHacgturykmbvdh";
  constexpr std::string_view to = "TGCAAYRMKVBHDtgcaayrmkvbhd";
  static_assert(from.size() == to.size());
  for (std::size_t i = 0; i < from.size(); ++i) table[static_cast<unsigned char>(from[i])] = to[i];
  return table;
}

/// Codes of one block; the high bit of the result is set if a byte is no letter.
std::uint8_t encode_block(const char* text, std::size_t size, const EncodeTable& table,
                          std::uint8_t* codes)
{
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < size; ++i) {
    codes[i] = table[static_cast<unsigned char>(text[i])];
    seen |= codes[i];
  }
  return seen;
}

std::uint8_t check_block(const char* text, std::size_t size, const EncodeTable& table)
{
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < size; ++i) seen |= table[static_cast<unsigned char>(text[i])];
  return seen;
}

std::size_t first_invalid(std::string_view text, std::size_t begin, const EncodeTable& table)
{
  while (table[static_cast<unsigned char>(text[begin])] != invalid_code) ++begin;
  return begin;
}

}  // namespace

std::string_view expected_letters(Alphabet alphabet)
{
  return alphabet == Alphabet::dna ? "A C G T U N or an IUPAC code (RYSWKMBDHV)"
                                   : "an amino acid letter (A-Z) or *";
}

std::size_t encode(std::string_view text, Alphabet alphabet, std::uint8_t* codes)
{
  const EncodeTable& table = encode_table(alphabet);
  for (std::size_t begin = 0; begin < text.size(); begin += block_size) {
    const std::size_t size = std::min(block_size, text.size() - begin);
    if (encode_block(text.data() + begin, size, table, codes + begin) & 0x80)
      return first_invalid(text, begin, table);
  }
  return std::string_view::npos;
}

std::size_t find_invalid(std::string_view text, Alphabet alphabet)
{
  const EncodeTable& table = encode_table(alphabet);
  for (std::size_t begin = 0; begin < text.size(); begin += block_size) {
    const std::size_t size = std::min(block_size, text.size() - begin);
    if (check_block(text.data() + begin, size, table) & 0x80)
      return first_invalid(text, begin, table);
  }
  return std::string_view::npos;
}

std::string decode(const std::uint8_t* codes, std::size_t size, Alphabet alphabet)
{
  const std::string_view known = letters(alphabet);
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = known[codes[i]];
  return text;
}

std::string reverse_complement(std::string_view text)
{
  static const std::array<char, 256> complement = make_complement_table();
  std::string result(text.size(), '\0');
  for (std::size_t i = 0; i < text.size(); ++i)
    result[text.size() - 1 - i] = complement[static_cast<unsigned char>(text[i])];
  return result;
}

void reverse_complement(std::uint8_t* codes, std::size_t size)
{
  std::reverse(codes, codes + size);
  for (std::size_t i = 0; i < size; ++i)
    if (codes[i] < dna_n_code) codes[i] = static_cast<std::uint8_t>(3 - codes[i]);
}

}  // namespace helicity::seq
