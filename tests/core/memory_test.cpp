// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/memory.hpp>
#include <helicity/core/stream.hpp>

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace helicity {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(MemoryPool, SizeClassesWasteAnEighthAtMost)
{
  std::size_t before = 0;
  for (std::size_t bytes = 1; bytes < 100 * mebibyte; bytes += bytes / 7 + 1) {
    const std::size_t block = MemoryPool::block_bytes(bytes);
    EXPECT_GE(block, bytes);
    EXPECT_GE(block, before);
    EXPECT_LE(block, std::max(bytes + bytes / 8, bytes + 255));
    EXPECT_EQ(block % 256, 0);
    EXPECT_EQ(MemoryPool::block_bytes(block), block);
    before = block;
  }
}

TEST(MemoryPool, CountsWhatIsUsedAndKeepsWhatComesBack)
{
  MemoryPool pool(MemoryKind::host, 10 * mebibyte);
  EXPECT_EQ(pool.budget(), 10 * mebibyte);
  EXPECT_EQ(pool.available(), 10 * mebibyte);
  void* data = nullptr;
  {
    const Memory memory(pool, 3 * mebibyte);
    data = memory.data();
    EXPECT_EQ(pool.used(), 3 * mebibyte);
    EXPECT_EQ(pool.available(), 7 * mebibyte);
  }
  EXPECT_EQ(pool.used(), 0);
  EXPECT_EQ(pool.cached(), 3 * mebibyte);
  const Memory again(pool, 3 * mebibyte - 1000);
  EXPECT_EQ(again.data(), data);
  EXPECT_EQ(pool.cached(), 0);
}

TEST(MemoryPool, PastTheBudgetItSaysWhatWasAskedUsedAndAllowed)
{
  MemoryPool pool(MemoryKind::host, 4 * mebibyte);
  const Memory memory(pool, 3 * mebibyte);
  try {
    const Memory more(pool, 2 * mebibyte);
    FAIL();
  } catch (const RuntimeFault& fault) {
    const std::string text = fault.what();
    EXPECT_NE(text.find("2.00 MiB asked"), text.npos) << text;
    EXPECT_NE(text.find("3.00 MiB of a budget of 4.00 MiB used"), text.npos) << text;
  }
  const Memory rest(pool, pool.available());
  EXPECT_EQ(pool.available(), 0);
  EXPECT_THROW(Memory(pool, 1), RuntimeFault);
}

TEST(MemoryPool, AvailableCanBeHadWhateverItsSizeClass)
{
  MemoryPool pool(MemoryKind::host, 1'000'001);
  const Memory first(pool, 100);
  const Memory second(pool, pool.available());
  EXPECT_LT(pool.available(), 256);
}

TEST(MemoryPool, GivesKeptBlocksUpForOtherSizes)
{
  MemoryPool pool(MemoryKind::host, 4 * mebibyte);
  for (int k = 0; k < 3; ++k) Memory(pool, mebibyte);
  {
    const Memory a(pool, mebibyte), b(pool, mebibyte), c(pool, mebibyte);
  }
  EXPECT_EQ(pool.cached(), 3 * mebibyte);
  const Memory large(pool, 3 * mebibyte);
  EXPECT_LE(pool.used() + pool.cached(), pool.budget());
  pool.trim();
  EXPECT_EQ(pool.cached(), 0);
}

TEST(MemoryPool, MemoryOutlivesThePoolObject)
{
  Buffer<int> buffer;
  {
    MemoryPool pool(MemoryKind::host, mebibyte);
    buffer = Buffer<int>(pool, 1000);
  }
  for (int& x : buffer.span()) x = 1;
  buffer.reset();
}

TEST(MemoryPool, NothingIsChargedForNothing)
{
  MemoryPool pool(MemoryKind::host, mebibyte);
  const Memory memory(pool, 0);
  EXPECT_EQ(memory.data(), nullptr);
  EXPECT_EQ(pool.used(), 0);
}

TEST(MemoryPool, DefaultBudgetIsMostOfWhatIsFree)
{
  const MemoryPool pool(MemoryKind::host);
  EXPECT_GT(pool.budget(), mebibyte);
  EXPECT_THROW(MemoryPool(MemoryKind::device, mebibyte), UsageError);
}

TEST(MemoryPool, ThreadsShareOne)
{
  MemoryPool pool(MemoryKind::host, 64 * mebibyte);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool, t] {
      for (int k = 0; k < 300; ++k) {
        Buffer<int> buffer(pool, static_cast<std::size_t>(1 + (k * 7919 + t) % 100'000));
        buffer.span().front() = t;
        buffer.span().back() = t;
        EXPECT_EQ(buffer.span().front(), t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.used(), 0);
}

class DevicePool : public testing::Test
{
 protected:
  void SetUp() override
  {
    if (const auto problem = device_problem(0); !problem.empty()) GTEST_SKIP() << problem;
  }
};

TEST_F(DevicePool, DefaultBudgetIsMostOfTheFreeMemory)
{
  const std::size_t free = devices().at(0).free_memory;
  const MemoryPool pool(Cuda{0});
  EXPECT_EQ(pool.kind(), MemoryKind::device);
  EXPECT_LE(pool.budget(), free);
  EXPECT_GE(pool.budget(), free / 2);
}

TEST_F(DevicePool, PastTheBudgetIsAnErrorAndNotTheEnd)
{
  MemoryPool pool(Cuda{0}, 4 * mebibyte);
  const Memory memory(pool, 3 * mebibyte);
  EXPECT_THROW(Memory(pool, 2 * mebibyte), RuntimeFault);
  const Memory rest(pool, mebibyte);
}

TEST_F(DevicePool, ADeviceWithLessThanTheBudgetIsAnErrorToo)
{
  MemoryPool pool(Cuda{0}, std::size_t{1} << 60);
  {
    const Memory kept(pool, mebibyte);
  }
  EXPECT_THROW(Memory(pool, std::size_t{1} << 50), RuntimeFault);
  EXPECT_EQ(pool.cached(), 0);
  const Memory memory(pool, mebibyte);
}

/// A block goes from one stream to another while the first still works on it.
TEST_F(DevicePool, TheNextOwnersStreamWaitsForTheLast)
{
  constexpr std::size_t size = 4 * mebibyte;
  MemoryPool pool(Cuda{0}, size);
  const Stream first(0), second(0);
  Buffer<unsigned char> seen(MemoryKind::pinned, size), host(MemoryKind::pinned, size);
  for (unsigned char& c : seen.span()) c = 0;
  const void* block = nullptr;
  {
    Buffer<unsigned char> one(pool, size, first.exec());
    block = one.data();
    for (unsigned char value = 1; value < 10; ++value)
      fill_bytes(one.data(), value, size, first.exec());
    copy(seen, one, size, first.exec());
  }
  Buffer<unsigned char> other(pool, size, second.exec());
  EXPECT_EQ(other.data(), block);
  fill_bytes(other.data(), 77, size, second.exec());
  copy(host, other, size, second.exec());
  second.synchronize();
  EXPECT_EQ(seen.span()[0], 9);  // done too, since the second stream waited for it
  EXPECT_EQ(seen.span()[size - 1], 9);
  EXPECT_EQ(host.span()[size - 1], 77);
}

TEST_F(DevicePool, PinnedBlocksComeBackWhenTheirCopyIsDone)
{
  constexpr std::size_t size = mebibyte;
  MemoryPool pool(MemoryKind::pinned, size);
  const Stream stream(0);
  Buffer<unsigned char> device(MemoryKind::device, size, stream.exec());
  Buffer<unsigned char> back(MemoryKind::pinned, size);
  {
    Buffer<unsigned char> source(pool, size, stream.exec());
    for (unsigned char& c : source.span()) c = 1;
    copy(device, source, size, stream.exec());
  }
  {
    Buffer<unsigned char> next(pool, size, stream.exec());  // the same block
    for (unsigned char& c : next.span()) c = 2;
  }
  copy(back, device, size, stream.exec());
  stream.synchronize();
  EXPECT_EQ(back.span()[0], 1);
  EXPECT_EQ(back.span()[size - 1], 1);
}

TEST_F(DevicePool, AStreamOfAnotherDeviceIsRefused)
{
  MemoryPool pool(Cuda{0}, mebibyte);
  EXPECT_THROW(Memory(pool, 100, Cuda{1}), UsageError);
}

TEST_F(DevicePool, EachDeviceHasItsOwn)
{
  if (device_count() < 2) GTEST_SKIP() << "needs two CUDA devices";
  MemoryPool first(Cuda{0}, mebibyte), second(Cuda{1}, mebibyte);
  const Memory a(first, mebibyte), b(second, mebibyte);
  EXPECT_EQ(second.device_id(), 1);
  EXPECT_EQ(first.available() + second.available(), 0);
}

}  // namespace
}  // namespace helicity
