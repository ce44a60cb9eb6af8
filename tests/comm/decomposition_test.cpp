// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace helicity::comm {
namespace {

std::string message(Index3 cells, int ranks, const DecompositionOptions& options = {})
{
  try {
    const Decomposition d(cells, ranks, options);
    return d.describe();
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// How often each cell is owned.
std::vector<int> owners(const Decomposition& d)
{
  const Index3 n = d.cells();
  std::vector<int> count(static_cast<std::size_t>(volume(n)));
  for (int r = 0; r < d.size(); ++r) {
    const grid::Box box = d.box(r);
    for (Index k = box.lo.k; k < box.hi.k; ++k)
      for (Index j = box.lo.j; j < box.hi.j; ++j)
        for (Index i = box.lo.i; i < box.hi.i; ++i)
          ++count[static_cast<std::size_t>(i + n.i * (j + n.j * k))];
  }
  return count;
}

void check_sizes(const Decomposition& d)
{
  Index3 least = d.cells(), most{};
  for (int r = 0; r < d.size(); ++r)
    for (int x = 0; x < 3; ++x) {
      least[x] = std::min(least[x], d.box(r).size()[x]);
      most[x] = std::max(most[x], d.box(r).size()[x]);
    }
  for (int x = 0; x < 3; ++x) EXPECT_LE(most[x] - least[x], 1);
  EXPECT_EQ(d.box(0).size(), most);
}

void check_neighbours(const Decomposition& d)
{
  for (int r = 0; r < d.size(); ++r)
    for (int n = 0; n < 27; ++n) {
      const Index3 there{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
      const int peer = d.neighbour(r, there);
      if (peer >= 0) {
        EXPECT_EQ(d.neighbour(peer, Index3{} - there), r);
        continue;
      }
      bool outside = false;
      for (int x = 0; x < 3; ++x) {
        const Index at = d.coordinates(r)[x] + there[x];
        outside = outside || (!d.periodic(x) && (at < 0 || at >= d.ranks()[x]));
      }
      EXPECT_TRUE(outside);
    }
}

TEST(Decomposition, EveryCellIsOwnedOnceAndNeighboursAgree)
{
  for (const Index3 cells : {Index3{7, 5, 11}, Index3{16, 16, 16}, Index3{1, 40, 3}})
    for (int ranks = 1; ranks <= 31; ++ranks)
      for (int wraps = 0; wraps < 8; ++wraps) {
        const DecompositionOptions options{
            .periodic = {(wraps & 1) != 0, (wraps & 2) != 0, (wraps & 4) != 0}};
        const auto good = good_rank_counts(cells, options, 31);
        if (std::find(good.begin(), good.end(), ranks) == good.end()) {
          EXPECT_THROW(Decomposition(cells, ranks, options), UsageError);
          continue;
        }
        const Decomposition d(cells, ranks, options);
        ASSERT_EQ(d.size(), ranks);
        const auto count = owners(d);
        EXPECT_TRUE(std::all_of(count.begin(), count.end(), [](int c) { return c == 1; }));
        check_sizes(d);
        check_neighbours(d);
      }
}

TEST(Decomposition, ChoosesTheFewestBytes)
{
  EXPECT_EQ(Decomposition({64, 64, 64}, 1).ranks(), (Index3{1, 1, 1}));
  EXPECT_EQ(Decomposition({64, 64, 64}, 2).ranks(), (Index3{1, 1, 2}));  // tie: along k
  EXPECT_EQ(Decomposition({64, 64, 64}, 4).ranks(), (Index3{1, 2, 2}));
  EXPECT_EQ(Decomposition({64, 64, 64}, 8, {.least = {1, 1, 1}}).ranks().i, 1);
  EXPECT_EQ(Decomposition({4096, 16, 16}, 4).ranks(), (Index3{4, 1, 1}));
  EXPECT_EQ(Decomposition({64, 64, 1}, 4).ranks(), (Index3{1, 4, 1}));
  EXPECT_EQ(Decomposition({64, 64, 64}, 7).ranks(), (Index3{1, 1, 7}));
}

TEST(Decomposition, TakesTheRanksItIsGiven)
{
  const Decomposition d({10, 10, 10}, 6, {.ranks = {3, 2, 1}});
  EXPECT_EQ(d.describe(), "3 x 2 x 1");
  EXPECT_EQ(d.box(0), (grid::Box{{0, 0, 0}, {4, 5, 10}}));
  EXPECT_EQ(d.box(5), (grid::Box{{7, 5, 0}, {10, 10, 10}}));
  EXPECT_EQ(d.coordinates(4), (Index3{1, 1, 0}));
  EXPECT_EQ(Decomposition({10, 10, 10}, 6, {.ranks = {3, 0, 0}}).ranks().i, 3);
}

TEST(Decomposition, APeriodicAxisThatIsNotSplitMeetsItself)
{
  const Decomposition d({8, 8, 8}, 2, {.ranks = {1, 1, 2}, .periodic = {true, false, true}});
  EXPECT_EQ(d.neighbour(0, {1, 0, 0}), 0);
  EXPECT_EQ(d.neighbour(0, {0, 1, 0}), -1);
  EXPECT_EQ(d.neighbour(0, {0, 0, 1}), 1);
  EXPECT_EQ(d.neighbour(0, {-1, 0, -1}), 1);
}

TEST(Decomposition, ErrorsNameCountsThatWork)
{
  EXPECT_NE(message({8, 8, 8}, 7, {.least = {3, 3, 3}}).find("4 or 8 ranks would do"),
            std::string::npos)
      << message({8, 8, 8}, 7, {.least = {3, 3, 3}});
  EXPECT_NE(message({10, 10, 10}, 6, {.ranks = {2, 2, 1}}).find("; 4 ranks would do"),
            std::string::npos);
  EXPECT_NE(message({1, 1, 1}, 2).find("; 1 rank would do"), std::string::npos);
  EXPECT_THROW(Decomposition({0, 1, 1}, 1), UsageError);
  EXPECT_THROW(Decomposition({1, 1, 1}, 0), UsageError);
  EXPECT_THROW(Decomposition({8, 8, 8}, 2, {.ranks = {-1, 0, 0}}), UsageError);
  EXPECT_THROW(Decomposition({8, 8, 8}, 2).box(2), UsageError);
}

TEST(Decomposition, GoodRankCounts)
{
  EXPECT_EQ(good_rank_counts({4, 1, 1}, {}, 6), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(good_rank_counts({4, 4, 1}, {.least = {2, 2, 2}}, 9), (std::vector<int>{1, 2, 4}));
}

}  // namespace
}  // namespace helicity::comm
