// SPDX-License-Identifier: Apache-2.0
#include "flow.hpp"

#include <helicity/core/error.hpp>
#include <helicity/core/exact_sum.hpp>
#include <helicity/fluid/detail/profile.hpp>
#include <helicity/fluid/lbm_case.hpp>
#include <helicity/fluid/lbm_validation.hpp>
#include <helicity/job/gates.hpp>

#include <gtest/gtest.h>

#include <string>

namespace helicity::test {
namespace {

using fluid::LatticeKind;

TEST(LbmModel, rest_stays_at_rest_to_the_last_bit)
{
  fluid::LbmSetup setup = busy_flow(LatticeKind::d3q19, {12, 9, 8});
  setup.initial = nullptr;
  setup.force = {};
  setup.ends[1][1].velocity = {};
  setup.solid_velocity.clear();
  const auto model = model_of<float>(setup, {}, Cpu{1});
  const std::uint64_t before = model->state_hash();
  model->advance(10);
  EXPECT_EQ(model->state_hash(), before);
}

double mass(fluid::LbmModel& model)
{
  const auto m = model.macroscopic();
  ExactSum sum;
  sum.add(m.density.data(), m.density.size());
  return sum.value();
}

TEST(LbmModel, mass_stays_to_round_off)
{
  fluid::LbmSetup setup = busy_flow(LatticeKind::d3q19, {19, 13, 11});
  setup.solid_velocity.clear();  // a moving body pushes, walls along themselves do not
  const auto model = model_of<double>(setup, {}, Cpu{2});
  const double before = mass(*model);
  model->advance(200);
  EXPECT_NEAR(mass(*model), before, 1e-12);
}

TEST(LbmModel, tells_the_first_cell_that_is_too_fast)
{
  fluid::LbmSetup setup;
  setup.cells = {16, 8, 8};
  setup.initial = [](Index3 c) {
    fluid::LbmInitial s;
    if (c == Index3{5, 6, 3} || c == Index3{2, 1, 4}) s.velocity = {0.6, 0, 0};
    return s;
  };
  const auto model = model_of<float>(setup, world(), Cpu{1});
  const auto trouble = model->check();
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->cell, (Index3{5, 6, 3}));
  EXPECT_EQ(trouble->variable, "velocity");
  EXPECT_NE(trouble->problem.find("CFL"), std::string::npos);
}

TEST(LbmModel, tells_the_first_cell_that_is_not_finite)
{
  fluid::LbmSetup setup;
  setup.cells = {16, 8, 8};
  setup.initial = [](Index3 c) {
    fluid::LbmInitial s;
    if (c == Index3{15, 7, 7}) s.density = std::nan("");
    return s;
  };
  const auto model = model_of<float>(setup, world(), Cpu{1});
  const auto trouble = model->check();
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->cell, (Index3{15, 7, 7}));
  EXPECT_EQ(trouble->problem, "is not finite");
}

TEST(LbmModel, refuses_setups_that_make_no_sense)
{
  const auto make = [](const fluid::LbmSetup& s) { return model_of<float>(s, {}, Cpu{1}); };
  fluid::LbmSetup setup;
  setup.cells = {4, 4, 4};
  EXPECT_NO_THROW(make(setup));
  setup.viscosity = 0;
  EXPECT_THROW(make(setup), UsageError);
  setup.viscosity = 0.1;
  setup.lattice = LatticeKind::d2q9;
  EXPECT_THROW(make(setup), UsageError);
  setup.lattice = LatticeKind::d3q19;
  setup.ends[0][1].wall = true;
  EXPECT_THROW(make(setup), UsageError);
}

TEST(LbmModel, slices_through_the_middle_are_whole_on_rank_0)
{
  fluid::LbmSetup setup;
  setup.cells = {7, 5, 6};
  setup.initial = [](Index3 c) {
    fluid::LbmInitial s;
    s.velocity = {0.001 * static_cast<double>(c.i), 0.001 * static_cast<double>(c.j),
                  0.001 * static_cast<double>(c.k)};
    return s;
  };
  setup.solid = [](Index3 c) -> std::uint8_t { return c == Index3{2, 2, 3}; };
  const auto model = model_of<double>(setup, world(), Cpu{1});
  const auto slice = model->slice("velocity_y", 2);
  if (world().rank() != 0) {
    EXPECT_TRUE(slice.values.empty());
    return;
  }
  ASSERT_EQ(slice.nx, 7);
  ASSERT_EQ(slice.ny, 5);
  for (std::size_t y = 0; y < 5; ++y)
    for (std::size_t x = 0; x < 7; ++x) {
      if (x == 2 && y == 2)
        EXPECT_TRUE(std::isnan(slice.values[x + 7 * y]));
      else
        EXPECT_NEAR(slice.values[x + 7 * y], 0.001 * static_cast<double>(y), 1e-15);
    }
}

TEST(Profile, interpolates_cubics_exactly_and_finds_extrema)
{
  fluid::detail::Profile p;
  const auto cubic = [](double x) { return 1 + x - 4 * x * x + 2 * x * x * x; };
  p.low = cubic(0);
  p.high = cubic(1);
  for (int m = 0; m < 9; ++m) p.values.push_back(cubic((m + 0.5) / 9));
  for (const double x : {0.0, 0.01, 0.3, 0.5, 0.77, 0.99, 1.0})
    EXPECT_NEAR(p.at(x), cubic(x), 1e-14);
  for (int m = 0; m < 9; ++m) {
    const double x = (m + 0.5) / 9 - 0.4;
    p.values[static_cast<std::size_t>(m)] = 3 - x * x;
  }
  EXPECT_NEAR(p.extremum(1), 3, 1e-14);
}

TEST(LbmValidation, quick_gates_pass)
{
  const auto gates = fluid::validate_lbm(world(), Cpu{1}, comm::Transport::host, {.quick = true});
  EXPECT_GE(gates.size(), 15u);
  EXPECT_TRUE(job::all_pass(gates)) << job::table(gates);
}

TEST(LbmCases, resolve_to_what_they_say)
{
  fluid::LbmCase c = fluid::lbm_case("cavity");
  resolve(c);
  EXPECT_DOUBLE_EQ(c.spacing, 1. / 128);
  EXPECT_DOUBLE_EQ(c.viscosity, 0.01);
  EXPECT_DOUBLE_EQ(c.step, 0.1 / 128);
  EXPECT_EQ(c.lattice, "d2q9");
  EXPECT_EQ(c.steps, 51200);
  EXPECT_THROW(fluid::lbm_case("cavty"), UsageError);
  fluid::LbmCase fast = fluid::lbm_case("cavity");
  fast.lattice_speed = 0.6;
  EXPECT_THROW(resolve(fast), UsageError);
}

}  // namespace
}  // namespace helicity::test
