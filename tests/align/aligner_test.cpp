// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/aligner.hpp>
#include <helicity/core/error.hpp>
#include <helicity/seq/matrix.hpp>

#include "support/align_expected.hpp"
#include "support/align_random.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

namespace helicity {
namespace {

using align::Alignment;
using align::Config;
using align::Mode;
using align::Output;
using align::Pair;
using align::Status;
using test::Letters;
using test::Random;

constexpr Mode modes[] = {Mode::global, Mode::local, Mode::semi_global};

Config cpu(Mode mode = Mode::global, Output output = Output::cigar)
{
  Config config;
  config.mode = mode;
  config.output = output;
  config.exec.device = Device::cpu;
  config.exec.threads = 1;
  return config;
}

std::vector<std::string> as_text(const std::vector<Alignment>& alignments)
{
  std::vector<std::string> text;
  for (const Alignment& alignment : alignments) text.push_back(test::describe(alignment));
  return text;
}

std::string one(const Config& config, const std::string& query, const std::string& target)
{
  align::Aligner aligner(config);
  const Pair pair{query, target};
  return test::describe(aligner.align({&pair, 1}).at(0));
}

struct Batch
{
  std::vector<Letters> letters;
  std::vector<Pair> pairs;
};

std::vector<Pair> views(const std::vector<Letters>& letters)
{
  std::vector<Pair> pairs;
  for (const Letters& pair : letters) pairs.push_back({pair.query, pair.target});
  return pairs;
}

Batch random_batch(std::uint64_t seed, int count, std::int64_t longest)
{
  Random random(seed);
  Batch batch;
  for (int k = 0; k < count; ++k)
    batch.letters.push_back(test::random_pair(random, seq::Alphabet::dna, longest));
  batch.pairs = views(batch.letters);
  return batch;
}

std::string usage_error(const Config& config)
{
  try {
    const align::Aligner aligner(config);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Aligner, SnippetOfTheStyleGuide)
{
  namespace ha = helicity::align;
  std::ostringstream out;
  ha::Config config;
  config.scoring = {.match = 2, .mismatch = 4, .gap_open = 4, .gap_extend = 2};
  config.exec.device = helicity::Device::automatic;  // a GPU if one answers

  ha::Aligner aligner(config);
  const std::vector<ha::Pair> pairs{{"GATTACA", "GATTTACA"}, {"ACGT", "AGT"}};
  for (const std::int64_t score : aligner.score(pairs)) out << score << '\n';
  EXPECT_EQ(out.str(), "8\n0\n");
}

/// Small cases that other libraries got wrong (shared/pains.md, P1 to P17).
TEST(Aligner, KnownTraps)
{
  const auto semi = [](int free) {
    Config config = cpu(Mode::semi_global);
    config.free_ends = test::free_ends(free);
    return config;
  };
  EXPECT_EQ(one(cpu(Mode::local), "T", "TT"), "ok score 2 query [0, 1) target [0, 1) forward 1=");
  EXPECT_EQ(one(cpu(Mode::local), "G", "TC"),
            "unaligned score 0 query [0, 0) target [0, 0) forward *");
  EXPECT_EQ(one(cpu(Mode::local), "A", "CA"), "ok score 2 query [0, 1) target [1, 2) forward 1=");
  EXPECT_EQ(one(semi(12), "GAAT", "AGAATA"), "ok score 8 query [0, 4) target [1, 5) forward 4=");
  EXPECT_EQ(one(semi(12), "A", "TCTGCGA"), "ok score 2 query [0, 1) target [6, 7) forward 1=");
  EXPECT_EQ(one(semi(12), "GT", "GTC"), "ok score 4 query [0, 2) target [0, 2) forward 2=");
  EXPECT_EQ(one(cpu(), "acgt", "ACGT"), "ok score 8 query [0, 4) target [0, 4) forward 4=");
  EXPECT_EQ(one(cpu(), "ACGU", "acgt"), "ok score 8 query [0, 4) target [0, 4) forward 4=");
  EXPECT_EQ(one(cpu(), "ANA", "ANA"), "ok score 0 query [0, 3) target [0, 3) forward 1=1X1=");
  EXPECT_EQ(one(cpu(), "ARA", "ARA"), "ok score 0 query [0, 3) target [0, 3) forward 1=1X1=");
  Config gap = cpu();
  gap.scoring = {.match = 3, .mismatch = 5, .gap_open = 1, .gap_extend = 1};
  const std::string tail = "TACGATCGATTAGCAGGATCCAT";
  EXPECT_EQ(one(gap, "G" + tail, "GC" + tail),
            "ok score 70 query [0, 24) target [0, 25) forward 1=1D23=");
}

TEST(Aligner, EmptySequences)
{
  for (const Mode mode : modes) {
    EXPECT_EQ(one(cpu(mode), "", ""), "unaligned score 0 query [0, 0) target [0, 0) forward *");
  }
  EXPECT_EQ(one(cpu(), "", "ACG"), "ok score -10 query [0, 0) target [0, 3) forward 3D");
  EXPECT_EQ(one(cpu(), "ACG", ""), "ok score -10 query [0, 3) target [0, 0) forward 3I");
  EXPECT_EQ(one(cpu(Mode::semi_global), "ACG", ""),
            "ok score -10 query [0, 3) target [0, 0) forward 3I");
  EXPECT_EQ(one(cpu(Mode::semi_global), "", "ACG"),
            "ok score 0 query [0, 0) target [0, 0) forward *");
  align::Aligner aligner(cpu());
  EXPECT_TRUE(aligner.align({}).empty());
  EXPECT_TRUE(aligner.score({}).empty());
}

/// Lengths 0, 1 and 2 on either side, all free ends, all outputs.
TEST(Aligner, TinyLengths)
{
  std::vector<Letters> letters;
  for (const char* query : {"", "A", "C", "AC", "CA", "N"})
    for (const char* target : {"", "A", "AC", "AA", "N", "TT"}) letters.push_back({query, target});
  const std::vector<Pair> pairs = views(letters);
  for (const Mode mode : modes)
    for (int free = 0; free < (mode == Mode::semi_global ? 16 : 1); ++free)
      for (const bool strands : {false, true})
        for (const Output output : {Output::score, Output::end, Output::cigar}) {
          Config config = cpu(mode, output);
          config.free_ends = test::free_ends(free);
          config.both_strands = strands;
          align::Aligner aligner(config);
          const std::vector<Alignment> results = aligner.align(pairs);
          for (std::size_t k = 0; k < pairs.size(); ++k)
            ASSERT_EQ(test::describe(results[k]),
                      test::describe(test::reduced(test::expected(config, letters[k]), output)))
                << test::describe(letters[k]) << " mode " << static_cast<int>(mode) << " free "
                << free;
        }
}

TEST(Aligner, SameBitsWhateverTheThreads)
{
  const Batch batch = random_batch(11, 3000, 300);
  for (const Mode mode : modes) {
    Config config = cpu(mode);
    const std::vector<std::string> once = as_text(align::Aligner(config).align(batch.pairs));
    for (const int threads : {2, 3, 4, 0}) {
      config.exec.threads = threads;
      EXPECT_EQ(as_text(align::Aligner(config).align(batch.pairs)), once) << threads;
    }
  }
}

TEST(Aligner, SameBitsWhateverTheBatch)
{
  const Batch batch = random_batch(12, 1200, 300);
  for (const Mode mode : modes) {
    align::Aligner aligner(cpu(mode));
    const std::vector<std::string> once = as_text(aligner.align(batch.pairs));
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{500}}) {
      std::vector<std::string> portions;
      for (std::size_t begin = 0; begin < batch.pairs.size(); begin += size) {
        const std::size_t count = std::min(size, batch.pairs.size() - begin);
        for (std::string& text :
             as_text(aligner.align(std::span(batch.pairs).subspan(begin, count))))
          portions.push_back(std::move(text));
      }
      EXPECT_EQ(portions, once) << size;
    }
    std::vector<Pair> backwards(batch.pairs.rbegin(), batch.pairs.rend());
    std::vector<std::string> reversed = as_text(aligner.align(backwards));
    std::reverse(reversed.begin(), reversed.end());
    EXPECT_EQ(reversed, once);
  }
}

TEST(Aligner, SameBitsWhateverTheMemory)
{
  const Batch batch = random_batch(13, 300, 2500);
  for (const Mode mode : modes) {
    Config config = cpu(mode);
    config.exec.threads = 2;
    const std::vector<std::string> once = as_text(align::Aligner(config).align(batch.pairs));
    for (const std::size_t memory :
         {std::size_t{1}, std::size_t{1} << 16, std::size_t{1} << 22, std::size_t{1} << 32})
    {
      config.exec.memory = memory;
      EXPECT_EQ(as_text(align::Aligner(config).align(batch.pairs)), once) << memory;
    }
  }
}

TEST(Aligner, NothingStaysBehindBetweenCalls)
{
  const Batch one_batch = random_batch(14, 300, 600);
  const Batch other_batch = random_batch(15, 20, 60);
  align::Aligner aligner(cpu(Mode::local));
  const std::vector<std::string> first = as_text(aligner.align(one_batch.pairs));
  const std::vector<std::string> second = as_text(aligner.align(other_batch.pairs));
  EXPECT_EQ(as_text(align::Aligner(cpu(Mode::local)).align(other_batch.pairs)), second);
  EXPECT_EQ(as_text(aligner.align(one_batch.pairs)), first);
}

TEST(Aligner, ScoreEqualsTheScoreOfAlign)
{
  const Batch batch = random_batch(16, 500, 300);
  for (const Mode mode : modes)
    for (const Output output : {Output::score, Output::end, Output::cigar}) {
      align::Aligner aligner(cpu(mode, output));
      const std::vector<std::int64_t> scores = aligner.score(batch.pairs);
      const std::vector<Alignment> alignments = aligner.align(batch.pairs);
      ASSERT_EQ(scores.size(), alignments.size());
      for (std::size_t k = 0; k < scores.size(); ++k) ASSERT_EQ(scores[k], alignments[k].score);
    }
}

TEST(Aligner, BothStrands)
{
  Config config = cpu(Mode::semi_global);
  config.both_strands = true;
  EXPECT_EQ(one(config, "GGTTT", "CCAAACCAT"), "ok score 10 query [0, 5) target [2, 7) reverse 5=");
  EXPECT_EQ(one(config, "ACGT", "TTACGTTT"),  // its own reverse complement: forward
            "ok score 8 query [0, 4) target [2, 6) forward 4=");
  config.mode = Mode::local;
  EXPECT_EQ(one(config, "CCCCCGTTTA", "CTAAACCCCA"),  // forward CCCC scores 8, reverse TAAAC 10
            "ok score 10 query [5, 10) target [1, 6) reverse 5=");
  const Batch batch = random_batch(17, 400, 120);
  for (const Mode mode : modes)
    for (const Output output : {Output::score, Output::end, Output::cigar}) {
      config.mode = mode;
      config.output = output;
      align::Aligner aligner(config);
      const std::vector<Alignment> results = aligner.align(batch.pairs);
      for (std::size_t k = 0; k < results.size(); ++k)
        ASSERT_EQ(test::describe(results[k]),
                  test::describe(test::reduced(test::expected(config, batch.letters[k]), output)))
            << test::describe(batch.letters[k]);
    }
}

TEST(Aligner, ABadItemDoesNotDisturbTheOthers)
{
  const Batch good = random_batch(18, 200, 100);
  std::vector<Pair> mixed;
  for (std::size_t k = 0; k < good.pairs.size(); ++k) {
    mixed.push_back(good.pairs[k]);
    switch (k % 4) {
      case 0: mixed.push_back({"ACGT-ACGT", "ACGT"}); break;
      case 1: mixed.push_back({"ACGT", "AC GT"}); break;
      case 2: mixed.push_back({std::string_view("AC\0GT", 5), "ACGT"}); break;
      default: mixed.push_back({"ACE", "\xff\xfe"}); break;
    }
  }
  for (const bool strands : {false, true}) {
    Config config = cpu(Mode::semi_global);
    config.both_strands = strands;
    align::Aligner aligner(config);
    const std::vector<std::string> clean = as_text(aligner.align(good.pairs));
    const std::vector<Alignment> results = aligner.align(mixed);
    const std::vector<std::int64_t> scores = aligner.score(mixed);
    for (std::size_t k = 0; k < good.pairs.size(); ++k) {
      EXPECT_EQ(test::describe(results[2 * k]), clean[k]);
      EXPECT_EQ(test::describe(results[2 * k + 1]),
                "invalid_letter score 0 query [-1, -1) target [-1, -1) forward *");
      EXPECT_EQ(scores[2 * k + 1], 0);
    }
  }
}

TEST(Aligner, TooLongIsAStatus)
{
  constexpr std::size_t size = std::size_t{1} << 31;
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no 2 GiB of address space";
  const std::string_view letters(static_cast<const char*>(memory), size);
  const std::vector<Pair> pairs{{"ACGT", letters}, {letters, "ACGT"}, {"ACGT", "ACGT"}};
  align::Aligner aligner(cpu());
  const std::vector<Alignment> results = aligner.align(pairs);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
    EXPECT_EQ(test::describe(results[k]),
              "too_long score 0 query [-1, -1) target [-1, -1) forward *");
  EXPECT_EQ(test::describe(results[2]), "ok score 8 query [0, 4) target [0, 4) forward 4=");
  munmap(memory, size);
}

TEST(Aligner, Protein)
{
  Config config = cpu(Mode::local);
  config.scoring.gap_open = 10;
  config.scoring.gap_extend = 1;
  config.scoring.matrix = std::make_shared<const seq::Matrix>(seq::Matrix::named("BLOSUM62"));
  EXPECT_EQ(one(config, "MKVLAW", "aamkvlawaa"),
            "ok score 33 query [0, 6) target [2, 8) forward 6=");
  EXPECT_EQ(one(config, "WXW", "WXW"), "ok score 21 query [0, 3) target [0, 3) forward 1=1X1=");
  EXPECT_EQ(one(config, "MK1", "MK"),
            "invalid_letter score 0 query [-1, -1) target [-1, -1) forward *");
}

TEST(Aligner, LongerThanNarrowScores)
{
  Random random(19);
  const std::string genome = test::random_sequence(random, seq::Alphabet::dna, 20000);
  for (const Mode mode : modes)
    EXPECT_EQ(one(cpu(mode), genome, genome),
              "ok score 40000 query [0, 20000) target [0, 20000) forward 20000=");
  // A gap of 600 in 10 thousand: heuristics lose it.
  const std::string query = genome.substr(0, 5000) + genome.substr(5600, 4400);
  const std::string target = genome.substr(0, 10000);
  const std::string found = one(cpu(), query, target);
  EXPECT_EQ(found.substr(0, 56), "ok score 17596 query [0, 9400) target [0, 10000) forward");
  EXPECT_NE(found.find("600D"), std::string::npos) << found;
  // One letter beside 17 thousand.
  const std::vector<Pair> pairs{{"A", "A"}, {genome, genome}, {"A", genome}};
  align::Aligner aligner(cpu(Mode::local));
  EXPECT_EQ(aligner.score(pairs), (std::vector<std::int64_t>{2, 40000, 2}));
  // A target past what lanes number.
  std::string wide;
  for (int k = 0; k < 8; ++k) wide += test::random_sequence(random, seq::Alphabet::dna, 10000);
  wide += genome.substr(0, 500);
  EXPECT_EQ(one(cpu(Mode::semi_global), genome.substr(0, 500), wide),
            "ok score 1000 query [0, 500) target [80000, 80500) forward 500=");
}

TEST(Aligner, ExtremeScores)
{
  for (const Mode mode : modes) {
    Config config = cpu(mode);
    config.scoring = {.match = 30000, .mismatch = 30000, .gap_open = 30000, .gap_extend = 30000};
    const std::string sequence(100000, 'C');  // 3 * 10^9: past 32 bits
    EXPECT_EQ(one(config, sequence, sequence),
              "ok score 3000000000 query [0, 100000) target [0, 100000) forward 100000=");
  }
}

/// Scores far from 0 on the borders, where no letter ever gains anything, or each does.
TEST(Aligner, ExtremeScoresOnLongBorders)
{
  Random random(22);
  const std::string longer = test::random_sequence(random, seq::Alphabet::dna, 40000);
  const std::string shorter = test::random_sequence(random, seq::Alphabet::dna, 20);
  const std::vector<Letters> letters{
      {longer, shorter}, {shorter, longer}, {longer.substr(0, 26), shorter}};
  const std::vector<Pair> pairs = views(letters);
  const align::Scoring schemes[] = {
      {.match = -19473, .mismatch = 4757, .gap_open = 0, .gap_extend = 1261},
      {.match = -30000, .mismatch = 30000, .gap_open = 30000, .gap_extend = 30000},
      {.match = 30000, .mismatch = -30000, .gap_open = 0, .gap_extend = 30000},
      {.match = 30000, .mismatch = 30000, .gap_open = 30000, .gap_extend = 0}};
  for (const align::Scoring& scheme : schemes)
    for (int free = 0; free < 16; ++free) {
      Config config = cpu(Mode::semi_global);
      config.scoring = scheme;
      config.free_ends = test::free_ends(free);
      align::Aligner aligner(config);
      const std::vector<Alignment> results = aligner.align(pairs);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const Alignment owed = test::expected(config, letters[k]);
        ASSERT_EQ(results[k].score, owed.score) << "free " << free << " pair " << k;
        ASSERT_TRUE(test::describe(results[k]) == test::describe(owed))
            << "free " << free << " pair " << k;
      }
    }
}

