// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/score_batch.hpp>
#include <helicity/align/strip.hpp>
#include <helicity/core/device.hpp>

#include "support/align_random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

/// The 16-bit score kernels against the CPU's strip engine: for each mode and shape,
/// HELICITY_SCORE_PAIRS pairs (160 if unset).
namespace helicity {
namespace {

using align::CodePair;
using align::EndCell;
using align::Mode;
using align::Problem;
using align::ScoreEngine;
using seq::Alphabet;
using test::Codes;
using test::Letters;
using test::Random;

int pairs_per_variant()
{
  const char* text = std::getenv("HELICITY_SCORE_PAIRS");
  return text == nullptr ? 160 : std::max(1, std::atoi(text));
}

struct Batch
{
  std::vector<Letters> letters;
  std::vector<Codes> codes;
  std::vector<CodePair> pairs;

  void add(std::string query, std::string target)
  {
    letters.push_back({std::move(query), std::move(target)});
    codes.emplace_back(letters.back(), Alphabet::dna);
    pairs.push_back(codes.back().pair());
  }
};

std::string text(const EndCell& end)
{
  return "score " + std::to_string(end.score) + " at query " + std::to_string(end.query_end) +
         ", target " + std::to_string(end.target_end);
}

void expect_cpu(const Problem& problem, const Batch& batch,
                ScoreEngine engine = ScoreEngine::automatic, std::size_t memory = 0)
{
  const std::size_t size = batch.pairs.size();
  std::vector<EndCell> ends(size);
  const auto taken = std::make_unique<bool[]>(size);
  align::score_batch(Cuda{}, problem, batch.pairs, memory, ends.data(), taken.get(), {1, engine});
  for (std::size_t k = 0; k < size; ++k) {
    if (!taken[k]) continue;
    const CodePair& pair = batch.pairs[k];
    if (pair.query_length == 0 || pair.target_length == 0) continue;
    ASSERT_EQ(text(ends[k]), text(align::align_strip_end(problem, pair)))
        << "pair " << k << '\n'
        << test::describe(problem) << '\n'
        << test::describe(batch.letters[k]);
  }
}

bool no_device() { return !device_problem(0).empty(); }

/// Letters of which some are N.
std::string with_unknown(Random& random, std::string letters)
{
  for (char& letter : letters)
    if (random.chance(8)) letter = 'N';
  return letters;
}

/// A pair with a query of so many letters: related in some way, or all of one letter, or not.
void add_pair(Random& random, std::int64_t length, Batch& batch)
{
  std::string query = test::random_sequence(random, Alphabet::dna, length);
  if (random.chance(5)) query.assign(static_cast<std::size_t>(length), 'A');
  std::string target =
      random.chance(20)
          ? test::random_sequence(random, Alphabet::dna, random.between(1, 200))
          : test::mutated(random, Alphabet::dna, query, static_cast<int>(random.between(0, 30)));
  if (random.chance(30)) target = target.substr(target.size() / 3);
  if (random.chance(30))
    target = test::random_sequence(random, Alphabet::dna, random.between(1, 90)) + target;
  if (random.chance(10)) query = with_unknown(random, query);
  if (random.chance(10)) target = with_unknown(random, target);
  batch.add(std::move(query), std::move(target));
}

class ScorePacked : public testing::TestWithParam<std::tuple<int, int>>
{};

struct Lengths
{
  std::int64_t least, most;
};

constexpr Lengths shapes[] = {{1, 32},    {33, 64},   {65, 128},  {129, 160}, {161, 256},
                              {257, 384}, {385, 512}, {513, 768}, {769, 2000}};
constexpr Mode modes[] = {Mode::global, Mode::local, Mode::semi_global};

TEST_P(ScorePacked, EqualsTheCpu)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device to score on";
  const auto [mode, shape] = GetParam();
  const int wanted = pairs_per_variant();
  constexpr int per_scheme = 40;
  for (int done = 0, k = 0; done < wanted; done += per_scheme, ++k) {
    Random random(static_cast<std::uint64_t>(1000 * mode + 100 * shape + k));
    const bool everyday = k % 2 == 0;
    auto scheme = everyday ? test::dna_scheme(random, k / 2 % 8, false)
                           : test::dna_scheme(random, 10 + k / 2, k % 5 == 0);
    if (everyday && scheme.n_score) scheme.n_score = std::min(*scheme.n_score, 0);  // 16 bits
    Batch batch;
    for (int pair = 0; pair < std::min(per_scheme, wanted - done); ++pair)
      add_pair(random, random.between(shapes[shape].least, shapes[shape].most), batch);
    const Problem problem =
        test::make_problem(scheme, modes[mode], test::free_ends(static_cast<int>(7 * k + 2) % 16));
    expect_cpu(problem, batch);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, ScorePacked,
                         testing::Combine(testing::Range(0, 3), testing::Range(0, 9)));

/// Scores on both sides of what 16 bits hold, and of where the kernel asks for 32.
TEST(ScorePackedRange, LocalOverflow)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device to score on";
  for (const int match : {100, 999, 8000}) {
    const Problem problem = test::make_problem(
        {.match = match, .mismatch = match, .gap_open = 3 * match / 2, .gap_extend = match / 2},
        Mode::local, {});
    Batch batch;
    Random random(static_cast<std::uint64_t>(match));
    for (const int more : {-3, -2, -1, 0, 1, 2, 3, 40, 300}) {
      const std::int64_t length = std::max(1, 32767 / match + more);
      const std::string same(static_cast<std::size_t>(length), 'G');
      batch.add(same, same);
      const std::string query = test::random_sequence(random, Alphabet::dna, length);
      batch.add(query, query);
      batch.add(query, test::mutated(random, Alphabet::dna, query, 3));
      batch.add(test::random_sequence(random, Alphabet::dna, length), query);
    }
    expect_cpu(problem, batch);
    expect_cpu(problem, batch, ScoreEngine::automatic, 20'000);
    if (HasFatalFailure()) return;
  }
}

/// Likewise in the other modes, where lengths decide beforehand.
TEST(ScorePackedRange, EndToEnd)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device to score on";
  for (const Mode mode : {Mode::global, Mode::semi_global}) {
    for (int ends = 0; ends < (mode == Mode::global ? 1 : 16); ends += 3) {
      const Problem problem =
          test::make_problem({.match = 90, .mismatch = 200, .gap_open = 150, .gap_extend = 20},
                             mode, test::free_ends(ends));
      Batch batch;
      Random random(static_cast<std::uint64_t>(ends) + 50);
      for (const std::int64_t length : {100, 150, 160, 170, 180, 190, 200, 250}) {
        const std::string query = test::random_sequence(random, Alphabet::dna, length);
        batch.add(query, query);
        batch.add(query, std::string(static_cast<std::size_t>(length), 'A'));
        batch.add(std::string(static_cast<std::size_t>(length), 'C'), query);
        batch.add(query, test::mutated(random, Alphabet::dna, query, 10));
      }
      expect_cpu(problem, batch);
      if (HasFatalFailure()) return;
    }
  }
}

/// Targets of very different lengths side by side; the kernels in turn.
TEST(ScorePackedRange, UnlikePairsAndBothEngines)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device to score on";
  for (const Mode mode : modes) {
    Batch batch;
    Random random(77);
    for (int k = 0; k < 60; ++k) {
      const std::string query =
          test::random_sequence(random, Alphabet::dna, random.between(1, 900));
      batch.add(query, test::random_sequence(random, Alphabet::dna, random.between(1, 400)));
    }
    const Problem problem = test::make_problem({}, mode, test::free_ends(9));
    expect_cpu(problem, batch);
    expect_cpu(problem, batch, ScoreEngine::wide);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace helicity
