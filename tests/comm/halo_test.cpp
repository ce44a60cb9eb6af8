// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/halo.hpp>
#include <helicity/core/error.hpp>
#include <helicity/grid/field.hpp>

#include "halo_case.hpp"
#include "mpi_main.hpp"

#include <gtest/gtest.h>

namespace helicity::comm {
namespace {

using grid::Field;
using test::world;

const Executor cpu = Cpu{2};

TEST(Halo, EveryCellOfEveryArrangement)
{
  for (const auto& c : test::halo_cases(world().size())) test::check_halo(c, cpu, Transport::host);
}

TEST(Halo, HalosMayBeSentAndOwnedCellsReceive) { test::check_reverse(cpu, Transport::host); }

TEST(Halo, ManyRoundsAndTwoAtOnce) { test::check_rounds(cpu, Transport::host); }

struct HaloErrors : testing::Test
{
  Decomposition d{{16, 8, 8}, world().size(), {.periodic = {true, true, true}}};
  Field<float> field{{.cells = d.box(world().rank()).size(), .halo = {2, 2, 2}}, cpu};
  HaloExchange halo{world(), d, cpu, Transport::host};
};

TEST_F(HaloErrors, WrongOrderOfCalls)
{
  EXPECT_THROW(static_cast<void>(halo.start()), UsageError);
  halo.add(field, {1, 1, 1});
  halo.commit();
  EXPECT_THROW(halo.add(field, {1, 1, 1}), UsageError);
  EXPECT_THROW(halo.commit(), UsageError);
  auto flight = halo.start();
  EXPECT_THROW(static_cast<void>(halo.start()), UsageError);
  flight.finish();
  flight.finish();
  halo.exchange();
}

TEST_F(HaloErrors, FieldsThatDoNotFit)
{
  EXPECT_THROW(halo.add(field, {3, 1, 1}), UsageError);
  EXPECT_THROW(halo.add(field, {-1, 1, 1}), UsageError);
  Field<float> other({.cells = {100, 2, 2}, .halo = {1, 1, 1}}, cpu);
  EXPECT_THROW(halo.add(other, {1, 1, 1}), UsageError);
  Field<float> wide({.cells = d.box(world().rank()).size(), .halo = {20, 20, 20}}, cpu);
  EXPECT_THROW(halo.add(wide, {20, 1, 1}), UsageError);
}

TEST_F(HaloErrors, PiecesThatMakeNoSense)
{
  HaloPiece piece{
      .direction = {1, 0, 0}, .send = {{0, 0, 0}, {1, 1, 1}}, .receive = {{0, 0, 0}, {1, 1, 2}}};
  EXPECT_THROW(halo.add(piece), UsageError);
  piece.receive = piece.send;
  piece.direction = {};
  EXPECT_THROW(halo.add(piece), UsageError);
  piece.direction = {2, 0, 0};
  EXPECT_THROW(halo.add(piece), UsageError);
  piece.direction = {1, 0, 0};
  piece.element_bytes = 3;
  EXPECT_THROW(halo.add(piece), UsageError);
}

TEST_F(HaloErrors, PiecesOfTwoRanksThatDoNotMatch)
{
  if (world().size() == 1) GTEST_SKIP() << "needs ranks";
  halo.add(field, {1, 1, 1});
  if (world().rank() == 0) halo.add(field, {1, 1, 1});
  EXPECT_THROW(halo.commit(), UsageError);
}

TEST_F(HaloErrors, ADecompositionOfOtherRanks)
{
  const Decomposition other({64, 64, 64}, world().size() + 1);
  EXPECT_THROW(HaloExchange(world(), other, cpu, Transport::host), UsageError);
  EXPECT_THROW(HaloExchange(world(), d, cpu, Transport::staged), UsageError);
}

TEST_F(HaloErrors, AnUnusedExchangeMoves)
{
  halo.add(field, {1, 1, 1});
  HaloExchange moved = std::move(halo);
  moved.commit();
  moved.exchange();
  EXPECT_GT(moved.traffic().bytes_local + moved.traffic().bytes_sent, 0U);
}

TEST(Halo, NothingToDo)
{
  const Decomposition d({16, 16, 16}, world().size());
  HaloExchange halo(world(), d, cpu, Transport::host);
  halo.commit();
  halo.exchange();
  EXPECT_EQ(halo.traffic().messages, 0);
}

}  // namespace
}  // namespace helicity::comm
