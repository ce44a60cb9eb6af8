// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/cigar.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace helicity::align {
namespace {

constexpr std::int64_t longest_word = (std::int64_t{1} << 28) - 1;

/// A maximal run of one operation.
struct Run
{
  CigarOp op;
  std::int64_t length;
};

constexpr bool is_gap(CigarOp op) { return op == CigarOp::insertion || op == CigarOp::deletion; }
constexpr bool consumes_query(CigarOp op) { return op != CigarOp::deletion; }
constexpr bool consumes_target(CigarOp op)
{
  return op != CigarOp::insertion && op != CigarOp::soft_clip;
}

/// Calls visit(op, length) for each maximal run of equal operations.
template <class Visit>
void for_runs(const std::vector<std::uint32_t>& words, const Visit& visit)
{
  for (std::size_t w = 0; w < words.size();) {
    const CigarOp op = cigar_op(words[w]);
    std::int64_t length = 0;
    for (; w < words.size() && cigar_op(words[w]) == op; ++w) length += cigar_length(words[w]);
    visit(op, length);
  }
}

/// Runs taken from left to right; each gap settles at once, so what is left of it never changes
/// again unless the gap runs into another of its kind.
class GapShifter
{
 public:
  GapShifter(const std::uint8_t* query, const std::uint8_t* target) : query_(query), target_(target)
  {}

  void add(CigarOp op, std::int64_t length)
  {
    if (is_gap(op))
      add_gap(op, length);
    else
      push(op, length);
    (consumes_query(op) ? query_ : target_) += length;
    if (op == CigarOp::match) target_ += length;
  }

  const std::vector<Run>& runs() const { return runs_; }

 private:
  void push(CigarOp op, std::int64_t length)
  {
    if (length == 0) return;
    if (!runs_.empty() && runs_.back().op == op)
      runs_.back().length += length;
    else
      runs_.push_back({op, length});
  }

  void add_gap(CigarOp op, std::int64_t length)
  {
    const std::uint8_t* at =
        op == CigarOp::insertion ? query_ : target_;  // first letter of the gap
    std::int64_t passed = 0;
    while (!runs_.empty()) {
      Run& last = runs_.back();
      if (last.op == op) {
        length += last.length;
        at -= last.length;
      } else if (last.op == CigarOp::match) {
        std::int64_t steps = 0;
        while (steps < last.length && at[-1] == at[length - 1]) ++steps, --at;
        passed += steps;
        last.length -= steps;
        if (last.length > 0) break;
      } else {
        break;
      }
      runs_.pop_back();
    }
    push(op, length);
    push(CigarOp::match, passed);
  }

