// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/grid/field.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>

#include "sample.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace helicity::grid {
namespace {

using test::Hashed;
using test::Sample;

const std::vector<Box> boxes = {
    box_of({1, 1, 1}),         box_of({33, 17, 9}),           box_of({200, 100, 30}),
    {{-3, -2, -1}, {4, 5, 6}}, {{5, 5, 5}, {5, 9, 9}},        box_of({100'000, 1, 1}),
    box_of({1, 1, 3000}),      {{-70, 3, -1}, {600, 40, 20}},
};

std::uint64_t bits(double v) { return std::bit_cast<std::uint64_t>(v); }

TEST(ForCells, EachCellOnce)
{
  for (const Box& box : boxes)
    for (int threads = 1; threads <= 4; ++threads) {
      const Index3 n = box.size();
      std::vector<int> count(static_cast<std::size_t>(volume(n)));
      std::atomic<int> outside = 0;
      for_cells(Cpu{threads}, box, [&, box](Index i, Index j, Index k) {
        if (!box.contains({i, j, k})) return void(++outside);
        const Index3 c = Index3{i, j, k} - box.lo;
        ++count[static_cast<std::size_t>(c.i + n.i * (c.j + n.j * c.k))];
      });
      EXPECT_EQ(outside, 0);
      for (const int c : count) ASSERT_EQ(c, 1);
    }
}

TEST(ForCells, ACudaExecutorWantsNvcc)
{
  const Executor cuda = Cuda{0};
  EXPECT_THROW(for_cells(cuda, boxes[0], [](Index, Index, Index) {}), UsageError);
  EXPECT_THROW(reduce_cells<Max<double>>(cuda, boxes[0], Sample{}), UsageError);
  EXPECT_THROW(sum_cells(cuda, boxes[0], Sample{}), UsageError);
}

TEST(ReduceCells, LargestSmallestAndHash)
{
  for (const Box& box : boxes) {
    double most = std::numeric_limits<double>::lowest(), least = std::numeric_limits<double>::max();
    std::uint64_t hash = 0;
    for_cells(Cpu{1}, box, [&](Index i, Index j, Index k) {
      most = std::max(most, Sample{}(i, j, k));
      least = std::min(least, Sample{}(i, j, k));
      hash += Hashed{}(i, j, k);
    });
    for (int threads = 1; threads <= 4; ++threads) {
      const Executor cpu = Cpu{threads};
      EXPECT_EQ(reduce_cells<Max<double>>(cpu, box, Sample{}), most);
      EXPECT_EQ(reduce_cells<Min<double>>(cpu, box, Sample{}), least);
      EXPECT_EQ(reduce_cells<WrappingSum>(cpu, box, Hashed{}), hash);
    }
  }
}

TEST(ReduceCells, NansArePassedOver)
{
  const auto odd = [](Index i, Index, Index) {
    return i % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(i);
  };
  EXPECT_EQ(reduce_cells<Max<double>>(Cpu{2}, box_of({101, 4, 4}), odd), 99);
  EXPECT_EQ(reduce_cells<Min<double>>(Cpu{2}, box_of({101, 4, 4}), odd), 1);
}

/// The sum of a box cut in two anywhere, along each axis.
void check_splits(Box box, std::uint64_t expected)
{
  for (int axis = 0; axis < 3; ++axis)
    for (Index cut = box.lo[axis]; cut <= box.hi[axis];
         cut += std::max<Index>(1, box.size()[axis] / 3)) {
      Box low = box, high = box;
      low.hi[axis] = high.lo[axis] = cut;
      ExactSum sum = sum_cells(Cpu{2}, low, Sample{});
      sum.normalise();
      sum.add(sum_cells(Cpu{3}, high, Sample{}));
      EXPECT_EQ(bits(sum.value()), expected);
    }
}

TEST(SumCells, TheSameBitsWhateverTheThreadsAndTheSplit)
{
  for (const Box& box : boxes) {
    ExactSum one_by_one;
    for_cells(Cpu{1}, box, [&](Index i, Index j, Index k) { one_by_one.add(Sample{}(i, j, k)); });
    const std::uint64_t expected = bits(one_by_one.value());
    for (int threads = 1; threads <= 4; ++threads)
      EXPECT_EQ(bits(sum_cells(Executor{Cpu{threads}}, box, Sample{}).value()), expected);
    check_splits(box, expected);
  }
}

TEST(SumCells, InfinitiesAndNans)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Box box = box_of({300, 10, 10});
  const auto with = [&](double first, double last) {
    return sum_cells(Cpu{2}, box,
                     [=](Index i, Index j, Index k) {
                       if (i + j + k == 0) return first;
                       return i == 299 && j == 9 && k == 9 ? last : 1.0;
                     })
        .value();
  };
  EXPECT_EQ(with(1, 1), 30'000);
  EXPECT_EQ(with(infinity, 1), infinity);
  EXPECT_EQ(with(1, -infinity), -infinity);
  EXPECT_TRUE(std::isnan(with(infinity, -infinity)));
  EXPECT_TRUE(std::isnan(with(std::numeric_limits<double>::quiet_NaN(), infinity)));
}

TEST(HashCell, DependsOnPlaceAndBits)
{
  EXPECT_NE(hash_cell(1, 2), hash_cell(2, 1));
  EXPECT_NE(hash_cell(1, 2), hash_cell(1, 3));
  EXPECT_NE(bits_of(0.0), bits_of(-0.0));
  EXPECT_EQ(bits_of(1.0f), 0x3f800000U);
}

}  // namespace
}  // namespace helicity::grid
