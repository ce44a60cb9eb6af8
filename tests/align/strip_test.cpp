// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/strip.hpp>

#include "oracle/gotoh.hpp"
#include "support/align_isa.hpp"
#include "support/align_random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace helicity {
namespace {

using align::Mode;
using align::Path;
using align::Problem;
using seq::Alphabet;
using test::Codes;
using test::Letters;
using test::Random;

constexpr std::size_t no_memory = 0;
constexpr std::size_t ample_memory = std::size_t{1} << 28;

std::string end_text(const align::EndCell& end)
{
  return test::describe(Path{.end = end, .query_begin = 0, .target_begin = 0, .ops = {}});
}

std::string context(const Problem& problem, const Letters& letters)
{
  std::string text = test::describe(problem);
  if (letters.query.size() + letters.target.size() < 1000) text += "\n" + test::describe(letters);
  return text;
}

/// The engine, with every instruction set and amount of memory, gives what is expected.
void expect_path(const Problem& problem, const Letters& letters, const Codes& codes,
                 const Path& expected)
{
  for (const std::string& isa : test::usable_isas()) {
    const test::IsaLimit limit(isa);
    ASSERT_EQ(end_text(align_strip_end(problem, codes.pair())), end_text(expected.end))
        << isa << ", " << context(problem, letters);
    for (const std::size_t memory : {no_memory, ample_memory}) {
      ASSERT_EQ(test::describe(align_strip_path(problem, codes.pair(), memory)),
                test::describe(expected))
          << isa << ", memory " << memory << ", " << context(problem, letters);
    }
  }
}

void expect_oracle(const Problem& problem, const Letters& letters, Alphabet alphabet)
{
  const Codes codes(letters, alphabet);
  expect_path(problem, letters, codes, oracle::align(problem, codes.pair()));
}

/// Calls with a problem of every mode and, semi_global, every choice of free ends.
template <class Body>
void for_all_modes(const align::Scoring& scoring, const Body& body)
{
  body(test::make_problem(scoring, Mode::global, {}));
  body(test::make_problem(scoring, Mode::local, {}));
  for (int ends = 0; ends < 16; ++ends) {
    body(test::make_problem(scoring, Mode::semi_global, test::free_ends(ends)));
  }
}

TEST(Strip, AgreesWithTheOracleOnDna)
{
  Random random(1);
  for (int index = 0; index < 3 * test::scheme_kinds; ++index) {
    const align::Scoring scoring = test::dna_scheme(random, index, random.chance(30));
    for_all_modes(scoring, [&](const Problem& problem) {
      for (int k = 0; k < 3; ++k) {
        expect_oracle(problem, test::random_pair(random, Alphabet::dna, 400), Alphabet::dna);
      }
    });
  }
}

TEST(Strip, AgreesWithTheOracleOnProteins)
{
  Random random(2);
  for (int index = 0; index < 12; ++index) {
    const align::Scoring scoring = test::protein_scheme(random, index, random.chance(30));
    for_all_modes(scoring, [&](const Problem& problem) {
      expect_oracle(problem, test::random_pair(random, Alphabet::protein, 400), Alphabet::protein);
    });
  }
}

TEST(Strip, TakesEmptySequences)
{
  for_all_modes({}, [](const Problem& problem) {
    for (const Letters& letters : {Letters{"", ""}, Letters{"ACGT", ""}, Letters{"", "ACGT"}}) {
      expect_oracle(problem, letters, Alphabet::dna);
    }
  });
}

TEST(Strip, LocalOfNothingAlikeIsEmpty)
{
  const Problem problem = test::make_problem({}, Mode::local, {});
  const Codes codes({"AAAACCCC", "GGGTTT"}, Alphabet::dna);
  const Path path = align_strip_path(problem, codes.pair(), ample_memory);
  EXPECT_EQ(end_text(path.end), end_text({}));
  EXPECT_TRUE(path.ops.empty());
}

// Larger than a tile in both directions, so that paths cross borders between tiles.
TEST(Strip, AgreesWithTheOracleAcrossTiles)
{
  Random random(3);
  for (const int scheme : {0, 2, 6, 7}) {
    const align::Scoring scoring = test::dna_scheme(random, scheme, false);
    Letters letters;
    letters.query = test::random_sequence(random, Alphabet::dna, 1300);
    letters.target = test::mutated(random, Alphabet::dna, letters.query, 15) +
                     test::random_sequence(random, Alphabet::dna, 900);
    letters.query += test::random_sequence(random, Alphabet::dna, 200);
    for (const Mode mode : {Mode::global, Mode::local, Mode::semi_global}) {
      const Problem problem = test::make_problem(scoring, mode, test::free_ends(scheme + 8));
      expect_oracle(problem, letters, Alphabet::dna);
    }
  }
}

// All letters lose, so that what tiles hold rises along a free border and nowhere else.
TEST(Strip, AgreesWithTheOracleAlongFreeBorders)
{
  Random random(7);
  const align::Scoring scoring{.match = -79, .mismatch = 79, .gap_open = 1, .gap_extend = 40};
  for (const std::int64_t query_length : {60, 1500}) {
    const Letters letters{test::random_sequence(random, Alphabet::dna, query_length),
                          test::random_sequence(random, Alphabet::dna, 1560 - query_length)};
    for (int ends = 0; ends < 16; ++ends) {
      const auto problem = test::make_problem(scoring, Mode::semi_global, test::free_ends(ends));
      expect_oracle(problem, letters, Alphabet::dna);
    }
  }
}

// Gap costs that could leave 32 bits.
TEST(Strip, AgreesWithTheOracleIn64Bits)
{
  Random random(4);
  const align::Scoring scoring{
      .match = 30000, .mismatch = 30000, .gap_open = 7, .gap_extend = 30000};
  Letters letters;
  letters.target = test::random_sequence(random, Alphabet::dna, 36000);
  letters.query = test::mutated(random, Alphabet::dna, letters.target.substr(9000, 150), 20);
  for (const Mode mode : {Mode::global, Mode::local, Mode::semi_global}) {
    expect_oracle(test::make_problem(scoring, mode, {}), letters, Alphabet::dna);
    std::swap(letters.query, letters.target);
  }
}

/// The path is what it says, and the same with any instruction set and memory.
void expect_consistent(const Problem& problem, const Letters& letters)
{
  const Codes codes(letters, Alphabet::dna);
  const align::CodePair pair = codes.pair();
  const Path path = align_strip_path(problem, pair, ample_memory);
  EXPECT_EQ(oracle::score_of(path.ops, problem.table, pair.query + path.query_begin,
                             pair.target + path.target_begin),
            path.end.score);
  expect_path(problem, letters, codes, path);
}

TEST(Strip, PathDoesNotDependOnMemory)
{
  Random random(5);
  for (const Mode mode : {Mode::global, Mode::local, Mode::semi_global}) {
    Letters letters;
    letters.target = test::random_sequence(random, Alphabet::dna, 5000);
    letters.query = test::mutated(random, Alphabet::dna, letters.target, 20);
    letters.target.insert(2500, test::random_sequence(random, Alphabet::dna, 1500));
    expect_consistent(test::make_problem({}, mode, {}), letters);
  }
}

TEST(Strip, AlignsLongPairs)
{
  Random random(6);
  Letters letters;
  letters.target = test::random_sequence(random, Alphabet::dna, 20000);
  letters.query = test::mutated(random, Alphabet::dna, letters.target, 10);
  const Problem problem = test::make_problem({}, Mode::global, {});
  const Codes codes(letters, Alphabet::dna);
  const Path ample = align_strip_path(problem, codes.pair(), ample_memory);
  const Path tight = align_strip_path(problem, codes.pair(), no_memory);
  EXPECT_EQ(test::describe(ample), test::describe(tight));
  EXPECT_EQ(oracle::score_of(ample.ops, problem.table, codes.pair().query, codes.pair().target),
            ample.end.score);
}

}  // namespace
}  // namespace helicity
