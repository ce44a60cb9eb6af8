// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/grid/box.hpp>
#include <helicity/grid/field.hpp>
#include <helicity/grid/shell.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace helicity::grid {
namespace {

TEST(Box, SizesAndCells)
{
  const Box box{{-1, 0, 2}, {3, 5, 4}};
  EXPECT_EQ(box.size(), (Index3{4, 5, 2}));
  EXPECT_EQ(box.cells(), 40);
  EXPECT_TRUE(box.contains({-1, 0, 2}));
  EXPECT_FALSE(box.contains({3, 0, 2}));
  const Box none{{0, 0, 0}, {5, -1, 5}};
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.cells(), 0);
  EXPECT_EQ(none.size(), Index3{});
}

TEST(Shell, coversTheBoxOnceAndLeavesTheInside)
{
  for (const Index3 n : {Index3{7, 5, 6}, Index3{1, 1, 1}, Index3{2, 9, 1}, Index3{3, 2, 4}})
    for (int mask = 0; mask < 64; ++mask)
      for (const Index width : {1, 2}) {
        Sides sides{};
        for (std::size_t s = 0; s < 6; ++s) sides[s / 2][s % 2] = (mask >> s & 1) != 0;
        const Shell shell = peel(box_of(n), sides, width);
        Index cells = shell.inner.cells();
        for (std::size_t a = 0; a < shell.outer.size(); ++a) {
          cells += shell.outer[a].cells();
          EXPECT_TRUE(intersect(shell.outer[a], shell.inner).empty());
          for (std::size_t b = 0; b < a; ++b)
            EXPECT_TRUE(intersect(shell.outer[a], shell.outer[b]).empty());
        }
        EXPECT_EQ(cells, volume(n));
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const int x = static_cast<int>(axis);
          if (shell.inner.empty()) continue;
          EXPECT_EQ(shell.inner.lo[x], sides[axis][0] ? width : 0);
          EXPECT_EQ(shell.inner.hi[x], n[x] - (sides[axis][1] ? width : 0));
        }
      }
}

TEST(Box, IntersectsGrowsAndShifts)
{
  const Box a = box_of({4, 4, 4});
  EXPECT_EQ(intersect(a, shifted(a, {2, 0, -1})), (Box{{2, 0, 0}, {4, 4, 3}}));
  EXPECT_TRUE(intersect(a, shifted(a, {4, 0, 0})).empty());
  EXPECT_EQ(grown(a, {1, 2, 0}), (Box{{-1, -2, 0}, {5, 6, 4}}));
  EXPECT_EQ(grown(grown(a, {1, 1, 1}), {-1, -1, -1}), a);
}

template <class T>
void check_layout(const FieldShape& shape)
{
  Field<T> field(shape, Cpu{2});
  const auto* const first = field.buffer().data();
  const auto* const end = first + field.buffer().size();
  std::set<const T*> seen;
  for (int c = 0; c < shape.components; ++c) {
    const View3<T> v = field.view(c);
    for (Index k = 0; k < shape.cells.k; ++k)
      for (Index j = 0; j < shape.cells.j; ++j)
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&v(0, j, k)) % 128, 0U);
    const Box all = shape.with_halo();
    for (Index k = all.lo.k; k < all.hi.k; ++k)
      for (Index j = all.lo.j; j < all.hi.j; ++j)
        for (Index i = all.lo.i; i < all.hi.i; ++i) {
          const T* const place = &v(i, j, k);
          ASSERT_TRUE(place >= first && place < end);
          ASSERT_TRUE(seen.insert(place).second) << "two cells in one place";
          ASSERT_EQ(*place, T{0});
        }
  }
  EXPECT_EQ(field.bytes(), Field<T>::bytes_for(shape));
  EXPECT_EQ(field.view(0).origin + (shape.components - 1) * field.component_stride(),
            field.view(shape.components - 1).origin);
}

TEST(Field, RowsStartOn128BytesAndCellsAreApart)
{
  for (const Index3 cells : {Index3{1, 1, 1}, Index3{31, 5, 3}, Index3{32, 4, 4}, Index3{65, 2, 7}})
    for (const Index3 halo : {Index3{0, 0, 0}, Index3{1, 1, 1}, Index3{3, 0, 2}, Index3{40, 1, 0}})
      for (const int components : {1, 2, 5}) {
        const FieldShape shape{.cells = cells, .halo = halo, .components = components};
        check_layout<float>(shape);
        check_layout<double>(shape);
        check_layout<std::uint16_t>(shape);
      }
}

TEST(Field, MovesAndComesFromAPool)
{
  MemoryPool pool(MemoryKind::host, std::size_t{1} << 24);
  Field<float> field({.cells = {8, 8, 8}, .halo = {1, 1, 1}}, Cpu{1}, pool);
  EXPECT_GT(pool.used(), 0U);
  field.view()(7, 7, 7) = 3;
  Field<float> moved = std::move(field);
  EXPECT_EQ(moved.view()(7, 7, 7), 3);
  EXPECT_FALSE(moved.on_device());
  EXPECT_THROW(Field<float>({.cells = {512, 512, 512}}, Cpu{1}, pool), RuntimeFault);
}

TEST(Field, ShapesThatMakeNoSense)
{
  EXPECT_THROW(Field<float>({.cells = {0, 1, 1}}, Cpu{1}), UsageError);
  EXPECT_THROW(Field<float>({.cells = {1, 1, 1}, .halo = {0, -1, 0}}, Cpu{1}), UsageError);
  EXPECT_THROW(Field<float>({.cells = {1, 1, 1}, .components = 0}, Cpu{1}), UsageError);
}

}  // namespace
}  // namespace helicity::grid
