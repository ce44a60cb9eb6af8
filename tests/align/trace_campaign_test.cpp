// SPDX-License-Identifier: Apache-2.0
#include "trace_support.hpp"

#include <helicity/align/aligner.hpp>
#include <helicity/core/device.hpp>

#include "support/align_expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>

/// Random pairs on the device against the CPU: HELICITY_TRACE_PAIRS (120 if unset) for every mode,
/// gap model and alphabet, as paths and through the public interface.
namespace helicity {
namespace {

using align::Alignment;
using align::Mode;
using align::Path;
using align::Problem;
using seq::Alphabet;
using test::Random;
using test::random_sequence;
using test::Traced;
using test::TracePairs;

constexpr int pairs_per_scheme = 50;
constexpr std::size_t mebibyte = std::size_t{1} << 20;

int campaign_pairs()
{
  const char* text = std::getenv("HELICITY_TRACE_PAIRS");
  return text == nullptr ? 120 : std::max(1, std::atoi(text));
}

class TraceCampaign : public testing::TestWithParam<std::tuple<Mode, bool, Alphabet>>
{
 protected:
  void SetUp() override
  {
    if (const auto problem = device_problem(0); !problem.empty())
      GTEST_SKIP() << "no CUDA device to align on: " << problem;
  }

  static Mode mode() { return std::get<0>(GetParam()); }
  static bool linear() { return std::get<1>(GetParam()); }
  static Alphabet alphabet() { return std::get<2>(GetParam()); }

  align::Config configuration(int index)
  {
    align::Config config;
    config.scoring = alphabet() == Alphabet::protein
                         ? test::protein_scheme(random_, index, linear())
                         : test::dna_scheme(random_, index, linear());
    config.mode = mode();
    config.free_ends = test::free_ends((5 * index + 12) % 16);
    config.both_strands = alphabet() == Alphabet::dna && index % 7 == 3;
    config.exec.threads = 2;
    if (mode() == Mode::local && align::resolve(config.scoring).max_score <= 0)
      config.scoring.match = 1;  // else there is nothing to align
    return config;
  }

  void check_paths(const align::Config& config, const TracePairs& batch, std::size_t memory)
  {
    const Problem problem = test::make_problem(config.scoring, config.mode, config.free_ends);
    const auto expected = test::cpu_paths(problem, batch.pairs);
    const Traced traced = test::trace(problem, batch.pairs, expected, memory);
    ASSERT_EQ(test::expect_same_paths(problem, batch, expected, traced), batch.pairs.size());
  }

  static std::vector<Alignment> run(align::Config config, const TracePairs& batch, Device device)
  {
    config.exec.device = device;
    std::vector<align::Pair> pairs;
    for (const test::Letters& pair : batch.letters) pairs.push_back({pair.query, pair.target});
    return align::Aligner(config).align(pairs);
  }

  void check_alignments(const align::Config& config, const TracePairs& batch)
  {
    const auto owed = run(config, batch, Device::cpu);
    const auto is = run(config, batch, Device::cuda);
    for (std::size_t k = 0; k < owed.size(); ++k) {
      ASSERT_EQ(test::describe(is[k]), test::describe(owed[k])) << "pair " << k << '\n'
                                                                << test::describe(batch.letters[k]);
    }
  }

  Random random_{700 + static_cast<std::uint64_t>(std::get<0>(GetParam())) * 4 +
                 (std::get<1>(GetParam()) ? 2 : 0) +
                 (std::get<2>(GetParam()) == Alphabet::protein ? 1 : 0)};
};

TEST_P(TraceCampaign, EqualsCpu)
{
  const int wanted = campaign_pairs();
  int pairs = 0;
  for (int index = 0; pairs < wanted; ++index) {
    SCOPED_TRACE(fmt::format("scheme {}", index));
    align::Config config = configuration(index);
    const int count = std::min(pairs_per_scheme, wanted - pairs);
    const std::int64_t longest = index % 10 == 5 ? 2000 : 500;
    const TracePairs batch = test::random_pairs(random_, alphabet(), count, longest);
    check_paths(config, batch, index % 4 == 1 ? 2 * mebibyte : 0);
    if (index % 3 == 0) config.exec.memory = 256 << 10;
    check_alignments(config, batch);
    if (HasFailure()) return;
    pairs += count;
  }
  std::printf("[   PAIRS  ] %d\n", pairs);
}

/// Two levels of tiles; 10 kb if the campaign is a long one.
TEST_P(TraceCampaign, LongPairs)
{
  const bool full = campaign_pairs() >= 5000;
  const std::int64_t lengths[] = {2600, full ? 10'000 : 3000};
  for (const std::int64_t length : lengths) {
    const align::Config config = configuration(length > 2600 ? 0 : 1);
    TracePairs batch;
    const std::string query = random_sequence(random_, alphabet(), length);
    const std::string insert = random_sequence(random_, alphabet(), 700);
    const std::string near = test::mutated(random_, alphabet(), query, 12);
    batch.add({query, near}, alphabet());
    if (full || length == 2600)
      batch.add({near.substr(0, 1500) + insert + near.substr(1500), query}, alphabet());
    check_paths(config, batch, length > 2600 ? 0 : 8 * mebibyte);
    if (HasFailure()) return;
  }
}

std::string campaign_name(const testing::TestParamInfo<std::tuple<Mode, bool, Alphabet>>& parameter)
{
  const char* const modes[] = {"global", "local", "semi_global"};
  return fmt::format("{}_{}_{}", modes[static_cast<int>(std::get<0>(parameter.param))],
                     std::get<1>(parameter.param) ? "linear" : "affine",
                     std::get<2>(parameter.param) == Alphabet::dna ? "dna" : "protein");
}

INSTANTIATE_TEST_SUITE_P(
    Modes, TraceCampaign,
    testing::Combine(testing::Values(Mode::global, Mode::local, Mode::semi_global), testing::Bool(),
                     testing::Values(Alphabet::dna, Alphabet::protein)),
    campaign_name);

}  // namespace
}  // namespace helicity
