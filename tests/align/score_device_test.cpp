// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/device_batch.hpp>
#include <helicity/align/strip.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/memory.hpp>
#include <helicity/core/stream.hpp>

#include "support/align_random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace helicity {
namespace {

using align::CodePair;
using align::DeviceEnds;
using align::DeviceLimits;
using align::DeviceSequences;
using align::DeviceStatus;
using align::EndCell;
using align::Mode;
using align::Problem;
using seq::Alphabet;
using test::Codes;
using test::Letters;
using test::Random;

template <class T>
Buffer<T> uploaded(const std::vector<T>& values, Cuda exec)
{
  Buffer<T> buffer(MemoryKind::device, std::max<std::size_t>(values.size(), 1), exec);
  copy_bytes(buffer.data(), values.data(), values.size() * sizeof(T), exec);
  return buffer;
}

template <class T>
std::vector<T> downloaded(const Buffer<T>& buffer, std::size_t size, Cuda exec)
{
  std::vector<T> values(size);
  copy_bytes(values.data(), buffer.data(), size * sizeof(T), exec);
  return values;
}

/// Sequences one after the other, as a CUDA program may have them.
struct Sequences
{
  std::vector<std::uint8_t> codes;
  std::vector<std::uint64_t> offsets;
  std::vector<std::int32_t> lengths;

  void add(const std::uint8_t* letters, std::int64_t length)
  {
    offsets.push_back(codes.size());
    lengths.push_back(static_cast<std::int32_t>(length));
    codes.insert(codes.end(), letters, letters + length);
  }
};

struct OnDevice
{
  Buffer<std::uint8_t> codes;
  Buffer<std::uint64_t> offsets;
  Buffer<std::int32_t> lengths;

  OnDevice(const Sequences& all, Cuda exec)
      : codes(uploaded(all.codes, exec)),
        offsets(uploaded(all.offsets, exec)),
        lengths(uploaded(all.lengths, exec))
  {}
  DeviceSequences view() const { return {codes.data(), offsets.data(), lengths.data()}; }
};

struct Results
{
  std::vector<EndCell> ends;
  std::vector<DeviceStatus> status;
};

Results scored(const Problem& problem, const std::vector<CodePair>& pairs, DeviceLimits limits)
{
  const Stream stream(0);
  const Cuda exec = stream.exec();
  Sequences queries, targets;
  for (const CodePair& pair : pairs) {
    queries.add(pair.query, pair.query_length);
    targets.add(pair.target, pair.target_length);
  }
  const OnDevice query_arrays(queries, exec), target_arrays(targets, exec);
  const std::size_t size = pairs.size(), some = std::max<std::size_t>(size, 1);
  limits.pairs = static_cast<std::int32_t>(size);
  Buffer<std::int32_t> score(MemoryKind::device, some, exec),
      query_end(MemoryKind::device, some, exec), target_end(MemoryKind::device, some, exec);
  Buffer<DeviceStatus> status(MemoryKind::device, some, exec);
  const std::size_t bytes = align::device_workspace_bytes(exec, limits);
  Buffer<std::byte> workspace(MemoryKind::device, bytes, exec);
  align::score_device_batch(exec, problem, query_arrays.view(), target_arrays.view(), limits,
                            {score.data(), query_end.data(), target_end.data(), status.data()},
                            workspace.data(), bytes);
  const auto scores = downloaded(score, size, exec);
  const auto query_ends = downloaded(query_end, size, exec);
  const auto target_ends = downloaded(target_end, size, exec);
  Results results{{}, downloaded(status, size, exec)};
  stream.synchronize();
  for (std::size_t k = 0; k < size; ++k)
    results.ends.push_back({scores[k], query_ends[k], target_ends[k]});
  return results;
}

std::string text(const EndCell& end)
{
  return std::to_string(end.score) + " at " + std::to_string(end.query_end) + ", " +
         std::to_string(end.target_end);
}

class ScoreDevice : public testing::Test
{
 protected:
  void SetUp() override
  {
    if (const auto problem = device_problem(0); !problem.empty())
      GTEST_SKIP() << "no CUDA device to score on: " << problem;
  }

