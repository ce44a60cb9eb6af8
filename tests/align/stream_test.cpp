// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/stream.hpp>
#include <helicity/core/error.hpp>

#include "support/align_expected.hpp"
#include "support/align_random.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace helicity {
namespace {

using align::Alignment;
using align::OwnedPair;
using align::Stream;
using align::StreamOptions;
using namespace std::chrono_literals;

align::Config cpu()
{
  align::Config config;
  config.mode = align::Mode::semi_global;
  config.exec.device = Device::cpu;
  config.exec.threads = 1;
  return config;
}

void ignore(const OwnedPair&, const Alignment&) {}

bool soon(const std::function<bool()>& happened)
{
  for (int k = 0; k < 1000 && !happened(); ++k) std::this_thread::sleep_for(5ms);
  return happened();
}

class Streams : public testing::TestWithParam<StreamOptions>
{};

TEST_P(Streams, DeliversInOrderWhatAlignGives)
{
  test::Random random(31);
  std::vector<OwnedPair> pairs;
  std::vector<align::Pair> views;
  for (int k = 0; k < 1000; ++k) {
    test::Letters letters = test::random_pair(random, seq::Alphabet::dna, 100);
    pairs.push_back({letters.query, letters.target, 7000 + k});
  }
  for (const OwnedPair& pair : pairs) views.push_back({pair.query, pair.target});
  align::Aligner aligner(cpu());
  const std::vector<Alignment> owed = aligner.align(views);

  std::size_t delivered = 0;
  std::thread::id worker;
  Stream stream(
      aligner,
      [&](const OwnedPair& pair, const Alignment& alignment) {
        ASSERT_LT(delivered, pairs.size());
        EXPECT_EQ(pair.tag, 7000 + static_cast<std::int64_t>(delivered));
        EXPECT_EQ(pair.query, pairs[delivered].query);
        EXPECT_EQ(pair.target, pairs[delivered].target);
        EXPECT_EQ(test::describe(alignment), test::describe(owed[delivered]));
        if (delivered++ == 0) worker = std::this_thread::get_id();
        EXPECT_EQ(worker, std::this_thread::get_id());
      },
      GetParam());
  for (const OwnedPair& pair : pairs) stream.push(pair);
  stream.finish();
  EXPECT_EQ(delivered, pairs.size());
  EXPECT_NE(worker, std::this_thread::get_id());
}

INSTANTIATE_TEST_SUITE_P(Options, Streams,
                         testing::Values(StreamOptions{}, StreamOptions{1, 65536, 1},
                                         StreamOptions{1000, 65536, 2},
                                         StreamOptions{1000000, 1, 3},
                                         StreamOptions{1000000, 64, 100}));

TEST(Stream, FinishTwiceAndPushAgain)
{
  align::Aligner aligner(cpu());
  int delivered = 0;
  Stream stream(aligner, [&](const OwnedPair&, const Alignment&) { ++delivered; });
  stream.finish();
  EXPECT_EQ(delivered, 0);
  stream.push({"ACGT", "ACGT"});
  stream.finish();
  EXPECT_EQ(delivered, 1);
  stream.finish();
  stream.push({"ACGT", "ACGT"});
  stream.finish();
  EXPECT_EQ(delivered, 2);
}

TEST(Stream, PushWaitsWhileBatchesAreUnfinished)
{
  align::Aligner aligner(cpu());
  std::promise<void> gate;
  const std::shared_future<void> opened = gate.get_future().share();
  std::atomic<int> pushed = 0;
  std::atomic<int> delivered = 0;
  Stream stream(aligner,
                [&](const OwnedPair&, const Alignment&) {
                  opened.wait();
                  ++delivered;
                },
                {.batch_letters = 1, .batch_pairs = 1, .batches_in_flight = 2});
  std::thread pusher([&] {
    for (int k = 0; k < 10; ++k) {
      stream.push({"ACGT", "ACGT"});
      ++pushed;
    }
  });
  EXPECT_TRUE(soon([&] { return pushed == 2; }));
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(pushed, 2);
  EXPECT_EQ(delivered, 0);
  gate.set_value();
  pusher.join();
  stream.finish();
  EXPECT_EQ(delivered, 10);
}

TEST(Stream, ExceptionsOfTheSinkComeBack)
{
  align::Aligner aligner(cpu());
  int delivered = 0;
  const auto sink = [&](const OwnedPair& pair, const Alignment&) {
    if (pair.tag == 3) throw std::runtime_error("the disk is full");
    ++delivered;
  };
  const StreamOptions options{.batch_letters = 1, .batch_pairs = 1, .batches_in_flight = 2};
  {
    Stream stream(aligner, sink, options);
    for (int k = 0; k < 4; ++k) stream.push({"A", "A", k});
    EXPECT_THROW(stream.finish(), std::runtime_error);
    EXPECT_EQ(delivered, 3);
    EXPECT_THROW(stream.push({"A", "A", 5}), std::runtime_error);  // it stays failed
    EXPECT_THROW(stream.finish(), std::runtime_error);
    EXPECT_EQ(delivered, 3);
  }
  Stream stream(aligner, sink, options);  // a push in the middle learns of it, and does not hang
  EXPECT_THROW(for (int k = 0; k < 1000; ++k) stream.push({"A", "A", k}), std::runtime_error);
  EXPECT_EQ(delivered, 6);
}

TEST(Stream, DestructorAbandonsTheRest)
{
  align::Aligner aligner(cpu());
  std::promise<void> started;
  std::atomic<int> delivered = 0;
  auto stream = std::make_unique<Stream>(
      aligner,
      [&](const OwnedPair&, const Alignment&) {
        if (++delivered == 1) started.set_value();
        std::this_thread::sleep_for(2ms);
      },
      StreamOptions{.batch_letters = 1000000, .batch_pairs = 500, .batches_in_flight = 10});
  for (int k = 0; k < 2200; ++k) stream->push({"ACGT", "ACGT", k});
  started.get_future().wait();
  stream.reset();
  const int at_end = delivered;
  EXPECT_LT(at_end, 500);  // not even the batch in the worker's hands
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(delivered, at_end);
  const Stream unused(aligner, ignore);
}

TEST(Stream, MisuseIsAUsageError)
{
  align::Aligner aligner(cpu());
  EXPECT_THROW(Stream(aligner, nullptr), UsageError);
  EXPECT_THROW(Stream(aligner, ignore, {.batch_letters = 0}), UsageError);
  EXPECT_THROW(Stream(aligner, ignore, {.batch_pairs = 0}), UsageError);
  EXPECT_THROW(Stream(aligner, ignore, {.batches_in_flight = 0}), UsageError);
}

}  // namespace
}  // namespace helicity
