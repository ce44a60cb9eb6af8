// SPDX-License-Identifier: Apache-2.0
#include "oracle/gotoh.hpp"

#include "support/align_random.hpp"

#include <gtest/gtest.h>

namespace helicity {
namespace {

using align::Mode;
using test::Codes;
using test::Letters;
using test::Random;

constexpr Mode modes[] = {Mode::global, Mode::local, Mode::semi_global};

std::string short_sequence(Random& random)
{
  std::string sequence = test::random_sequence(random, seq::Alphabet::dna, random.between(0, 5));
  for (char& letter : sequence) {
    if (random.chance(40)) letter = 'A';  // ties
    if (random.chance(5)) letter = 'N';
  }
  return sequence;
}

align::Problem small_problem(Random& random, Mode mode)
{
  const auto number = [&](std::int64_t low, std::int64_t high) {
    return static_cast<int>(random.between(low, high));
  };
  align::Scoring scoring;
  scoring.match = number(-1, 5);
  scoring.mismatch = number(-2, 5);
  scoring.gap_open = random.chance(30) ? 0 : number(1, 5);
  scoring.gap_extend = number(0, 3);
  if (random.chance(30)) scoring.n_score = number(-3, 3);
  return test::make_problem(scoring, mode, test::free_ends(number(0, 15)));
}

TEST(Oracle, ScoreIsTheBestOfAllAlignments)
{
  Random random(1);
  for (int k = 0; k < 6000; ++k) {
    const align::Problem problem = small_problem(random, modes[k % 3]);
    const Letters letters{short_sequence(random), short_sequence(random)};
    const Codes codes(letters, seq::Alphabet::dna);
    ASSERT_EQ(oracle::best_end(problem, codes.pair()).score,
              oracle::best_score_by_enumeration(problem, codes.pair()))
        << test::describe(problem) << '\n'
        << test::describe(letters);
  }
}

TEST(Oracle, PathEarnsTheScoreBetweenItsEnds)
{
  Random random(2);
  for (int k = 0; k < 6000; ++k) {
    const align::Problem problem = small_problem(random, modes[k % 3]);
    const Letters letters = test::random_pair(random, seq::Alphabet::dna, 40);
    const Codes codes(letters, seq::Alphabet::dna);
    const align::CodePair pair = codes.pair();
    const align::Path path = oracle::align(problem, pair);
    SCOPED_TRACE(test::describe(problem) + '\n' + test::describe(letters));
    std::int64_t i = path.query_begin;
    std::int64_t j = path.target_begin;
    ASSERT_EQ(oracle::score_of(path.ops, problem.table, pair.query + i, pair.target + j),
              path.end.score);
    for (const std::uint32_t word : path.ops) {
      if ((word & 15) != 2) i += word >> 4;
      if ((word & 15) != 1) j += word >> 4;
    }
    ASSERT_EQ(i, path.end.query_end);
    ASSERT_EQ(j, path.end.target_end);
  }
}

/// What the path rule promises: walking back with the diagonal first leaves nothing to shift.
TEST(Oracle, PathIsLeftAlignedAlready)
{
  Random random(3);
  for (int k = 0; k < 6000; ++k) {
    const align::Problem problem = small_problem(random, modes[k % 3]);
    const Codes codes(test::random_pair(random, seq::Alphabet::dna, 40), seq::Alphabet::dna);
    const align::Path path = oracle::align(problem, codes.pair());
    std::vector<std::uint32_t> merged;
    for (const std::uint32_t word : oracle::finish_path(path, codes.pair(), 4)) {
      const std::uint32_t op = (word & 15) >= 7 ? word & ~15U : word;
      if (!merged.empty() && (merged.back() & 15) == (op & 15))
        merged.back() += op & ~15U;
      else
        merged.push_back(op);
    }
    ASSERT_EQ(merged, path.ops);
  }
}

struct Known
{
  Mode mode;
  int free;  // as for test::free_ends
  const char* query;
  const char* target;
  const char* expected;
};

/// Cases worked out by hand, scheme 2/4/4/2.
TEST(Oracle, KnownCases)
{
  const Known cases[] = {
      {Mode::global, 0, "GATTACA", "GATTTACA", "score 8 query [0, 7) target [0, 8) 2M1D5M"},
      {Mode::global, 0, "ACGT", "AGT", "score 0 query [0, 4) target [0, 3) 1M1I2M"},
      {Mode::global, 0, "", "", "score 0 query [0, 0) target [0, 0) "},
      {Mode::global, 0, "", "AC", "score -8 query [0, 0) target [0, 2) 2D"},
      {Mode::global, 0, "AC", "", "score -8 query [0, 2) target [0, 0) 2I"},
      {Mode::global, 0, "A", "C", "score -4 query [0, 1) target [0, 1) 1M"},
      {Mode::local, 0, "A", "C", "score 0 query [0, 0) target [0, 0) "},
      {Mode::local, 0, "A", "CA", "score 2 query [0, 1) target [1, 2) 1M"},
      {Mode::local, 0, "ACA", "A", "score 2 query [0, 1) target [0, 1) 1M"},
      {Mode::local, 0, "T", "TT", "score 2 query [0, 1) target [0, 1) 1M"},
      {Mode::semi_global, 12, "A", "TCTGCGA", "score 2 query [0, 1) target [6, 7) 1M"},
      {Mode::semi_global, 12, "GT", "GTC", "score 4 query [0, 2) target [0, 2) 2M"},
      {Mode::semi_global, 12, "AA", "CAAC", "score 4 query [0, 2) target [1, 3) 2M"},
      {Mode::semi_global, 15, "AAC", "GGG", "score 0 query [3, 3) target [0, 0) "},
      {Mode::semi_global, 6, "CCGG", "GGTT", "score 0 query [0, 0) target [4, 4) "},
      {Mode::semi_global, 9, "CCGG", "GGTT", "score 4 query [2, 4) target [0, 2) 2M"},
  };
  for (const Known& known : cases) {
    const align::Problem problem =
        test::make_problem({2, 4, 4, 2, {}, nullptr}, known.mode, test::free_ends(known.free));
    const Codes codes({known.query, known.target}, seq::Alphabet::dna);
    EXPECT_EQ(test::describe(oracle::align(problem, codes.pair())), known.expected)
        << test::describe(problem) << ' ' << known.query << ' ' << known.target;
  }
}

}  // namespace
}  // namespace helicity