TEST(Aligner, MovesLikeAValue)
{
  align::Aligner first(cpu(Mode::local));
  align::Aligner second(std::move(first));
  const Pair pair{"ACGT", "ACGT"};
  EXPECT_EQ(second.score({&pair, 1}).at(0), 8);
  align::Aligner third(cpu());
  third = std::move(second);
  EXPECT_EQ(third.score({&pair, 1}).at(0), 8);
  EXPECT_EQ(third.config().mode, Mode::local);
}

TEST(Aligner, TwoObjectsInTwoThreads)
{
  const Batch batch = random_batch(20, 500, 200);
  const std::vector<std::string> once = as_text(align::Aligner(cpu()).align(batch.pairs));
  std::vector<std::vector<std::string>> results(2);
  std::vector<std::thread> threads;
  for (std::vector<std::string>& result : results)
    threads.emplace_back([&batch, &result] {
      Config config = cpu();
      config.exec.threads = 2;
      align::Aligner aligner(config);
      for (int k = 0; k < 3; ++k) result = as_text(aligner.align(batch.pairs));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(results[0], once);
  EXPECT_EQ(results[1], once);
}

TEST(Aligner, SharedTargets)
{
  Random random(21);
  const std::string genome = test::random_sequence(random, seq::Alphabet::dna, 3000);
  std::vector<std::string> reads;
  for (int k = 0; k < 100; ++k)
    reads.push_back(test::mutated(random, seq::Alphabet::dna,
                                  genome.substr(static_cast<std::size_t>(k * 20), 100), 5));
  std::vector<Pair> shared;
  std::vector<Pair> parts;  // same begin, other length
  for (const std::string& read : reads) {
    shared.push_back({read, genome});
    parts.push_back({read, std::string_view(genome).substr(0, 600 + read.size() * 7)});
  }
  align::Aligner aligner(cpu(Mode::semi_global));
  for (const std::vector<Pair>& pairs : {shared, parts}) {
    const std::vector<Alignment> results = aligner.align(pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k)
      ASSERT_EQ(
          test::describe(results[k]),
          test::describe(test::expected(cpu(Mode::semi_global), {std::string(pairs[k].query),
                                                                 std::string(pairs[k].target)})));
  }
  const std::string bad = genome + '!';
  const std::vector<Pair> pairs{{reads[0], bad}, {reads[1], bad}, {reads[2], genome}};
  const std::vector<Alignment> results = aligner.align(pairs);
  EXPECT_EQ(std::string(to_string(results[0].status)) + ' ' + to_string(results[1].status) + ' ' +
                to_string(results[2].status),
            "invalid_letter invalid_letter ok");
}

TEST(Aligner, Counters)
{
  align::Aligner aligner(cpu());
  const std::vector<Pair> pairs{{"ACGT", "AC"}, {"AC", "ACG"}, {"", "A"}};
  aligner.align(pairs);
  EXPECT_EQ(aligner.counters().pairs, 3);
  EXPECT_EQ(aligner.counters().cells, 8 + 6);
  aligner.score(pairs);
  EXPECT_EQ(aligner.counters().pairs, 6);
  EXPECT_EQ(aligner.counters().cells, 28);
  Config config = cpu();
  config.both_strands = true;
  align::Aligner both(config);
  both.align(pairs);
  EXPECT_EQ(both.counters().cells, 28);
}

TEST(Aligner, MisuseIsAUsageError)
{
  Config config = cpu();
  EXPECT_EQ(usage_error(config), "");
  config.scoring.gap_open = -1;
  EXPECT_NE(usage_error(config).find("gap_open"), std::string::npos);
  config = cpu();
  config.exec.threads = -1;
  EXPECT_NE(usage_error(config), "");
  config = cpu(Mode::local);
  config.scoring.match = 0;
  EXPECT_NE(usage_error(config), "");
  config = cpu();
  config.both_strands = true;
  config.scoring.matrix = std::make_shared<const seq::Matrix>(seq::Matrix::named("BLOSUM62"));
  EXPECT_NE(usage_error(config), "");
}

TEST(Aligner, SaysNothing)
{
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  align::Aligner aligner(cpu());
  aligner.align(std::vector<Pair>{{"A", "A"}, {"", ""}, {"!", "A"}});
  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(aligner.device_name().substr(0, 5), "cpu (");
}

}  // namespace
}  // namespace helicity
