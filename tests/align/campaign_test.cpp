// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/aligner.hpp>
#include <helicity/core/parallel.hpp>

#include "support/align_expected.hpp"
#include "support/align_isa.hpp"
#include "support/align_random.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <vector>

/// Random pairs through the public interface against the oracle: every mode, gap model, output and
/// instruction set sees HELICITY_CAMPAIGN_PAIRS pairs (5000 if unset).
namespace helicity {
namespace {

using align::Mode;
using align::Output;
using test::Letters;
using test::Random;

constexpr Output outputs[] = {Output::score, Output::end, Output::cigar};
constexpr int pairs_per_scheme = 200;

int campaign_pairs()
{
  const char* text = std::getenv("HELICITY_CAMPAIGN_PAIRS");
  return text == nullptr ? 5000 : std::max(1, std::atoi(text));
}

/// Pairs under one configuration, and what is owed for them.
struct Batch
{
  align::Config config;
  std::vector<Letters> letters;
  std::vector<align::Pair> pairs;
  std::vector<align::Alignment> full;
};

class Campaign : public testing::TestWithParam<std::tuple<Mode, bool>>
{
 protected:
  static Mode mode() { return std::get<0>(GetParam()); }
  static bool linear() { return std::get<1>(GetParam()); }

  /// Every fifth scheme is of proteins; extreme ones come up again and again.
  align::Config configuration(int index)
  {
    align::Config config;
    const bool protein = index % 5 == 4;
    config.scoring = protein ? test::protein_scheme(random_, index / 5, linear())
                             : test::dna_scheme(random_, index - index / 5, linear());
    config.mode = mode();
    config.free_ends = test::free_ends((index + 12) % 16);
    config.both_strands = !protein && index % 7 == 3;
    config.exec.device = Device::cpu;
    config.exec.threads = 1 + index % 2;
    if (index % 6 == 1) config.exec.memory = 1;  // the least that works
    if (mode() == Mode::local && align::resolve(config.scoring).max_score <= 0)
      config.scoring.match = 1;  // else there is nothing to align
    return config;
  }

  Batch make_batch(int index, int count)
  {
    Batch batch;
    batch.config = configuration(index);
    const seq::Alphabet alphabet = test::alphabet_of(batch.config.scoring);
    for (int k = 0; k < count; ++k)
      batch.letters.push_back(test::random_pair(random_, alphabet, 600));
    for (const Letters& letters : batch.letters)
      batch.pairs.push_back({letters.query, letters.target});
    batch.full.resize(batch.letters.size());
    parallel_for(0, batch.letters.size(), [&](std::size_t k, int) {
      batch.full[k] = test::expected(batch.config, batch.letters[k]);
    });
    return batch;
  }

  /// One run; stops at the first wrong pair.
  void check(const Batch& batch, Output output)
  {
    align::Config config = batch.config;
    config.output = output;
    align::Aligner aligner(config);
    const std::vector<align::Alignment> results = aligner.align(batch.pairs);
    ASSERT_EQ(results.size(), batch.pairs.size());
    for (std::size_t k = 0; k < results.size(); ++k) {
      const std::string is = test::describe(results[k]);
      const std::string owed = test::describe(test::reduced(batch.full[k], output));
      const std::string wrong =
          output == Output::cigar ? test::contradiction(config, batch.letters[k], results[k]) : "";
      ASSERT_TRUE(is == owed && wrong.empty())
          << aligner.device_name() << ", output " << static_cast<int>(output) << ", pair " << k
          << (config.both_strands ? ", both strands" : "") << ", memory " << config.exec.memory
          << '\n'
          << test::describe(test::make_problem(config.scoring, config.mode, config.free_ends))
          << '\n'
          << test::describe(batch.letters[k]) << "\nis:   " << is << "\nowed: " << owed << '\n'
          << wrong;
    }
  }

  Random random_{100 + static_cast<std::uint64_t>(std::get<0>(GetParam())) * 2 +
                 (std::get<1>(GetParam()) ? 1 : 0)};
};

TEST_P(Campaign, EqualsOracle)
{
  const int wanted = campaign_pairs();
  const std::vector<std::string> isas = test::usable_isas();
  int pairs = 0;
  for (int index = 0; pairs < wanted; ++index) {
    const Batch batch = make_batch(index, std::min(pairs_per_scheme, wanted - pairs));
    SCOPED_TRACE(fmt::format("scheme {}", index));
    for (const std::string& isa : isas) {
      const test::IsaLimit limit(isa);
      for (const Output output : outputs) {
        check(batch, output);
        if (HasFatalFailure()) return;
      }
    }
    pairs += static_cast<int>(batch.pairs.size());
  }
  std::printf("[   PAIRS  ] %d, each with %zu outputs and %zu instruction sets\n", pairs,
              std::size(outputs), isas.size());
}

std::string campaign_name(const testing::TestParamInfo<std::tuple<Mode, bool>>& parameter)
{
  const char* const modes[] = {"global", "local", "semi_global"};
  return fmt::format("{}_{}", modes[static_cast<int>(std::get<0>(parameter.param))],
                     std::get<1>(parameter.param) ? "linear" : "affine");
}

INSTANTIATE_TEST_SUITE_P(Modes, Campaign,
                         testing::Combine(testing::Values(Mode::global, Mode::local,
                                                          Mode::semi_global),
                                          testing::Bool()),
                         campaign_name);

}  // namespace
}  // namespace helicity
