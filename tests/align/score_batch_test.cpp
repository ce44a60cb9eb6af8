// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/score_batch.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/stream.hpp>

#include "oracle/gotoh.hpp"
#include "support/align_random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace helicity {
namespace {

using align::CodePair;
using align::EndCell;
using align::Mode;
using align::Problem;
using seq::Alphabet;
using test::Codes;
using test::Letters;
using test::Random;

constexpr Mode modes[] = {Mode::global, Mode::local, Mode::semi_global};
constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Pairs, their codes, and what the oracle says of them.
struct Batch
{
  std::vector<Letters> letters;
  std::vector<Codes> codes;
  std::vector<CodePair> pairs;

  void add(Letters pair, Alphabet alphabet)
  {
    codes.emplace_back(pair, alphabet);
    pairs.push_back(codes.back().pair());
    letters.push_back(std::move(pair));
  }
};

Batch random_batch(Random& random, Alphabet alphabet, int count, std::int64_t max_length)
{
  Batch batch;
  for (int k = 0; k < count; ++k)
    batch.add(test::random_pair(random, alphabet, max_length), alphabet);
  return batch;
}

struct Result
{
  std::vector<EndCell> ends;
  std::unique_ptr<bool[]> taken;

  explicit Result(std::size_t size) : ends(size), taken(new bool[size]()) {}
};

Result run(const Problem& problem, const std::vector<CodePair>& pairs, std::size_t memory = 0,
           Cuda exec = {})
{
  Result result(pairs.size());
  align::score_batch(exec, problem, pairs, memory, result.ends.data(), result.taken.get());
  return result;
}

std::string text(const EndCell& end)
{
  return "score " + std::to_string(end.score) + " at query " + std::to_string(end.query_end) +
         ", target " + std::to_string(end.target_end);
}

std::vector<EndCell> oracle_ends(const Problem& problem, const Batch& batch)
{
  std::vector<EndCell> ends;
  for (const CodePair& pair : batch.pairs) ends.push_back(oracle::best_end(problem, pair));
  return ends;
}

void expect_same(const Problem& problem, const Batch& batch, const std::vector<EndCell>& expected,
                 const Result& found)
{
  for (std::size_t k = 0; k < batch.pairs.size(); ++k) {
    ASSERT_TRUE(found.taken[k]) << test::describe(batch.letters[k]);
    ASSERT_EQ(text(found.ends[k]), text(expected[k])) << "pair " << k << '\n'
                                                      << test::describe(problem) << '\n'
                                                      << test::describe(batch.letters[k]);
  }
}

void expect_oracle(const Problem& problem, const Batch& batch, std::size_t memory = 0,
                   Cuda exec = {})
{
  expect_same(problem, batch, oracle_ends(problem, batch), run(problem, batch.pairs, memory, exec));
}

class ScoreBatch : public testing::Test
{
 protected:
  void SetUp() override
  {
    if (const auto problem = device_problem(0); !problem.empty())
      GTEST_SKIP() << "no CUDA device to score on: " << problem;
  }
};

/// Every scheme with every mode; free ends in turn, so that each of the 16 sets meets several.
TEST_F(ScoreBatch, RandomDnaPairs)
{
  Random random(1);
  for (int k = 0; k < 96; ++k) {
    const auto scheme = test::dna_scheme(random, k % test::scheme_kinds, k % 5 == 0);
    const Mode mode = k < 20 ? Mode::global : k < 44 ? Mode::local : Mode::semi_global;
    const Problem problem = test::make_problem(scheme, mode, test::free_ends(k % 16));
    expect_oracle(problem, random_batch(random, Alphabet::dna, 54, 300));
    if (HasFatalFailure()) return;
  }
}

TEST_F(ScoreBatch, RandomProteinPairs)
{
  Random random(2);
  for (int k = 0; k < 24; ++k) {
    const auto scheme = test::protein_scheme(random, k, k % 5 == 0);
    const Problem problem = test::make_problem(scheme, modes[k % 3], test::free_ends(k * 7 % 16));
    expect_oracle(problem, random_batch(random, Alphabet::protein, 40, 300));
    if (HasFatalFailure()) return;
  }
}

/// Queries of several strips, whose boundary rows pass through memory.
TEST_F(ScoreBatch, LongPairs)
{
  Random random(3);
  for (int k = 0; k < 6; ++k) {
    const Mode mode = modes[k % 3];
    const bool protein = k >= 3;
    const Alphabet alphabet = protein ? Alphabet::protein : Alphabet::dna;
    const auto scheme =
        protein ? test::protein_scheme(random, k, false) : test::dna_scheme(random, k, false);
    const Problem problem = test::make_problem(scheme, mode, test::free_ends(5 * k));
    Batch batch;
    for (const std::int64_t length : {321, 512, 513, 700, 1025, 2000}) {
      const std::string query = test::random_sequence(random, alphabet, length);
      const std::string near = test::mutated(random, alphabet, query, 10);
      batch.add({query, near}, alphabet);
      batch.add({query, near.substr(near.size() / 3, random.between(1, 90))}, alphabet);
    }
    expect_oracle(problem, batch);
    if (HasFatalFailure()) return;
  }
}

/// Around each number of rows that a shape holds, and around the lengths of warps.
TEST_F(ScoreBatch, LengthsAtTheBordersOfShapes)
{
  Random random(4);
  for (const Mode mode : modes) {
    const Problem problem = test::make_problem({}, mode, test::free_ends(12));
    Batch batch;
    for (const std::int64_t m : {1, 7, 8, 9, 63, 64, 65, 159, 160, 161, 319, 320, 321, 512, 513}) {
      for (const std::int64_t n : {1, 31, 32, 33, 64}) {
        const std::string query = test::random_sequence(random, Alphabet::dna, m);
        batch.add({query, test::random_sequence(random, Alphabet::dna, n)}, Alphabet::dna);
        batch.add({std::string(static_cast<std::size_t>(m), 'A'),
                   std::string(static_cast<std::size_t>(n), 'A')},
                  Alphabet::dna);
      }
    }
    expect_oracle(problem, batch);
    if (HasFatalFailure()) return;
  }
}

TEST_F(ScoreBatch, EmptySequences)
{
  Batch batch;
  for (const char* query : {"", "A", "ACGT"})
    for (const char* target : {"", "A", "ACGT"}) batch.add({query, target}, Alphabet::dna);
  for (const Mode mode : modes) {
    for (int ends = 0; ends < (mode == Mode::semi_global ? 16 : 1); ++ends) {
      expect_oracle(test::make_problem({}, mode, test::free_ends(ends)), batch);
      const align::Scoring no_cost{.gap_open = 0, .gap_extend = 0};
      expect_oracle(test::make_problem(no_cost, mode, test::free_ends(ends)), batch);
    }
  }
  EXPECT_TRUE(run(test::make_problem({}, Mode::local, {}), {}).ends.empty());
}

TEST_F(ScoreBatch, NothingMatches)
{
  Batch batch;
  batch.add({"G", "TC"}, Alphabet::dna);
  batch.add({"NNNN", "NNNNN"}, Alphabet::dna);
  batch.add({std::string(300, 'A'), std::string(200, 'C')}, Alphabet::dna);
  for (const Mode mode : modes) expect_oracle(test::make_problem({}, mode, {}), batch);
}

/// More pairs than a launch of 65535 blocks, or a 16-bit index, would take.
TEST_F(ScoreBatch, ManyShortPairs)
{
  Random random(5);
  Batch few;
  for (int k = 0; k < 97; ++k) {
    few.add({test::random_sequence(random, Alphabet::dna, random.between(0, 5)),
             test::random_sequence(random, Alphabet::dna, random.between(0, 7))},
            Alphabet::dna);
  }
  const Problem problem = test::make_problem({}, Mode::semi_global, {});
  const auto expected = oracle_ends(problem, few);
  std::vector<CodePair> pairs;
  for (std::size_t k = 0; k < 70'000; ++k) pairs.push_back(few.pairs[k % few.pairs.size()]);
  const Result found = run(problem, pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    ASSERT_TRUE(found.taken[k]);
    ASSERT_EQ(text(found.ends[k]), text(expected[k % few.pairs.size()])) << k;
  }
}

/// Batches shrink until a pair fits alone, or is not taken; what is computed stays the same.
TEST_F(ScoreBatch, AnyMemoryBudgetGivesTheSame)
{
  Random random(6);
  const Problem problem = test::make_problem({}, Mode::local, {});
  Batch batch = random_batch(random, Alphabet::dna, 60, 300);
  for (const std::int64_t length : {600, 900}) {
    const std::string query = test::random_sequence(random, Alphabet::dna, length);
    batch.add({query, test::mutated(random, Alphabet::dna, query, 20)}, Alphabet::dna);
  }
  const Result all = run(problem, batch.pairs);
  expect_same(problem, batch, oracle_ends(problem, batch), all);
  std::size_t refused_before = batch.pairs.size() + 1;
  for (const std::size_t memory : {std::size_t{1}, std::size_t{9'000}, std::size_t{12'000},
                                   std::size_t{20'000}, std::size_t{64'000}, mebibyte})
  {
    const Result found = run(problem, batch.pairs, memory);
    std::size_t refused = 0;
    for (std::size_t k = 0; k < batch.pairs.size(); ++k) {
      if (found.taken[k]) {
        EXPECT_EQ(text(found.ends[k]), text(all.ends[k])) << memory;
      } else {
        ++refused;
      }
    }
    EXPECT_LE(refused, refused_before);
    refused_before = refused;
  }
  EXPECT_EQ(refused_before, 0);
}

/// Pairs that take more than half of the budget are run alone, between small ones.
TEST_F(ScoreBatch, PairsThatNeedMostOfTheMemory)
{
  Batch batch;
  for (const std::size_t length : {100, 70'000, 90'000, 200, 80'000, 40'000, 30'000, 20'000, 300})
    batch.add({"ACA", std::string(length, 'C') + "ACA"}, Alphabet::dna);
  const Problem problem = test::make_problem({}, Mode::local, {});
  const Result found = run(problem, batch.pairs, 100'000);
  for (std::size_t k = 0; k < batch.pairs.size(); ++k) {
    ASSERT_TRUE(found.taken[k]);
    EXPECT_EQ(text(found.ends[k]), text({6, 3, batch.pairs[k].target_length}));
  }
}

/// A pair is left to the CPU when its scores might leave 32 bits, and only then.
TEST_F(ScoreBatch, ScoreRange)
{
  Batch batch;
  batch.add({std::string(20'000, 'A'), std::string(40, 'A')}, Alphabet::dna);
  batch.add({std::string(40'000, 'A'), std::string(40, 'A')}, Alphabet::dna);
  const align::Scoring dear{
      .match = 30'000, .mismatch = 30'000, .gap_open = 30'000, .gap_extend = 30'000};
  const Problem problem = test::make_problem(dear, Mode::global, {});
  const Result found = run(problem, batch.pairs);
  EXPECT_TRUE(found.taken[0]);
  EXPECT_FALSE(found.taken[1]);
  EXPECT_EQ(text(found.ends[0]), text(oracle::best_end(problem, batch.pairs[0])));
}

TEST_F(ScoreBatch, EachDeviceGivesTheSame)
{
  if (device_count() < 2) GTEST_SKIP() << "needs two CUDA devices";
  Random random(7);
  const Problem problem = test::make_problem({}, Mode::semi_global, test::free_ends(15));
  const Batch batch = random_batch(random, Alphabet::dna, 100, 300);
  const auto expected = oracle_ends(problem, batch);
  for (int id = 0; id < device_count(); ++id)
    expect_same(problem, batch, expected, run(problem, batch.pairs, 0, Cuda{id}));
}

TEST_F(ScoreBatch, ThreadsMayCallAtOnce)
{
  Random random(8);
  const Problem problem = test::make_problem({}, Mode::global, {});
  const Batch batch = random_batch(random, Alphabet::dna, 40, 200);
  const auto expected = oracle_ends(problem, batch);
  std::vector<Result> results;
  for (int t = 0; t < 3; ++t) results.emplace_back(batch.pairs.size());
  std::vector<std::thread> threads;
  for (Result& result : results) {
    threads.emplace_back([&] {
      align::score_batch(Cuda{}, problem, batch.pairs, 8 * mebibyte, result.ends.data(),
                         result.taken.get());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Result& result : results) expect_same(problem, batch, expected, result);
}

TEST_F(ScoreBatch, TakesTheStreamOfTheCaller)
{
  Random random(9);
  const Stream stream(0);
  const Problem problem = test::make_problem({}, Mode::local, {});
  expect_oracle(problem, random_batch(random, Alphabet::dna, 20, 200), 0, stream.exec());
}

TEST(ScoreBatchWithoutDevice, SaysWhy)
{
  if (device_count() > 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_THROW(run(test::make_problem({}, Mode::local, {}), {}), RuntimeFault);
}

}  // namespace
}  // namespace helicity
