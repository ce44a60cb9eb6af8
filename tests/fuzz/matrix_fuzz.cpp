// SPDX-License-Identifier: Apache-2.0
// Substitution matrices: any bytes are read or refused; what was read and written again is the
// same.
#include <helicity/core/error.hpp>
#include <helicity/seq/matrix.hpp>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace {

namespace seq = helicity::seq;

std::string write(const seq::Matrix& matrix)
{
  const std::string_view letters = seq::letters(matrix.alphabet());
  std::string text;
  for (const char letter : letters) text.append(" ").append(1, letter);
  for (std::size_t row = 0; row < letters.size(); ++row) {
    text.append("\n").append(1, letters[row]);
    for (std::size_t column = 0; column < letters.size(); ++column)
      text.append(" ").append(
          std::to_string(matrix.score(static_cast<int>(row), static_cast<int>(column))));
  }
  return text;
}

std::string upper(std::string_view text)
{
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

/// The matrix, or none if the text is refused.
std::optional<seq::Matrix> parse(std::string_view text, seq::Alphabet alphabet)
{
  try {
    return seq::Matrix::parse(text, "fuzz", alphabet);
  } catch (const helicity::InputError&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  if (size < 1) return 0;
  const auto alphabet = data[0] & 1 ? seq::Alphabet::protein : seq::Alphabet::dna;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto matrix = parse(text, alphabet);
  const auto folded = parse(upper(text), alphabet);
  if (matrix.has_value() != folded.has_value()) std::abort();
  if (!matrix) return 0;
  const auto again = parse(write(*matrix), alphabet);
  if (!again || again->table() != matrix->table() || folded->table() != matrix->table())
    std::abort();
  return 0;
}
