// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/communicator.hpp>
#include <helicity/core/error.hpp>

#include "mpi_main.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace helicity::comm {
namespace {

using test::world;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The values of a list that this rank holds: every size()-th.
template <class T, class Use>
void deal(const std::vector<T>& values, Use&& use)
{
  for (std::size_t n = 0; n < values.size(); ++n)
    if (static_cast<int>(n % static_cast<std::size_t>(world().size())) == world().rank())
      use(values[n]);
}

TEST(Communicator, RanksAndNodes)
{
  EXPECT_GE(world().rank(), 0);
  EXPECT_LT(world().rank(), world().size());
  EXPECT_EQ(world().node_size(), world().size());  // all on this host
  EXPECT_EQ(world().node_rank(), world().rank());
  EXPECT_EQ(Communicator().size(), 1);
}

TEST(Communicator, LargestAndSmallest)
{
  const int last = world().size() - 1;
  EXPECT_EQ(world().max(std::int64_t{-5} + world().rank()), -5 + last);
  EXPECT_EQ(world().min(std::int64_t{-5} + world().rank()), -5);
  EXPECT_EQ(world().max(-2.5 - world().rank()), -2.5);
  EXPECT_EQ(world().min(-2.5 - world().rank()), -2.5 - last);
  EXPECT_EQ(world().max(world().rank() == last ? infinity : 1.0), infinity);
  EXPECT_EQ(world().min(world().rank() == last ? -infinity : 1.0), -infinity);
  EXPECT_EQ(world().max(std::numeric_limits<double>::denorm_min()),
            std::numeric_limits<double>::denorm_min());
}

TEST(Communicator, ANanOfOneRankIsEverybodys)
{
  const int last = world().size() - 1;
  EXPECT_TRUE(std::isnan(world().max(world().rank() == last ? -nan : infinity)));
  EXPECT_TRUE(std::isnan(world().min(world().rank() == 0 ? nan : -infinity)));
}

TEST(Communicator, ZeroesAreOrdered)
{
  const double zero = world().rank() == 0 ? 0.0 : -0.0;
  EXPECT_FALSE(std::signbit(world().max(zero)));
  EXPECT_EQ(std::signbit(world().min(zero)), world().size() > 1);
}

TEST(Communicator, SumsWrapAndAny)
{
  const auto ranks = static_cast<std::uint64_t>(world().size());
  EXPECT_EQ(world().sum(~std::uint64_t{0}), 0 - ranks);
  EXPECT_TRUE(world().any(world().rank() == world().size() - 1));
  EXPECT_FALSE(world().any(false));
}

TEST(Communicator, ExactSumsDoNotDependOnRanks)
{
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-300, 300);
  std::vector<double> values(5000);
  for (double& v : values) v = std::ldexp(mantissa(random), exponent(random));
  ExactSum all, mine;
  for (const double v : values) all.add(v);
  deal(values, [&](double v) { mine.add(v); });
  const double sum = world().sum(mine).value();
  EXPECT_EQ(sum, all.value());
  ExactSum special;
  special.add(world().rank() == 0 ? infinity : 1.0);
  EXPECT_EQ(world().sum(special).value(), infinity);
}

TEST(Communicator, ExactSumsThatAreFullHaveRoom)
{
  ExactSum mine;
  mine.add((1 << 26) - 1);  // fills one digit
  for (int n = 0; n < 36; ++n) mine.add(ExactSum(mine));
  const double expected = std::ldexp((1 << 26) - 1, 36) * world().size();
  EXPECT_EQ(world().sum(mine).value(), expected);
}

TEST(Communicator, BroadcastsAndGathers)
{
  const int last = world().size() - 1;
  const std::string own(static_cast<std::size_t>(world().rank()), 'x');
  EXPECT_EQ(world().broadcast(own, last), std::string(static_cast<std::size_t>(last), 'x'));
  std::vector<std::byte> bytes(100'000, static_cast<std::byte>(world().rank()));
  world().broadcast(bytes);
  EXPECT_EQ(bytes.back(), std::byte{0});
  const auto texts = world().gather(own);
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(world().size()));
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(texts[r], std::string(r, 'x'));
  EXPECT_THROW(world().broadcast("", world().size()), UsageError);
  world().barrier();
}

TEST(Communicator, SharesWhatMpiItWasGiven)
{
  if (world().mpi() == nullptr) GTEST_SKIP() << "one process without MPI";
  const Communicator copy = Communicator::from_mpi(world().mpi());
  EXPECT_NE(copy.mpi(), world().mpi());
  EXPECT_EQ(copy.rank(), world().rank());
  EXPECT_EQ(copy.sum(std::uint64_t{2}), 2U * static_cast<unsigned>(world().size()));
}

TEST(CommunicatorAlone, NoMpiToShare)
{
  if (world().mpi() != nullptr) GTEST_SKIP() << "MPI runs";
  EXPECT_THROW(Communicator::from_mpi(nullptr), UsageError);
}

}  // namespace
}  // namespace helicity::comm
