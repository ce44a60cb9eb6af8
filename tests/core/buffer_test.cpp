// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/stream.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>

namespace helicity {
namespace {

TEST(Buffer, HostMemoryIsAlignedAndItsOwn)
{
  Buffer<double> buffer(MemoryKind::host, 1000);
  ASSERT_EQ(buffer.size(), 1000);
  EXPECT_EQ(buffer.bytes(), 8000);
  EXPECT_EQ(buffer.kind(), MemoryKind::host);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0);
  for (double& x : buffer.span()) x = 1.5;
  EXPECT_EQ(std::as_const(buffer).span()[999], 1.5);
}

TEST(Buffer, EmptyOnesHaveNoMemory)
{
  Buffer<int> none, zero(MemoryKind::host, 0);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(zero.data(), nullptr);
  EXPECT_TRUE(zero.span().empty());
}

TEST(Buffer, MovingLeavesAnEmptyOne)
{
  Buffer<int> buffer(MemoryKind::host, 10);
  int* const data = buffer.data();
  Buffer<int> taken(std::move(buffer));
  EXPECT_EQ(taken.data(), data);
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(buffer.size(), 0);
  taken = Buffer<int>(MemoryKind::host, 5);
  EXPECT_EQ(taken.size(), 5);
  Buffer<int>& same = taken;
  taken = std::move(same);
  EXPECT_EQ(taken.size(), 5);
  taken.reset();
  EXPECT_TRUE(taken.empty());
}

TEST(Buffer, ASizeThatCannotBeAddressedIsRefused)
{
  constexpr auto huge = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(Buffer<int>(MemoryKind::host, huge), RuntimeFault);
  EXPECT_THROW(Buffer<char>(MemoryKind::host, huge), RuntimeFault);
}

TEST(Buffer, HostCannotReadDeviceMemory)
{
  if (const auto problem = device_problem(0); !problem.empty()) GTEST_SKIP() << problem;
  Buffer<int> buffer(MemoryKind::device, 10);
  EXPECT_NE(buffer.data(), nullptr);
  EXPECT_THROW(buffer.span(), UsageError);
  Buffer<int> pinned(MemoryKind::pinned, 10);
  EXPECT_EQ(pinned.span().size(), 10);
}

TEST(Buffer, MoreThanTheDeviceHasIsRefused)
{
  if (const auto problem = device_problem(0); !problem.empty()) GTEST_SKIP() << problem;
  EXPECT_THROW(Buffer<char>(MemoryKind::device, std::size_t{1} << 50), RuntimeFault);
  Buffer<char> still_works(MemoryKind::device, 1000);
}

TEST(Buffer, PinnedMemoryMayBeGivenBackWhileACopyRuns)
{
  if (const auto problem = device_problem(0); !problem.empty()) GTEST_SKIP() << problem;
  constexpr std::size_t size = 1 << 20;
  const Stream stream(0);
  Buffer<char> device(MemoryKind::device, size, stream.exec());
  {
    Buffer<char> source(MemoryKind::pinned, size, stream.exec());
    for (char& c : source.span()) c = 3;
    copy(device, source, size, stream.exec());
  }
  Buffer<char> back(MemoryKind::pinned, size);
  copy(back, device, size, stream.exec());
  stream.synchronize();
  EXPECT_EQ(back.span()[size - 1], 3);
}

TEST(Buffer, WithoutADeviceOnlyHostMemory)
{
  if (device_count() > 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_THROW(Buffer<int>(MemoryKind::device, 1), RuntimeFault);
  EXPECT_THROW(Buffer<int>(MemoryKind::pinned, 1), RuntimeFault);
}

}  // namespace
}  // namespace helicity