  const std::uint8_t* query_;   ///< first letters not yet
  const std::uint8_t* target_;  ///< consumed
  std::vector<Run> runs_;
};

constexpr std::uint64_t every_byte = 0x0101010101010101;

/// High bit of each byte set that is zero in `word`; exact up to and including the lowest one.
constexpr std::uint64_t zero_bytes(std::uint64_t word)
{
  return (word - every_byte) & ~word & (every_byte << 7);
}

/// Length of the leading run of columns, of `length` columns, that are all =. CodePair: 64 bytes
/// past the end are readable.
std::int64_t equal_run(const std::uint8_t* query, const std::uint8_t* target, std::int64_t length,
                       std::uint8_t unknown)
{
  for (std::int64_t run = 0; run < length; run += 8) {
    std::uint64_t q, t;
    std::memcpy(&q, query + run, 8);
    std::memcpy(&t, target + run, 8);
    const std::uint64_t stops = (q ^ t) | zero_bytes(q ^ (every_byte * unknown));
    if (stops != 0) return std::min(length, run + std::countr_zero(stops) / 8);
  }
  return length;
}

/// The same for columns that are all X.
std::int64_t diff_run(const std::uint8_t* query, const std::uint8_t* target, std::int64_t length,
                      std::uint8_t unknown)
{
  std::int64_t run = 0;
  while (run < length && (query[run] != target[run] || query[run] == unknown)) ++run;
  return run;
}

char upper(char letter)
{
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

}  // namespace

void append(Cigar& cigar, CigarOp op, std::int64_t length)
{
  if (!cigar.empty() && cigar_op(cigar.back()) == op) {
    const std::int64_t more = std::min(length, longest_word - cigar_length(cigar.back()));
    cigar.back() += static_cast<std::uint32_t>(more) << 4;
    length -= more;
  }
  for (; length > 0; length -= std::min(length, longest_word)) {
    const auto word = static_cast<std::uint32_t>(std::min(length, longest_word));
    cigar.push_back(word << 4 | static_cast<std::uint32_t>(op));
  }
}

std::string to_string(const Cigar& cigar)
{
  if (cigar.empty()) return "*";
  std::string text;
  for (const std::uint32_t word : cigar) {
    text += std::to_string(cigar_length(word));
    text += "MIDNSHP=X???????"[word & 15];
  }
  return text;
}

Cigar with_match_op(const Cigar& cigar)
{
  Cigar result;
  for (const std::uint32_t word : cigar) {
    const CigarOp op = cigar_op(word);
    const bool aligned = op == CigarOp::equal || op == CigarOp::diff;
    append(result, aligned ? CigarOp::match : op, cigar_length(word));
  }
  return result;
}

Cigar finish_path(const Path& path, const CodePair& pair, std::uint8_t unknown)
{
  const std::uint8_t* query = pair.query + path.query_begin;
  const std::uint8_t* target = pair.target + path.target_begin;
  GapShifter shifter(query, target);
  for_runs(path.ops, [&](CigarOp op, std::int64_t length) { shifter.add(op, length); });

  Cigar cigar;
  for (const Run& run : shifter.runs()) {
    if (is_gap(run.op)) {
      append(cigar, run.op, run.length);
      (run.op == CigarOp::insertion ? query : target) += run.length;
      continue;
    }
    bool equal = true;
    for (std::int64_t left = run.length; left > 0; equal = !equal) {
      const std::int64_t length =
          equal ? equal_run(query, target, left, unknown) : diff_run(query, target, left, unknown);
      append(cigar, equal ? CigarOp::equal : CigarOp::diff, length);
      query += length;
      target += length;
      left -= length;
    }
  }
  return cigar;
}

CigarCounts count(const Cigar& cigar)
{
  CigarCounts counts;
  for (const std::uint32_t word : cigar) {
    switch (cigar_op(word)) {
      case CigarOp::equal: counts.equal += cigar_length(word); break;
      case CigarOp::diff: counts.diff += cigar_length(word); break;
      case CigarOp::insertion: counts.inserted += cigar_length(word); break;
      case CigarOp::deletion: counts.deleted += cigar_length(word); break;
      case CigarOp::match:
      case CigarOp::soft_clip: break;
    }
  }
  return counts;
}

std::string md_string(const Cigar& cigar, std::string_view target)
{
  std::string text;
  std::int64_t matched = 0;
  std::size_t at = 0;
  const auto flush = [&] {
    text += std::to_string(matched);
    matched = 0;
  };
  for_runs(cigar, [&](CigarOp op, std::int64_t length) {
    if (!consumes_target(op)) return;
    if (op == CigarOp::diff) {
      for (std::int64_t k = 0; k < length; ++k) {
        flush();
        text += upper(target[at + static_cast<std::size_t>(k)]);
      }
    } else if (op == CigarOp::deletion) {
      flush();
      text += '^';
      for (std::int64_t k = 0; k < length; ++k)
        text += upper(target[at + static_cast<std::size_t>(k)]);
    } else {
      matched += length;
    }
    at += static_cast<std::size_t>(length);
  });
  flush();
  return text;
}

std::int64_t rescore(const Cigar& cigar, const ScoreTable& table, const std::uint8_t* query,
                     const std::uint8_t* target)
{
  std::int64_t score = 0;
  for_runs(cigar, [&](CigarOp op, std::int64_t length) {
    if (is_gap(op))
      score -= table.gap_open + length * table.gap_extend;
    else if (op != CigarOp::soft_clip)
      for (std::int64_t k = 0; k < length; ++k) score += table(query[k], target[k]);
    if (consumes_query(op)) query += length;
    if (consumes_target(op)) target += length;
  });
  return score;
}

}  // namespace helicity::align