  void expect_cpu(const Problem& problem)
  {
    const Results found = scored(problem, pairs, {0, 2000, 2000});
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const CodePair& pair = pairs[k];
      ASSERT_EQ(found.status[k], DeviceStatus::ok) << k;
      if (pair.query_length == 0 || pair.target_length == 0) continue;
      ASSERT_EQ(text(found.ends[k]), text(align::align_strip_end(problem, pair)))
          << test::describe(problem) << '\n'
          << test::describe(letters[k]);
    }
  }

  void add(Letters pair, Alphabet alphabet)
  {
    codes.emplace_back(pair, alphabet);
    pairs.push_back(codes.back().pair());
    letters.push_back(std::move(pair));
  }

  std::vector<Letters> letters;
  std::vector<Codes> codes;
  std::vector<CodePair> pairs;
};

TEST_F(ScoreDevice, EqualsTheCpu)
{
  Random random(11);
  for (int k = 0; k < 70; ++k) add(test::random_pair(random, Alphabet::dna, 400), Alphabet::dna);
  for (const std::int64_t length : {600, 800, 1300, 1900}) {
    const std::string query = test::random_sequence(random, Alphabet::dna, length);
    add({query, test::mutated(random, Alphabet::dna, query, 10).substr(0, 2000)}, Alphabet::dna);
  }
  for (const Mode mode : {Mode::global, Mode::local, Mode::semi_global})
    for (const int scheme : {0, 3, 9, 16})
      expect_cpu(
          test::make_problem(test::dna_scheme(random, scheme, false), mode, test::free_ends(6)));
}

/// Local scores that 16 bits do not hold are computed once more, on the device too.
TEST_F(ScoreDevice, RunsOverflowsAgain)
{
  Random random(12);
  for (const std::int64_t length : {30, 40, 200, 900}) {
    const std::string query = test::random_sequence(random, Alphabet::dna, length);
    add({query, query}, Alphabet::dna);
    add({query, test::mutated(random, Alphabet::dna, query, 10)}, Alphabet::dna);
  }
  expect_cpu(test::make_problem(
      {.match = 1000, .mismatch = 900, .gap_open = 2000, .gap_extend = 500}, Mode::local, {}));
}

TEST_F(ScoreDevice, Protein)
{
  Random random(13);
  for (int k = 0; k < 30; ++k)
    add(test::random_pair(random, Alphabet::protein, 300), Alphabet::protein);
  expect_cpu(test::make_problem(test::protein_scheme(random, 0, false), Mode::local, {}));
}

TEST_F(ScoreDevice, SaysWhatItDidNotDo)
{
  add({"ACGT", "ACGT"}, Alphabet::dna);
  add({"ACGTA", "ACGT"}, Alphabet::dna);
  add({"", "ACG"}, Alphabet::dna);
  add({"A", "ACGTACG"}, Alphabet::dna);
  const Problem problem = test::make_problem({}, Mode::global, {});
  const Results found = scored(problem, pairs, {0, 4, 6});
  EXPECT_EQ(found.status, (std::vector{DeviceStatus::ok, DeviceStatus::too_long, DeviceStatus::ok,
                                       DeviceStatus::too_long}));
  EXPECT_EQ(text(found.ends[0]), "8 at 4, 4");
  EXPECT_EQ(text(found.ends[2]), "-10 at 0, 3");
  EXPECT_TRUE(scored(problem, {}, {0, 4, 6}).ends.empty());
}

TEST_F(ScoreDevice, AsksForItsWorkspace)
{
  const DeviceLimits limits{100, 50, 50};
  const std::size_t bytes = align::device_workspace_bytes(Cuda{}, limits);
  EXPECT_GT(bytes, 100U);
  EXPECT_THROW(align::score_device_batch(Cuda{}, test::make_problem({}, Mode::local, {}), {}, {},
                                         limits, {}, nullptr, bytes - 1),
               UsageError);
  EXPECT_THROW(align::device_workspace_bytes(Cuda{}, {-1, 0, 0}), UsageError);
}

}  // namespace
}  // namespace helicity
