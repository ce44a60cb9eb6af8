// SPDX-License-Identifier: Apache-2.0
#include "support/align_expected.hpp"

#include <helicity/seq/matrix.hpp>

#include "oracle/gotoh.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace helicity::test {
namespace {

constexpr std::size_t padding = 64;

std::vector<std::uint8_t> reverse_complement(std::vector<std::uint8_t> codes)
{
  std::reverse(codes.begin(), codes.end());
  for (std::uint8_t& code : codes)
    if (code < 4) code = static_cast<std::uint8_t>(3 - code);
  return codes;
}

struct Strand
{
  std::vector<std::uint8_t> query;
  std::vector<std::uint8_t> target;
  align::Path path;

  Strand(const align::Problem& problem, std::vector<std::uint8_t> q, std::vector<std::uint8_t> t)
      : query(std::move(q)), target(std::move(t))
  {
    path = oracle::align(problem, pair());
  }
  align::CodePair pair() const
  {
    return {query.data(), target.data(), static_cast<std::int64_t>(query.size()),
            static_cast<std::int64_t>(target.size())};
  }
};

std::uint8_t unknown_code(seq::Alphabet alphabet)
{
  return alphabet == seq::Alphabet::dna ? 4 : 22;
}

}  // namespace

seq::Alphabet alphabet_of(const align::Scoring& scoring)
{
  return scoring.matrix ? scoring.matrix->alphabet() : seq::Alphabet::dna;
}

align::Alignment expected(const align::Config& config, const Letters& letters)
{
  const align::Problem problem = make_problem(config.scoring, config.mode, config.free_ends);
  const seq::Alphabet alphabet = alphabet_of(config.scoring);
  const std::vector<std::uint8_t> query = codes_of(letters.query, alphabet);
  const std::vector<std::uint8_t> target = codes_of(letters.target, alphabet);

  align::Alignment result;
  Strand best(problem, query, target);
  if (config.both_strands) {
    Strand other(problem, reverse_complement(query), target);
    result.reverse = other.path.end.score > best.path.end.score;
    if (result.reverse) best = other;
  }
  const bool empty = query.empty() && target.empty();
  result.score = best.path.end.score;
  if (empty || (config.mode == align::Mode::local && result.score == 0)) {
    result.status = align::Status::unaligned;
    result.query_begin = result.query_end = result.target_begin = result.target_end = 0;
    return result;
  }
  result.query_begin = best.path.query_begin;
  result.query_end = best.path.end.query_end;
  result.target_begin = best.path.target_begin;
  result.target_end = best.path.end.target_end;
  if (result.reverse) {
    const auto length = static_cast<std::int64_t>(query.size());
    result.query_begin = length - best.path.end.query_end;
    result.query_end = length - best.path.query_begin;
  }
  result.cigar = oracle::finish_path(best.path, best.pair(), unknown_code(alphabet));
  return result;
}

align::Alignment reduced(align::Alignment full, align::Output output)
{
  if (output == align::Output::cigar) return full;
  full.cigar.clear();
  full.target_begin = -1;
  // The walk that finds the begin was not made: on the reverse strand that is query_end.
  (full.reverse ? full.query_end : full.query_begin) = -1;
  if (output == align::Output::score) full.query_begin = full.query_end = full.target_end = -1;
  return full;
}

std::string describe(const align::Alignment& a)
{
  return fmt::format("{} score {} query [{}, {}) target [{}, {}) {} {}", to_string(a.status),
                     a.score, a.query_begin, a.query_end, a.target_begin, a.target_end,
                     a.reverse ? "reverse" : "forward", align::to_string(a.cigar));
}

std::string contradiction(const align::Config& config, const Letters& letters,
                          const align::Alignment& a)
{
  if (a.status != align::Status::ok) return "";
  const seq::Alphabet alphabet = alphabet_of(config.scoring);
  std::vector<std::uint8_t> query = codes_of(letters.query, alphabet);
  std::vector<std::uint8_t> target = codes_of(letters.target, alphabet);
  std::int64_t begin = a.query_begin;
  if (a.reverse) {
    begin = static_cast<std::int64_t>(query.size()) - a.query_end;
    query = reverse_complement(query);
  }
  query.resize(query.size() + padding);
  target.resize(target.size() + padding);
  std::int64_t i = begin;
  std::int64_t j = a.target_begin;
  for (const std::uint32_t word : a.cigar) {
    const std::int64_t length = word >> 4;
    const std::uint32_t op = word & 15;
    if (op != 1 && op != 2 && op != 7 && op != 8) return "an operation other than = X I D";
    if (length == 0) return "an empty run";
    for (std::int64_t k = 0; k < length && op >= 7; ++k) {
      const std::uint8_t q = query[static_cast<std::size_t>(i + k)];
      const std::uint8_t t = target[static_cast<std::size_t>(j + k)];
      if ((q == t && q != unknown_code(alphabet)) != (op == 7)) return "= and X mixed up";
    }
    if (op != 2) i += length;
    if (op != 1) j += length;
  }
  if (i - begin != a.query_end - a.query_begin) return "the CIGAR's length on the query";
  if (j != a.target_end) return "the CIGAR's length on the target";
  const align::ScoreTable table = align::resolve(config.scoring);
  const std::uint8_t* q = query.data() + begin;
  const std::uint8_t* t = target.data() + a.target_begin;
  if (oracle::score_of(a.cigar, table, q, t) != a.score) return "the CIGAR's score";
  if (align::rescore(a.cigar, table, q, t) != a.score) return "the CIGAR's score by rescore()";
  return "";
}

}  // namespace helicity::test
