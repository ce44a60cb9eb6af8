// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/graph.hpp>
#include <helicity/core/stream.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>

namespace helicity {
namespace {

class StreamTest : public testing::Test
{
 protected:
  void SetUp() override
  {
    if (const auto problem = device_problem(0); !problem.empty()) GTEST_SKIP() << problem;
  }
};

/// Numbers that go to a device and come back.
void round_trip(int device_id)
{
  constexpr std::size_t size = 100'000;
  Stream stream(device_id);
  Buffer<int> there(MemoryKind::pinned, size), back(MemoryKind::pinned, size);
  Buffer<int> device(MemoryKind::device, size, stream.exec());
  std::iota(there.span().begin(), there.span().end(), 1);
  std::fill(back.span().begin(), back.span().end(), 0);
  copy(device, there, size, stream.exec());
  copy(back, device, size, stream.exec());
  stream.synchronize();
  EXPECT_TRUE(stream.query());
  EXPECT_TRUE(std::equal(there.span().begin(), there.span().end(), back.span().begin()));
}

TEST_F(StreamTest, CopiesToADeviceAndBack)
{
  for (int id = 0; id < device_count(); ++id) round_trip(id);
}

TEST_F(StreamTest, CopiesFromPageableMemory)
{
  const Stream stream(0);
  Buffer<int> host(MemoryKind::host, 1000), back(MemoryKind::host, 1000);
  Buffer<int> device(MemoryKind::device, 1000, stream.exec());
  std::iota(host.span().begin(), host.span().end(), 7);
  copy(device, host, 1000, stream.exec());
  copy(back, device, 1000, stream.exec());
  stream.synchronize();
  EXPECT_EQ(back.span()[999], 1006);
}

TEST_F(StreamTest, GraphsDoWhatWasRecordedAndNothingBefore)
{
  const Stream stream(0);
  Buffer<unsigned char> device(MemoryKind::device, 64, stream.exec()), back(MemoryKind::pinned, 64);
  fill_bytes(device.data(), 1, 64, stream.exec());
  stream.synchronize();
  EXPECT_TRUE(Graph().empty());
  const Graph graph = Graph::record(stream.exec(), [&] {
    fill_bytes(device.data(), 2, 32, stream.exec());
    copy_bytes(back.data(), device.data(), 64, stream.exec());
  });
  EXPECT_FALSE(graph.empty());
  copy_bytes(back.data(), device.data(), 64, stream.exec());
  stream.synchronize();
  EXPECT_EQ(back.span()[0], 1) << "recording does nothing";
  for (int n = 0; n < 2; ++n) {
    fill_bytes(device.data(), 3, 64, stream.exec());
    graph.launch(stream.exec());
    stream.synchronize();
    EXPECT_EQ(back.span()[0], 2);
    EXPECT_EQ(back.span()[63], 3);
  }
}

TEST_F(StreamTest, GraphsThatFailLeaveTheStreamUsable)
{
  const Stream stream(0);
  EXPECT_THROW(Graph::record(Cuda{0, nullptr}, [] {}), UsageError);
  EXPECT_THROW(Graph::record(stream.exec(), [] { throw RuntimeFault("no"); }), RuntimeFault);
  round_trip(0);
  Buffer<unsigned char> device(MemoryKind::device, 8, stream.exec());
  fill_bytes(device.data(), 1, 8, stream.exec());
  stream.synchronize();
}

TEST_F(StreamTest, CopyPastTheEndIsRefused)
{
  const Stream stream(0);
  Buffer<int> small(MemoryKind::pinned, 10), large(MemoryKind::pinned, 11);
  EXPECT_THROW(copy(small, large, 11, stream.exec()), UsageError);
  EXPECT_THROW(copy(large, small, 11, stream.exec()), UsageError);
}

TEST_F(StreamTest, FillsInOrder)
{
  const Stream stream(0);
  Buffer<unsigned char> device(MemoryKind::device, 64, stream.exec());
  Buffer<unsigned char> host(MemoryKind::pinned, 64, stream.exec());
  fill_bytes(device.data(), 1, 64, stream.exec());
  fill_bytes(device.data(), 2, 32, stream.exec());
  copy(host, device, 64, stream.exec());
  stream.synchronize();
  EXPECT_EQ(host.span()[31], 2);
  EXPECT_EQ(host.span()[32], 1);
}

TEST_F(StreamTest, AStreamWaitsForAnEventOfAnother)
{
  constexpr std::size_t size = 1 << 20;
  Stream first(0), second(0);
  Event filled(0);
  EXPECT_TRUE(filled.query());
  Buffer<unsigned char> device(MemoryKind::device, size), host(MemoryKind::pinned, size);
  fill_bytes(device.data(), 5, size, first.exec());
  filled.record(first.get());
  second.wait(filled);
  copy(host, device, size, second.exec());
  second.synchronize();
  EXPECT_TRUE(filled.query());
  EXPECT_EQ(host.span()[size - 1], 5);
}

TEST_F(StreamTest, WaitsForAnEventOfAnotherDevice)
{
  if (device_count() < 2) GTEST_SKIP() << "needs two CUDA devices";
  Stream first(0), second(1);
  Event filled(0);
  Buffer<unsigned char> shared(MemoryKind::pinned, 4096), back(MemoryKind::pinned, 4096);
  Buffer<unsigned char> source(MemoryKind::device, 4096, first.exec());
  Buffer<unsigned char> device(MemoryKind::device, 4096, second.exec());
  fill_bytes(source.data(), 9, 4096, first.exec());
  copy(shared, source, 4096, first.exec());
  filled.record(first.get());
  second.wait(filled);
  copy(device, shared, 4096, second.exec());
  copy(back, device, 4096, second.exec());
  second.synchronize();
  EXPECT_EQ(back.span()[4095], 9);
}

TEST_F(StreamTest, EventsTellTheTimeBetweenThem)
{
  const Stream stream(0);
  Event start(0, true), end(0, true);
  start.record(stream.get());
  end.record(stream.get());
  end.synchronize();
  EXPECT_GE(end.seconds_since(start), 0.0);
}

TEST_F(StreamTest, StreamsAndEventsMove)
{
  Stream stream(0);
  auto* const handle = stream.get();
  Stream taken(std::move(stream));
  EXPECT_EQ(taken.get(), handle);
  EXPECT_EQ(stream.get(), nullptr);
  Event event(0);
  Event moved = std::move(event);
  moved.record(taken.get());
  moved.synchronize();
}

TEST(StreamWithoutDevice, SaysWhy)
{
  if (device_count() > 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_THROW(Stream(0), RuntimeFault);
  EXPECT_THROW(Event(0), RuntimeFault);
}

}  // namespace
}  // namespace helicity
