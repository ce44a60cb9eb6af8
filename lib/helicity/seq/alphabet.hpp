// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace helicity::seq {

/// What the letters of a sequence mean.
/// - dna: A=0 C=1 G=2 T=3 (U=T), every other IUPAC code (N R Y S W K M B D H V) = 4.
/// - protein: ARNDCQEGHILKMFPSTWYVBZX* = 0..23; U, O and J are taken as X, as BLAST scores U and O.
/// Lower case is the same letter. Gaps (`-`, `.`) and everything else are no letters.
enum class Alphabet : std::uint8_t { dna, protein };

inline constexpr std::uint8_t invalid_code = 0xff;
inline constexpr std::uint8_t dna_n_code = 4;
inline constexpr std::uint8_t protein_x_code = 22;

inline constexpr std::string_view dna_letters = "ACGTN";
inline constexpr std::string_view protein_letters = "ARNDCQEGHILKMFPSTWYVBZX*";

/// The letters by code, upper case: what `decode` writes.
constexpr std::string_view letters(Alphabet alphabet)
{
  return alphabet == Alphabet::dna ? dna_letters : protein_letters;
}

/// Number of codes: 5 or 24.
constexpr int code_count(Alphabet alphabet) { return static_cast<int>(letters(alphabet).size()); }

/// "dna" or "protein".
constexpr std::string_view alphabet_name(Alphabet alphabet)
{
  return alphabet == Alphabet::dna ? "dna" : "protein";
}

using EncodeTable = std::array<std::uint8_t, 256>;

namespace detail {

constexpr void set_letter(EncodeTable& table, char upper, std::uint8_t code)
{
  const auto byte = static_cast<unsigned char>(upper);
  table[byte] = code;
  if (upper >= 'A' && upper <= 'Z') table[byte + ('a' - 'A')] = code;
}

constexpr EncodeTable make_encode_table(Alphabet alphabet)
{
  EncodeTable table{};
  for (auto& code : table) code = invalid_code;
  const std::string_view known = letters(alphabet);
  for (std::size_t i = 0; i < known.size(); ++i)
    set_letter(table, known[i], static_cast<std::uint8_t>(i));
  if (alphabet == Alphabet::dna) {
    set_letter(table, 'U', 3);
    for (const char c : std::string_view("RYSWKMBDHV")) set_letter(table, c, dna_n_code);
  } else {
    for (const char c : std::string_view("UOJ")) set_letter(table, c, protein_x_code);
  }
  return table;
}

inline constexpr EncodeTable dna_encode_table = make_encode_table(Alphabet::dna);
inline constexpr EncodeTable protein_encode_table = make_encode_table(Alphabet::protein);

}  // namespace detail

/// Code of each byte, `invalid_code` where the byte is no letter of the alphabet.
constexpr const EncodeTable& encode_table(Alphabet alphabet)
{
  return alphabet == Alphabet::dna ? detail::dna_encode_table : detail::protein_encode_table;
}

/// What a message says was expected, e.g. "A C G T U N or an IUPAC code (RYSWKMBDHV)".
HELICITY_EXPORT std::string_view expected_letters(Alphabet alphabet);

/// Writes the code of each letter to `codes`, which holds `text.size()` bytes.
/// @return position of the first byte that is no letter (what follows it is unspecified), or
///         std::string_view::npos.
HELICITY_EXPORT std::size_t encode(std::string_view text, Alphabet alphabet, std::uint8_t* codes);

/// Position of the first byte of `text` that is no letter of the alphabet, or npos.
HELICITY_EXPORT std::size_t find_invalid(std::string_view text, Alphabet alphabet);

/// Letters of `size` codes, upper case; IUPAC codes other than N come back as N.
/// @pre every code < code_count(alphabet)
HELICITY_EXPORT std::string decode(const std::uint8_t* codes, std::size_t size, Alphabet alphabet);

/// Reverse complement of DNA text; case and IUPAC codes are kept (R<->Y, K<->M, B<->V, D<->H),
/// A complements to T, U to A. Bytes that are no DNA letters stay as they are.
HELICITY_EXPORT std::string reverse_complement(std::string_view text);

/// Reverse complement of DNA codes, in place; code 4 stays 4.
/// @pre every code <= 4
HELICITY_EXPORT void reverse_complement(std::uint8_t* codes, std::size_t size);

}  // namespace helicity::seq
