// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/grid/field.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>

#include "sample.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace helicity::grid {
namespace {

using test::Hashed;
using test::Sample;

std::uint64_t bits(double v) { return std::bit_cast<std::uint64_t>(v); }

const std::vector<Box>& boxes()
{
  static const std::vector<Box> all = {
      box_of({1, 1, 1}),    box_of({33, 17, 9}),       {{-3, -2, -1}, {4, 5, 6}},
      box_of({1, 1, 3000}), box_of({5000, 1, 1}),      {{5, 5, 5}, {5, 9, 9}},
      box_of({2, 700, 2}),  {{-9, 3, 0}, {130, 9, 4}},
  };
  return all;
}

struct CellsGpu : testing::Test
{
  void SetUp() override
  {
    if (device_count() == 0) GTEST_SKIP() << "no CUDA device";
    stream.emplace(device_count() - 1);
    cuda = stream->exec();
  }

  std::optional<Stream> stream;
  Executor cuda;
};

/// Adds 1 to each cell of a box that begins at (0, 0, 0) of the view.
struct Count
{
  View3<int> count;
  Index3 lo;

  HELICITY_HD void operator()(Index i, Index j, Index k) const { count[Index3{i, j, k} - lo] += 1; }
};

TEST_F(CellsGpu, EachCellOnce)
{
  for (const Box& box : boxes()) {
    if (box.empty()) continue;
    Field<int> field({.cells = box.size(), .halo = {1, 1, 1}, .offset = {}}, cuda);
    for_cells(cuda, box, Count{field.view(), box.lo});
    Buffer<int> host(MemoryKind::host, field.buffer().size());
    copy(host, field.buffer(), host.size(), stream->exec());
    stream->synchronize();
    View3<int> v = field.view();
    v.origin = host.data() + (v.origin - field.buffer().data());
    Index wrong = 0;
    for_cells(Cpu{1}, grown(box_of(box.size()), {1, 1, 1}), [&](Index i, Index j, Index k) {
      wrong += v(i, j, k) != (box_of(box.size()).contains({i, j, k}) ? 1 : 0);
    });
    EXPECT_EQ(wrong, 0);
  }
}

/// nvcc wants extended lambdas in functions that others can name.
double sum_of_lambdas(const Executor& executor)
{
  Field<float> field({.cells = {40, 5, 5}, .halo = {1, 0, 0}, .offset = {}}, executor);
  const View3<float> v = field.view();
  for_cells(executor, field.owned(), [=] HELICITY_LAMBDA(Index i, Index j, Index k) {
    v(i, j, k) = static_cast<float>(i + j * k);
  });
  const auto value = [=] HELICITY_LAMBDA(Index i, Index j, Index k) { return v(i, j, k); };
  return sum_cells(executor, field.owned(), value).value();
}

TEST_F(CellsGpu, ExtendedLambdas)
{
  EXPECT_EQ(sum_of_lambdas(cuda), 25 * 780 + 40 * 100);
  EXPECT_EQ(sum_of_lambdas(Cpu{2}), 25 * 780 + 40 * 100);
}

TEST_F(CellsGpu, ReductionsAsOnTheCpu)
{
  const Cpu cpu{2};
  for (const Box& box : boxes()) {
    EXPECT_EQ(reduce_cells<Max<double>>(cuda, box, Sample{}),
              reduce_cells<Max<double>>(cpu, box, Sample{}));
    EXPECT_EQ(reduce_cells<Min<double>>(cuda, box, Sample{}),
              reduce_cells<Min<double>>(cpu, box, Sample{}));
    EXPECT_EQ(reduce_cells<WrappingSum>(cuda, box, Hashed{}),
              reduce_cells<WrappingSum>(cpu, box, Hashed{}));
    EXPECT_EQ(bits(sum_cells(cuda, box, Sample{}).value()),
              bits(sum_cells(cpu, box, Sample{}).value()));
  }
}

/// Ones, but for the first and the last cell of a row of 100.
struct Ends
{
  double first, last;

  HELICITY_HD double operator()(Index i, Index, Index) const
  {
    return i == 0 ? first : i == 99 ? last : 1.0;
  }
};

TEST_F(CellsGpu, InfinitiesNansAndSubnormals)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Box row = box_of({100, 1, 1});
  const auto sum = [&](double first, double last) {
    return sum_cells(cuda, row, Ends{first, last}).value();
  };
  EXPECT_EQ(sum(infinity, 1), infinity);
  EXPECT_EQ(sum(1, -infinity), -infinity);
  EXPECT_TRUE(std::isnan(sum(infinity, -infinity)));
  EXPECT_TRUE(std::isnan(sum(std::nan(""), 1)));
  EXPECT_EQ(sum(std::numeric_limits<double>::denorm_min(), -98),
            std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(reduce_cells<Max<double>>(cuda, row, Ends{std::nan(""), 7}), 7);
}

}  // namespace
}  // namespace helicity::grid
