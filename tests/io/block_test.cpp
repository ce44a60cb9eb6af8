// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/io/block.hpp>

#include "values.hpp"

#include <gtest/gtest.h>

namespace helicity::io {
namespace {

template <class T>
void there_and_back(Index3 cells, int threads)
{
  const comm::Decomposition split(cells, 1);
  const auto field = test::filled<T>({}, split, 2);
  grid::Field<T> other({.cells = cells, .halo = {1, 3, 2}, .components = 2}, Cpu{threads});
  for (T& v : other.buffer().span()) v = T{3};
  for (int c = 0; c < 2; ++c) {
    const std::vector<T> block = gather_block(field, c);
    ASSERT_EQ(static_cast<Index>(block.size()), volume(cells));
    for (Index n = 0; n < volume(cells); ++n) {
      const Index3 cell{n % cells.i, n / cells.i % cells.j, n / (cells.i * cells.j)};
      ASSERT_EQ(block[static_cast<std::size_t>(n)], test::value_of<T>(c, cell));
    }
    scatter_block(other, c, block);
  }
  EXPECT_EQ(test::wrong_values(other), 0);
  EXPECT_EQ(other.view(1)(-1, 0, 0), T{3}) << "the halo is left alone";
  EXPECT_EQ(other.view(0)(cells.i, cells.j + 2, cells.k + 1), T{3});
}

TEST(Block, ThereAndBack)
{
  there_and_back<float>({13, 11, 7}, 1);
  there_and_back<std::uint8_t>({1, 1, 1}, 1);
  there_and_back<double>({100, 60, 50}, 3);  // by several threads
}

TEST(Block, WrongSize)
{
  grid::Field<float> field({.cells = {4, 3, 2}}, Cpu{1});
  EXPECT_THROW(scatter_block(field, 0, std::vector<float>(23)), UsageError);
}

}  // namespace
}  // namespace helicity::io
