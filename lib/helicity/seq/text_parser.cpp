// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/detail/text_parser.hpp>

#include <helicity/core/error.hpp>

#include <algorithm>
#include <utility>

namespace helicity::seq::detail {
namespace {

constexpr std::size_t longest_header = std::size_t{16} << 20;
constexpr std::size_t blanks_allowed = 4096;  // at the end of a line, before they are dropped

bool is_blank(int byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

/// Drops blanks at the end, but nothing before `begin`.
void drop_trailing_blanks(std::string& text, std::size_t begin)
{
  std::size_t size = text.size();
  while (size > begin && is_blank(text[size - 1])) --size;
  text.resize(size);
}

std::size_t find_bad_quality(std::string_view quality)
{
  bool bad = false;
  for (const char c : quality) bad |= static_cast<unsigned char>(c - '!') > '~' - '!';
  if (!bad) return std::string_view::npos;
  for (std::size_t i = 0;; ++i)
    if (quality[i] < '!' || quality[i] > '~') return i;
}

}  // namespace

TextParser::TextParser(std::unique_ptr<ByteSource> source, std::string name,
                       const ReaderOptions& options)
    : file_(std::move(name)), options_(options), lines_(std::move(source))
{
  int first = -1;
  try {
    skip_blank_lines();
    first = lines_.peek();
  } catch (const SourceError& error) {
    throw InputError(file_ + ": " + error.what());
  }
  if (first == '>') format_ = FileFormat::fasta;
  if (first == '@') format_ = FileFormat::fastq;
  if (first >= 0 && format_ == FileFormat::empty)
    throw InputError(file_ + ":line " + std::to_string(lines_.line()) + ": " +
                     show_byte(static_cast<char>(first)) +
                     ": expected '>' (FASTA), '@' (FASTQ), or a SAM, BAM or CRAM file");
}

void TextParser::fail(const std::string& what) const
{
  throw InputError(record_place(file_, record_, name_) + ", line " +
                   std::to_string(lines_.line_read()) + ": " + what);
}

void TextParser::fail_ahead(const std::string& what) const
{
  throw InputError(record_place(file_, record_, name_) + ", line " + std::to_string(lines_.line()) +
                   ": " + what);
}

bool TextParser::next(Record& record)
{
  name_ = {};
  ++record_;
  try {
    return parse(record);
  } catch (const SourceError& error) {
    fail_ahead(error.what());
  }
}

bool TextParser::parse(Record& record)
{
  skip_blank_lines();
  if (lines_.peek() < 0) return false;
  record.name.clear();
  record.comment.clear();
  record.sequence.clear();
  record.quality.clear();
  record.has_quality = format_ == FileFormat::fastq;
  parse_header(record);
  if (record.has_quality)
    parse_fastq(record);
  else
    parse_fasta(record);
  return true;
}

void TextParser::skip_blank_lines()
{
  for (int byte = lines_.peek(); byte == '\n' || is_blank(byte); byte = lines_.peek())
    lines_.take();
}

void TextParser::parse_header(Record& record)
{
  header_.clear();
  const bool complete = lines_.append_line(header_, longest_header);
  const char mark = format_ == FileFormat::fastq ? '@' : '>';
  if (header_.empty() || header_[0] != mark)
    fail(show_byte(header_.empty() ? '\n' : header_[0]) + ": expected '" + mark +
         "' and the name of the next record");
  if (!complete) fail("the header is longer than 16 MiB");
  drop_trailing_blanks(header_, 1);
  if (header_.find('\0') != std::string::npos) fail("byte '\\x00' in the header");
  if (header_.find('\r') != std::string::npos)
    fail("carriage return inside the header: expected lines that end in LF or CRLF");

  std::string_view text = std::string_view(header_).substr(1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::size_t size = std::min(text.find_first_of(" \t"), text.size());
  record.name = text.substr(0, size);
  text.remove_prefix(size);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  record.comment = text;
  name_ = record.name;
}

void TextParser::parse_fasta(Record& record)
{
  for (int byte = lines_.peek(); byte >= 0 && byte != '>'; byte = lines_.peek())
    append_sequence_line(record);
}

void TextParser::parse_fastq(Record& record)
{
  for (;;) {
    const int byte = lines_.peek();
    if (byte == '+') break;
    if (byte < 0) fail("the file ends: expected '+' after the sequence");
    if (byte == '@') fail_ahead("'@': expected '+' and a line of qualities before the next record");
    append_sequence_line(record);
  }
  header_.clear();
  if (!lines_.append_line(header_, longest_header)) fail("the '+' line is longer than 16 MiB");
  parse_quality(record);
}

void TextParser::append_sequence_line(Record& record)
{
  std::string& sequence = record.sequence;
  const std::size_t begin = sequence.size();
  const auto longest = static_cast<std::size_t>(options_.max_length);
  const bool complete = lines_.append_line(sequence, longest - begin + blanks_allowed);
  if (complete) drop_trailing_blanks(sequence, begin);
  if (!complete || sequence.size() > longest)
    fail("the sequence is longer than " + std::to_string(longest) + " letters");
  const std::size_t bad = find_invalid(std::string_view(sequence).substr(begin), options_.alphabet);
  if (bad != std::string_view::npos)
    fail(describe_letter(sequence[begin + bad], begin + bad, options_.alphabet));
}

void TextParser::parse_quality(Record& record)
{
  std::string& quality = record.quality;
  const std::size_t expected = record.sequence.size();
  while (quality.size() < expected) {
    if (lines_.peek() < 0)
      fail("the file ends after " + std::to_string(quality.size()) + " qualities: expected " +
           std::to_string(expected));
    const std::size_t begin = quality.size();
    const bool complete = lines_.append_line(quality, expected - begin + blanks_allowed);
    if (complete) drop_trailing_blanks(quality, begin);
    if (!complete || quality.size() > expected)
      fail("more qualities than letters: expected " + std::to_string(expected));
    const std::size_t bad = find_bad_quality(std::string_view(quality).substr(begin));
    if (bad != std::string_view::npos)
      fail("quality " + show_byte(quality[begin + bad]) + " at position " +
           std::to_string(begin + bad + 1) + ": expected '!' to '~' (Phred + 33)");
  }
}

}  // namespace helicity::seq::detail
