// SPDX-License-Identifier: Apache-2.0
#include "oracle/gotoh.hpp"

#include <cctype>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace helicity::oracle {
namespace {

/// One letter per column.
std::string columns(const std::vector<std::uint32_t>& words)
{
  std::string result;
  for (const std::uint32_t word : words) result.append(word >> 4, "MIDNSHP=X"[word & 15]);
  return result;
}

/// Shifts the gap in columns [begin, end) left by one column if that is allowed.
bool shift(std::string& path, std::size_t begin, std::size_t end, const std::uint8_t* letters)
{
  // `letters` is of the sequence that the gap consumes, at its position for column 0 of the path.
  if (begin == 0 || path[begin - 1] != 'M') return false;
  const char kind = path[begin];
  std::ptrdiff_t before = 0;  // letters consumed before the gap
  for (std::size_t c = 0; c < begin; ++c)
    if (path[c] == 'M' || path[c] == kind) ++before;
  const std::uint8_t enters = letters[before - 1];
  const std::uint8_t leaves = letters[before + static_cast<std::ptrdiff_t>(end - begin) - 1];
  if (enters != leaves) return false;
  path[begin - 1] = kind;
  path[end - 1] = 'M';
  return true;
}

bool shift_one(std::string& path, const std::uint8_t* query, const std::uint8_t* target)
{
  std::size_t begin = 0;
  while (begin < path.size()) {
    std::size_t end = begin;
    while (end < path.size() && path[end] == path[begin]) ++end;
    if (path[begin] != 'M' && shift(path, begin, end, path[begin] == 'I' ? query : target))
      return true;
    begin = end;
  }
  return false;
}

}  // namespace

align::Cigar finish_path(const align::Path& path, const align::CodePair& pair, std::uint8_t unknown)
{
  const std::uint8_t* query = pair.query + path.query_begin;
  const std::uint8_t* target = pair.target + path.target_begin;
  std::string text = columns(path.ops);
  while (shift_one(text, query, target)) {
  }
  align::Cigar cigar;
  for (const char op : text) {
    std::uint32_t code = op == 'I' ? 1 : 2;
    if (op == 'M') code = *query == *target && *query != unknown ? 7 : 8;
    if (op != 'D') ++query;
    if (op != 'I') ++target;
    if (!cigar.empty() && (cigar.back() & 15) == code)
      cigar.back() += 16;
    else
      cigar.push_back(16 + code);
  }
  return cigar;
}

std::int64_t score_of(const align::Cigar& cigar, const align::ScoreTable& table,
                      const std::uint8_t* query, const std::uint8_t* target)
{
  std::int64_t score = 0;
  char last = ' ';
  for (const char op : columns(cigar)) {
    if (op == 'I' || op == 'D') {
      score -= table.gap_extend;
      if (op != last) score -= table.gap_open;
      ++(op == 'I' ? query : target);
    } else {
      score +=
          table.score[static_cast<std::size_t>(*query++) * align::ScoreTable::stride + *target++];
    }
    last = op;
  }
  return score;
}

std::string target_from_md(const align::Cigar& cigar, std::string_view md, std::string_view query)
{
  const auto fail = [&](const char* what) {
    throw std::runtime_error(std::string(what) + ": " + std::string(md));
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto upper = [](char c) { return static_cast<char>(std::toupper(c)); };

  // MD as one entry per target letter: '=' or the letter, and whether it is deleted.
  // Form: [0-9]+(([A-Z]|\^[A-Z]+)[0-9]+)*
  std::string letters;
  std::string deleted;
  std::size_t at = 0;
  while (true) {
    std::size_t digits = 0;
    std::size_t number = 0;
    for (; at < md.size() && is_digit(md[at]); ++at, ++digits)
      number = number * 10 + static_cast<std::size_t>(md[at] - '0');
    if (digits == 0) fail("a number is missing in MD");
    letters.append(number, '=');
    deleted.append(number, 'n');
    if (at == md.size()) break;
    const bool deletion = md[at] == '^';
    if (deletion) ++at;
    std::size_t count = 0;
    while (at < md.size() && !is_digit(md[at]) && md[at] != '^' && (deletion || count == 0)) {
      if (std::islower(md[at])) fail("lower case in MD");
      letters.push_back(md[at++]);
      deleted.push_back(deletion ? 'y' : 'n');
      ++count;
    }
    if (count == 0) fail("a letter is missing in MD");
  }

  std::string target;
  std::size_t q = 0;
  std::size_t t = 0;
  for (const char op : columns(cigar)) {
    if (op == 'I') {
      ++q;
      continue;
    }
    if (t >= letters.size()) fail("MD is too short");
    if ((op == 'D') != (deleted[t] == 'y')) fail("CIGAR and MD disagree on a deletion");
    if (op == '=' && letters[t] != '=') fail("MD has a mismatch where the CIGAR has =");
    if (op == 'X' && letters[t] == '=') fail("MD has a match where the CIGAR has X");
    if (op != 'D' && q >= query.size()) fail("CIGAR is longer than the query");
    target.push_back(letters[t] == '=' ? upper(query[q]) : letters[t]);
    if (op != 'D') ++q;
    ++t;
  }
  if (t != letters.size()) fail("MD is too long");
  if (q != query.size()) fail("CIGAR is shorter than the query");
  return target;
}

}  // namespace helicity::oracle
