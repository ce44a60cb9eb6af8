// SPDX-License-Identifier: Apache-2.0
#include "ns_flow.hpp"

#include <helicity/core/error.hpp>
#include <helicity/fluid/ns_case.hpp>
#include <helicity/fluid/ns_validation.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace helicity::test {
namespace {

using fluid::NsSetup;

/// The largest difference of a variable of two models.
double difference(fluid::NsModel& a, fluid::NsModel& b, const std::string& name)
{
  const auto x = a.values(name), y = b.values(name);
  double most = 0;
  for (std::size_t n = 0; n < x.size(); ++n) most = std::max(most, std::fabs(x[n] - y[n]));
  return most;
}

TEST(NsModel, divergence_is_rounding_after_every_step)
{
  for (const bool walls : {false, true}) {
    const auto model = ns_of<double>(busy_ns({18, 10, 14}, walls), {}, Cpu{2});
    EXPECT_LT(model->totals().divergence, 2e-13) << "at the start";
    for (int n = 0; n < 4; ++n) {
      model->advance(1);
      EXPECT_LT(model->totals().divergence, 1e-12);
    }
  }
}

TEST(NsModel, rest_stays_at_rest)
{
  NsSetup setup = busy_ns({12, 8, 10}, true);
  setup.velocity = nullptr;
  setup.has_scalar = false;
  setup.force = {0, 0, -9.81};  // pressure bears it
  for (auto& axis : setup.ends)
    for (auto& end : axis) end.velocity = {};
  const auto model = ns_of<double>(setup, {}, Cpu{1});
  model->advance(5);
  EXPECT_LT(model->totals().energy, 1e-28);
}

/// Without viscosity the convective terms keep the energy: what is lost is the time stepping's, of
/// third order.
TEST(NsModel, energy_is_kept_but_for_time_stepping)
{
  NsSetup setup = busy_ns({16, 12, 14}, false);
  setup.viscosity = 0;
  setup.has_scalar = false;
  setup.force = {};
  setup.ends[2] = {fluid::NsEnd{fluid::NsEnd::Kind::symmetry, {}, {}},
                   fluid::NsEnd{fluid::NsEnd::Kind::symmetry, {}, {}}};
  double lost[2];
  for (int n = 0; n < 2; ++n) {
    setup.step = 0.008 / (n + 1);
    const auto model = ns_of<double>(setup, {}, Cpu{2});
    const double before = model->totals().energy;
    model->advance(25 * (n + 1));
    lost[n] = std::fabs(model->totals().energy / before - 1);
  }
  EXPECT_LT(lost[0], 1e-4);
  EXPECT_GT(lost[0] / lost[1], 6.5);
}

TEST(NsModel, momentum_and_scalar_of_a_periodic_box_are_kept)
{
  NsSetup setup = busy_ns({16, 12, 9}, false);
  setup.ends = {};
  setup.lift = setup.force = {};
  const auto model = ns_of<double>(setup, {}, Cpu{2});
  const fluid::NsTotals before = model->totals();
  model->advance(20);
  const fluid::NsTotals after = model->totals();
  for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(after.velocity[m], before.velocity[m], 1e-14);
  EXPECT_NEAR(after.scalar, before.scalar, 1e-14);
}

/// The same flow with axes renamed: x to z, with a wall along it.
TEST(NsModel, axes_are_alike)
{
  using Kind = fluid::NsEnd::Kind;
  const auto along = [](int axis) {
    NsSetup s;
    s.cells = axis == 0 ? Index3{16, 1, 12} : Index3{12, 1, 16};
    s.spacing = {axis == 0 ? 1. / 16 : 1. / 12, 1};
    s.faces = fluid::stretched_faces(s.cells.k, 1, 0);
    s.step = 0.005;
    s.viscosity = 0.01;
    const std::size_t wall = axis == 0 ? 0 : 2, other = 2 - wall;
    s.ends[wall][0].kind = s.ends[wall][1].kind = Kind::wall;
    s.ends[wall][1].velocity[other] = 0.5;
    s.velocity = [axis](double x, double, double z) -> std::array<double, 3> {
      const double a = axis == 0 ? x : z, b = axis == 0 ? z : x;
      const double across = std::sin(std::numbers::pi * a) * std::cos(2 * std::numbers::pi * b);
      const double along_it = std::cos(3 * a) * std::sin(2 * std::numbers::pi * b);
      return axis == 0 ? std::array{across, 0., along_it} : std::array{along_it, 0., across};
    };
    return s;
  };
  const auto a = ns_of<double>(along(0), {}, Cpu{1}), b = ns_of<double>(along(2), {}, Cpu{1});
  a->advance(40);
  b->advance(40);
  const auto x = a->values("u"), z = b->values("w");
  for (Index k = 0; k < 12; ++k)
    for (Index i = 0; i < 16; ++i)
      EXPECT_NEAR(x[static_cast<std::size_t>(i + 16 * k)], z[static_cast<std::size_t>(k + 12 * i)],
                  1e-12);
}

TEST(NsModel, a_bulk_velocity_is_kept_and_its_force_told)
{
  NsSetup setup = busy_ns({16, 8, 12}, false);
  setup.has_scalar = false;
  setup.bulk_velocity = 0.25;
  const auto model = ns_of<double>(setup, world(), Cpu{1});
  model->advance(5);
  EXPECT_NEAR(model->totals().velocity[0], 0.25, 1e-14);
  EXPECT_NE(model->totals().force, setup.force[0]);
}

TEST(NsModel, float_follows_double)
{
  const NsSetup setup = busy_ns({16, 12, 14}, true);
  const auto a = ns_of<double>(setup, {}, Cpu{1}), b = ns_of<float>(setup, {}, Cpu{1});
  a->advance(10);
  b->advance(10);
  for (const char* name : {"u", "v", "w", "scalar"}) EXPECT_LT(difference(*a, *b, name), 1e-5);
}

TEST(NsModel, tells_the_first_cell_that_is_too_fast)
{
  NsSetup setup = busy_ns({16, 8, 12}, false);
  setup.courant_limit = 1e-3;
  const auto model = ns_of<double>(setup, world(), Cpu{1});
  const auto trouble = model->check();
  ASSERT_TRUE(trouble);
  EXPECT_NE(trouble->problem.find("CFL"), std::string::npos);
  EXPECT_EQ(trouble->cell, (Index3{0, 0, 0}));
}

void expect_refused(const NsSetup& setup, const std::string& part)
{
  try {
    ns_of<double>(setup, {}, Cpu{1});
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(NsModel, refuses_what_makes_no_sense)
{
  const NsSetup good = busy_ns({16, 8, 12}, false);
  NsSetup s = good;
  s.faces.pop_back();
  expect_refused(s, "12 faces along z for 12 cells");
  s = good;
  s.faces[4] = s.faces[3];
  expect_refused(s, "do not ascend");
  s = good;
  s.ends[0][0].kind = fluid::NsEnd::Kind::wall;
  expect_refused(s, "one end along x is periodic and the other is not");
  s = good;
  s.ends[2][1].velocity[2] = 0.1;
  expect_refused(s, "moves through itself");
  s = good;
  s.step = 0;
  expect_refused(s, "step");
}

TEST(NsValidation, quick_gates_pass)
{
  fluid::NsValidation options;
  options.quick = true;
  const auto gates = validate_ns(world(), Cpu{1}, comm::Transport::host, options);
  EXPECT_GT(gates.size(), 15U);
  for (const job::Gate& gate : gates)
    EXPECT_TRUE(gate.pass()) << gate.case_name << ", " << gate.quantity << ": " << gate.value
                             << " against " << gate.target;
}

TEST(NsCase, keys_survive_printing)
{
  for (const fluid::NsNamedCase& named : fluid::ns_cases()) {
    fluid::NsCase a = named.make(), b;
    job::Schema from, to;
    bind(from, a);
    bind(to, b);
    to.parse(from.print(), "printed");
    EXPECT_EQ(physics_digest(a), physics_digest(b)) << named.name;
  }
}

}  // namespace
}  // namespace helicity::test
