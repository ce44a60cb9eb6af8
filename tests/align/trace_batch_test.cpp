// SPDX-License-Identifier: Apache-2.0
#include "trace_support.hpp"

#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/stream.hpp>

#include "oracle/gotoh.hpp"

#include <thread>

namespace helicity {
namespace {

using align::Mode;
using align::Path;
using align::Problem;
using seq::Alphabet;
using test::expect_cpu_paths;
using test::make_problem;
using test::Random;
using test::random_sequence;
using test::Traced;
using test::TracePairs;

constexpr Mode modes[] = {Mode::global, Mode::local, Mode::semi_global};
constexpr std::size_t mebibyte = std::size_t{1} << 20;

class TraceBatch : public testing::Test
{
 protected:
  void SetUp() override
  {
    if (const auto problem = device_problem(0); !problem.empty())
      GTEST_SKIP() << "no CUDA device to align on: " << problem;
  }
};

/// Every scheme with every mode, against the CPU engine and, path by path, the oracle.
TEST_F(TraceBatch, RandomDnaPairs)
{
  Random random(1);
  for (int k = 0; k < 48; ++k) {
    const auto scheme = test::dna_scheme(random, k % test::scheme_kinds, k % 3 == 0);
    const Mode mode = k < 12 ? Mode::global : k < 24 ? Mode::local : Mode::semi_global;
    const Problem problem = make_problem(scheme, mode, test::free_ends(k % 16));
    const TracePairs batch = test::random_pairs(random, Alphabet::dna, 24, 250);
    std::vector<Path> expected;
    for (const auto& pair : batch.pairs) expected.push_back(oracle::align(problem, pair));
    const Traced traced = test::trace(problem, batch.pairs, expected);
    ASSERT_EQ(test::expect_same_paths(problem, batch, expected, traced), batch.pairs.size()) << k;
  }
}

TEST_F(TraceBatch, RandomProteinPairs)
{
  Random random(2);
  for (int k = 0; k < 18; ++k) {
    const auto scheme = test::protein_scheme(random, k, k % 4 == 0);
    const Problem problem = make_problem(scheme, modes[k % 3], test::free_ends(k * 7 % 16));
    expect_cpu_paths(problem, test::random_pairs(random, Alphabet::protein, 24, 250));
    if (HasFailure()) return;
  }
}

/// Queries of several strips, targets of several tiles.
TEST_F(TraceBatch, ManyTiles)
{
  Random random(3);
  for (int k = 0; k < 6; ++k) {
    const bool protein = k >= 3;
    const Alphabet alphabet = protein ? Alphabet::protein : Alphabet::dna;
    const auto scheme =
        protein ? test::protein_scheme(random, k, false) : test::dna_scheme(random, k, k == 2);
    const Problem problem = make_problem(scheme, modes[k % 3], test::free_ends(5 * k));
    TracePairs batch;
    for (const std::int64_t length : {161, 257, 512, 700, 1025}) {
      const std::string query = random_sequence(random, alphabet, length);
      batch.add({query, test::mutated(random, alphabet, query, 15)}, alphabet);
      batch.add({query, random_sequence(random, alphabet, length / 2)}, alphabet);
    }
    expect_cpu_paths(problem, batch);
    if (HasFailure()) return;
  }
}

/// Two levels of tiles, though one sequence is short.
TEST_F(TraceBatch, ThinMatrices)
{
  Random random(11);
  const std::string few = random_sequence(random, Alphabet::dna, 170);
  const std::string many = random_sequence(random, Alphabet::dna, 70'000);
  const std::string within = many.substr(0, 30'000) + few + many.substr(30'000);
  for (const Mode mode : modes) {
    const align::FreeEnds ends = {true, true, true, true};
    const Problem problem = make_problem({}, mode, ends);
    TracePairs batch;
    batch.add({few, within}, Alphabet::dna);
    if (mode != Mode::global) batch.add({within, few}, Alphabet::dna);
    expect_cpu_paths(problem, batch);
    if (HasFailure()) return;
  }
}

/// Around each number of rows and of columns that a tile has.
TEST_F(TraceBatch, LengthsAtTheBordersOfTiles)
{
  Random random(4);
  for (const Mode mode : modes) {
    const Problem problem = make_problem({}, mode, test::free_ends(12));
    TracePairs batch;
    for (const std::int64_t m : {1, 2, 63, 64, 65, 128, 129, 160, 161, 256, 257}) {
      for (const std::int64_t n : {1, 65, 66, 81, 82, 89, 90, 131}) {
        const std::string query = random_sequence(random, Alphabet::dna, m);
        batch.add({query, random_sequence(random, Alphabet::dna, n)}, Alphabet::dna);
      }
    }
    expect_cpu_paths(problem, batch);
    if (HasFailure()) return;
  }
}

/// Wherever paths tie: the same letter, and repeats of a few.
TEST_F(TraceBatch, AllTheSameAndRepeats)
{
  for (const Mode mode : modes) {
    for (const int open : {0, 4}) {
      const align::Scoring scheme{.gap_open = open, .gap_extend = 1};
      const Problem problem = make_problem(scheme, mode, test::free_ends(open + 3));
      TracePairs batch;
      for (const int unit : {1, 2, 3, 7}) {
        std::string repeat;
        while (repeat.size() < 400) repeat += std::string("ACGTTGA").substr(0, unit);
        batch.add({repeat.substr(0, 150), repeat.substr(0, 171)}, Alphabet::dna);
        batch.add({repeat.substr(0, 300), repeat.substr(1, 130)}, Alphabet::dna);
      }
      batch.add({std::string(90, 'N'), std::string(100, 'N')}, Alphabet::dna);
      batch.add({std::string(90, 'A'), std::string(100, 'C')}, Alphabet::dna);
      expect_cpu_paths(problem, batch);
      if (HasFailure()) return;
    }
  }
}

/// Gaps longer than any tile, within the matrix and along its borders.
TEST_F(TraceBatch, LongGaps)
{
  Random random(5);
  const align::Scoring scheme{.match = 5, .mismatch = 4, .gap_open = 8, .gap_extend = 0};
  for (const Mode mode : modes) {
    const Problem problem = make_problem(scheme, mode, {});
    TracePairs batch;
    for (const std::int64_t gap : {100, 300, 900}) {
      const std::string left = random_sequence(random, Alphabet::dna, 80);
      const std::string right = random_sequence(random, Alphabet::dna, 90);
      const std::string middle = random_sequence(random, Alphabet::dna, gap);
      batch.add({left + right, left + middle + right}, Alphabet::dna);
      batch.add({left + middle + right, left + right}, Alphabet::dna);
      batch.add({right, middle + right}, Alphabet::dna);
      batch.add({middle + right, right}, Alphabet::dna);
    }
    expect_cpu_paths(problem, batch);
    if (HasFailure()) return;
  }
}

/// End cells in row 0 and column 0: no cell is computed.
TEST_F(TraceBatch, EmptySequences)
{
  TracePairs batch;
  for (const char* query : {"", "A", "ACGT"})
    for (const char* target : {"", "A", "ACGT"}) batch.add({query, target}, Alphabet::dna);
  for (const Mode mode : modes)
    for (int ends = 0; ends < (mode == Mode::semi_global ? 16 : 1); ++ends)
      expect_cpu_paths(make_problem({}, mode, test::free_ends(ends)), batch);
}

/// More pairs than warps of a device, with paths of many runs each: more than a batch provides for.
TEST_F(TraceBatch, ManyShortPairs)
{
  Random random(6);
  TracePairs few;
  for (int k = 0; k < 61; ++k) {
    few.add({random_sequence(random, Alphabet::dna, random.between(0, 40)),
             random_sequence(random, Alphabet::dna, random.between(0, 40))},
            Alphabet::dna);
  }
  const align::Scoring gaps{.match = 9, .mismatch = 30, .gap_open = 0, .gap_extend = 1};
  const Problem problem = make_problem(gaps, Mode::global, {});
  const auto some = test::cpu_paths(problem, few.pairs);
  TracePairs many;
  std::vector<Path> expected;
  for (std::size_t k = 0; k < 9'000; ++k) {
    many.pairs.push_back(few.pairs[k % few.pairs.size()]);
    many.letters.push_back(few.letters[k % few.pairs.size()]);
    expected.push_back(some[k % few.pairs.size()]);
  }
  const Traced traced = test::trace(problem, many.pairs, expected);
  EXPECT_EQ(test::expect_same_paths(problem, many, expected, traced), many.pairs.size());
}

/// Batches shrink until a pair fits alone, or is not taken; what is computed stays the same.
TEST_F(TraceBatch, AnyMemoryBudgetGivesTheSame)
{
  Random random(7);
  const Problem problem = make_problem({}, Mode::local, {});
  TracePairs batch = test::random_pairs(random, Alphabet::dna, 60, 300);
  for (const std::int64_t length : {600, 900}) {
    const std::string query = random_sequence(random, Alphabet::dna, length);
    batch.add({query, test::mutated(random, Alphabet::dna, query, 20)}, Alphabet::dna);
  }
  const auto expected = test::cpu_paths(problem, batch.pairs);
  std::size_t before = 0;
  for (const std::size_t memory : {std::size_t{1}, std::size_t{19'000}, std::size_t{24'000},
                                   std::size_t{40'000}, std::size_t{100'000}, mebibyte})
  {
    const Traced traced = test::trace(problem, batch.pairs, expected, memory);
    const std::size_t taken = test::expect_same_paths(problem, batch, expected, traced);
    EXPECT_GE(taken, before) << memory;
    before = taken;
  }
  EXPECT_EQ(before, batch.pairs.size());
}

/// A pair is left to the CPU when 8 times its scores might leave 32 bits, and only then.
TEST_F(TraceBatch, ScoreRange)
{
  const align::Scoring dear{
      .match = 30'000, .mismatch = 30'000, .gap_open = 30'000, .gap_extend = 30'000};
  const Problem problem = make_problem(dear, Mode::global, {});
  TracePairs batch;
  batch.add({std::string(2'000, 'A'), std::string(40, 'A')}, Alphabet::dna);
  batch.add({std::string(4'000, 'A'), std::string(40, 'A')}, Alphabet::dna);
  const auto expected = test::cpu_paths(problem, batch.pairs);
  const Traced traced = test::trace(problem, batch.pairs, expected);
  EXPECT_TRUE(traced.taken[0]);
  EXPECT_FALSE(traced.taken[1]);
  test::expect_same_paths(problem, batch, expected, traced);
}

TEST_F(TraceBatch, EachDeviceGivesTheSame)
{
  if (device_count() < 2) GTEST_SKIP() << "needs two CUDA devices";
  Random random(8);
  const Problem problem = make_problem({}, Mode::semi_global, test::free_ends(15));
  const TracePairs batch = test::random_pairs(random, Alphabet::dna, 60, 300);
  for (int id = 0; id < device_count(); ++id) expect_cpu_paths(problem, batch, 0, Cuda{id});
}

TEST_F(TraceBatch, ThreadsMayCallAtOnce)
{
  Random random(9);
  const Problem problem = make_problem({}, Mode::global, {});
  const TracePairs batch = test::random_pairs(random, Alphabet::dna, 40, 200);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] { expect_cpu_paths(problem, batch, 8 * mebibyte); });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(TraceBatch, TakesTheStreamOfTheCaller)
{
  Random random(10);
  const Stream stream(0);
  const Problem problem = make_problem({}, Mode::local, {});
  expect_cpu_paths(problem, test::random_pairs(random, Alphabet::dna, 20, 200), 0, stream.exec());
}

TEST(TraceBatchWithoutDevice, SaysWhy)
{
  if (device_count() > 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_THROW(test::trace(make_problem({}, Mode::local, {}), {}, {}), RuntimeFault);
}

}  // namespace
}  // namespace helicity
