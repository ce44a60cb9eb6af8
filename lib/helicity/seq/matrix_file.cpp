// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/seq/matrix.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace helicity::seq {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::vector<std::string_view> split(std::string_view line)
{
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t size = std::min(line.find_first_of(blanks), line.size());
    words.push_back(line.substr(0, size));
    line.remove_prefix(size);
  }
}

std::string quoted(std::string_view text)
{
  std::string result = "'";
  for (const char c : text.substr(0, 32)) result += c < ' ' || c > '~' ? '?' : c;
  return result + (text.size() > 32 ? "...'" : "'");
}

/// The scores of a file by letter, before they become codes.
class MatrixFile
{
 public:
  MatrixFile(std::string_view name, Alphabet alphabet) : name_(name), alphabet_(alphabet) {}

  void parse(std::string_view text);
  Matrix::Table table() const;

 private:
  using Row = std::array<std::int16_t, 128>;

  [[noreturn]] void fail(const std::string& what) const
  {
    throw InputError(name_ + ":line " + std::to_string(line_) + ": " + what);
  }

  void take_line(std::string_view line);
  void take_header(const std::vector<std::string_view>& words);
  void take_row(const std::vector<std::string_view>& words);
  std::size_t letter(std::string_view word) const;
  std::int16_t value(std::string_view word, char row, char column) const;
  bool has(char letter) const { return rows_[static_cast<unsigned char>(letter)].has_value(); }
  std::optional<std::size_t> letter_of(std::size_t code) const;

  std::string name_;
  Alphabet alphabet_;
  std::size_t line_ = 0;
  std::vector<std::size_t> columns_;  // letters in the order of the header
  std::array<std::optional<Row>, 128> rows_{};
  std::int16_t lowest_ = std::numeric_limits<std::int16_t>::max();
};

void MatrixFile::parse(std::string_view text)
{
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    ++line_;
    take_line(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  if (columns_.empty()) fail("the file ends: expected a line of column letters");
  for (const std::size_t column : columns_)
    if (!rows_[column])
      fail(std::string("the file ends: expected a row for '") + static_cast<char>(column) + "'");
}

void MatrixFile::take_line(std::string_view line)
{
  const std::vector<std::string_view> words = split(line);
  if (words.empty() || words[0][0] == '#') return;
  if (columns_.empty())
    take_header(words);
  else
    take_row(words);
}

void MatrixFile::take_header(const std::vector<std::string_view>& words)
{
  for (const std::string_view word : words) {
    const std::size_t column = letter(word);
    if (std::find(columns_.begin(), columns_.end(), column) != columns_.end())
      fail("column " + quoted(word) + " is given twice");
    columns_.push_back(column);
  }
}

void MatrixFile::take_row(const std::vector<std::string_view>& words)
{
  const std::size_t row = letter(words[0]);
  if (std::find(columns_.begin(), columns_.end(), row) == columns_.end())
    fail("row " + quoted(words[0]) + " has no column of that letter");
  if (rows_[row]) fail("row " + quoted(words[0]) + " is given twice");
  if (words.size() - 1 != columns_.size())
    fail("row " + quoted(words[0]) + " has " + std::to_string(words.size() - 1) +
         " values: expected " + std::to_string(columns_.size()) + ", one for each column");
  Row scores{};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::int16_t score =
        value(words[i + 1], static_cast<char>(row), static_cast<char>(columns_[i]));
    scores[columns_[i]] = score;
    lowest_ = std::min(lowest_, score);
  }
  rows_[row] = scores;
}

/// Upper case letter of a header or row label.
std::size_t MatrixFile::letter(std::string_view word) const
{
  const auto byte = static_cast<unsigned char>(word[0]);
  if (word.size() != 1 || encode_table(alphabet_)[byte] == invalid_code)
    fail(quoted(word) + ": expected " + std::string(expected_letters(alphabet_)));
  return byte >= 'a' && byte <= 'z' ? byte - std::size_t{'a' - 'A'} : byte;
}

std::int16_t MatrixFile::value(std::string_view word, char row, char column) const
{
  std::string_view digits = word;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  std::int16_t score = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), score);
  if (error != std::errc{} || end != digits.data() + digits.size())
    fail(std::string("value ") + quoted(word) + " in row '" + row + "', column '" + column +
         "': expected an integer from -32768 to 32767");
  return score;
}

/// The letter whose row and column a code takes; none if the file has nothing for it.
std::optional<std::size_t> MatrixFile::letter_of(std::size_t code) const
{
  const char known = letters(alphabet_)[code];
  if (has(known)) return static_cast<std::size_t>(known);
  if (alphabet_ == Alphabet::dna && known == 'T' && has('U')) return std::size_t{'U'};
  const char unknown = alphabet_ == Alphabet::dna ? 'N' : 'X';
  if (has(unknown)) return static_cast<std::size_t>(unknown);
  return std::nullopt;
}

Matrix::Table MatrixFile::table() const
{
  Matrix::Table table{};
  const auto count = static_cast<std::size_t>(code_count(alphabet_));
  for (std::size_t query = 0; query < count; ++query) {
    const auto row = letter_of(query);
    for (std::size_t target = 0; target < count; ++target) {
      const auto column = letter_of(target);
      table[query * Matrix::stride + target] = row && column ? (*rows_[*row])[*column] : lowest_;
    }
  }
  return table;
}

}  // namespace

Matrix Matrix::parse(std::string_view text, std::string name, Alphabet alphabet)
{
  MatrixFile file(name, alphabet);
  file.parse(text);
  return Matrix(std::move(name), alphabet, file.table());
}

}  // namespace helicity::seq
