// SPDX-License-Identifier: Apache-2.0
#include "storm.hpp"

#include <helicity/core/error.hpp>
#include <helicity/job/gates.hpp>
#include <helicity/weather/storm_case.hpp>
#include <helicity/weather/storm_validation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace helicity::test {
namespace {

using weather::GridPoint;
using weather::StormInitial;
using weather::StormSetup;

TEST(StormModel, rest_stays_at_rest_to_the_last_bit)
{
  for (const Index3 cells : {Index3{12, 1, 20}, Index3{9, 8, 11}}) {
    StormSetup setup = busy_storm(cells);
    setup.initial = nullptr;
    setup.wind = nullptr;
    const auto model = model_of<double>(setup, {}, Cpu{1});
    model->advance(30);
    for (const char* name : {"u", "v", "w", "theta_perturbation", "pressure_perturbation"})
      for (const double x : model->values(name)) ASSERT_EQ(x, 0) << name;
  }
}

TEST(StormModel, mass_and_theta_stay_to_round_off)
{
  StormSetup setup = busy_storm({19, 13, 11});
  setup.damping_rate = 0;
  const auto model = model_of<double>(setup, {}, Cpu{2});
  const auto before = model->totals();
  model->advance(100);
  const auto after = model->totals();
  EXPECT_NEAR(after.mass / before.mass, 1, 1e-14);
  EXPECT_NEAR(after.theta / before.theta, 1, 1e-14);
}

TEST(StormModel, rest_over_hills_stays_at_rest_to_the_last_bit)
{
  for (const Index3 cells : {Index3{22, 1, 20}, Index3{19, 18, 11}}) {
    StormSetup setup = hilly_storm(cells);
    setup.initial = nullptr;
    setup.wind = nullptr;
    const auto model = model_of<float>(setup, {}, Cpu{1});
    model->advance(30);
    for (const char* name : {"u", "v", "w", "theta_perturbation", "pressure_perturbation"})
      for (const double x : model->values(name)) ASSERT_EQ(x, 0) << name;
  }
}

TEST(StormModel, mass_and_theta_stay_to_round_off_over_hills)
{
  StormSetup setup = hilly_storm({19, 13, 11});
  setup.damping_rate = 0;
  const auto model = model_of<double>(setup, {}, Cpu{2});
  const auto before = model->totals();
  model->advance(100);
  const auto after = model->totals();
  EXPECT_FALSE(model->check());
  EXPECT_NEAR(after.mass / before.mass, 1, 1e-14);
  EXPECT_NEAR(after.theta / before.theta, 1, 1e-14);
}

/// Ground so low that it is flat to rounding gives the flow over flat ground: another code path.
TEST(StormModel, over_ground_that_is_hardly_there_air_moves_as_over_flat_ground)
{
  StormSetup setup = busy_storm({15, 12, 9});
  setup.diffusivity = 0;
  setup.coriolis = 0;
  StormSetup low = setup;
  low.terrain = [](double, double) { return 1e-13; };
  const auto a = model_of<double>(setup, {}, Cpu{1}), b = model_of<double>(low, {}, Cpu{1});
  a->advance(20);
  b->advance(20);
  for (const char* name : {"u", "v", "w", "theta_perturbation"}) {
    const auto va = a->values(name), vb = b->values(name);
    double worst = 0;
    for (std::size_t n = 0; n < va.size(); ++n) worst = std::max(worst, std::fabs(va[n] - vb[n]));
    EXPECT_LT(worst, 3e-3) << name;  // the reference differs by the truncation of its balance
  }
}

TEST(StormModel, heights_follow_the_ground)
{
  StormSetup setup = hilly_storm({15, 12, 9});
  setup.terrain = [](double, double) { return 135.; };  // a tenth of the height of the domain
  const auto z = model_of<double>(setup, {}, Cpu{1})->values("height");
  EXPECT_NEAR(z.front(), 135 + 0.9 * 75, 1e-9);
  EXPECT_NEAR(z.back(), 135 + 0.9 * (8 * 150 + 75), 1e-9);
}

StormSetup mapped(const StormSetup& setup, const std::function<Index3(Index3)>& from,
                  const std::function<StormInitial(StormInitial)>& turn)
{
  StormSetup s = setup;
  s.initial = [f = setup.initial, from, turn](const GridPoint& p) {
    GridPoint q = p;
    q.twice = from(p.twice);
    return turn(f(q));
  };
  return s;
}

std::size_t place(Index3 n, Index3 c)
{
  return static_cast<std::size_t>(c.i + n.i * (c.j + n.j * c.k));
}

/// Whether variable a of one storm is sign times variable b of another, cell c of the one being
/// map(c) of the other.
bool same(weather::StormModel& one, weather::StormModel& other, const char* a, const char* b,
          double sign, const std::function<Index3(Index3)>& map)
{
  const auto va = one.values(a), vb = other.values(b);
  const Index3 n = one.decomposition().cells(), m = other.decomposition().cells();
  for (Index k = 0; k < n.k; ++k)
    for (Index j = 0; j < n.j; ++j)
      for (Index i = 0; i < n.i; ++i)
        if (va[place(n, {i, j, k})] != sign * vb[place(m, map({i, j, k}))]) return false;
  return true;
}

void check_mirror(StormSetup setup, int axis)
{
  setup.coriolis = 0;
  StormSetup other = mapped(
      setup,
      [=, n = 2 * setup.cells[axis]](Index3 twice) { return twice[axis] = n - twice[axis], twice; },
      [=](StormInitial v) { return v.velocity[static_cast<std::size_t>(axis)] *= -1, v; });
  other.wind = [wind = setup.wind, axis](double z) {
    auto [u, v] = wind(z);
    return axis == 0 ? std::pair(-u, v) : std::pair(u, -v);
  };
  const auto a = model_of<double>(setup, {}, Cpu{1}), b = model_of<double>(other, {}, Cpu{1});
  a->advance(7);
  b->advance(7);
  const auto map = [&](Index3 c) { return c[axis] = setup.cells[axis] - 1 - c[axis], c; };
  constexpr const char* names[] = {"velocity_x", "velocity_y", "velocity_z", "theta_perturbation",
                                   "pressure_perturbation"};
  for (int m = 0; m < 5; ++m)
    EXPECT_TRUE(same(*a, *b, names[m], names[m], m == axis ? -1 : 1, map)) << names[m] << axis;
  if (setup.species == 0) return;
  for (const char* name : {"vapour", "cloud_water", "rain_water", "rain"})
    EXPECT_TRUE(same(*a, *b, name, name, 1, map)) << name << axis;
}

TEST(StormModel, mirrored_storms_are_mirror_images_to_the_bit)
{
  StormSetup setup = busy_storm({19, 13, 8});
  setup.initial = [](const GridPoint& p) {  // symmetric planes, so that both see the same ends
    StormInitial v;
    const auto i = static_cast<double>(p.twice.i), j = static_cast<double>(p.twice.j),
               k = static_cast<double>(p.twice.k);
    v.theta = 2 * std::sin(0.9 * i + 0.3 * j) * std::cos(k);
    v.velocity = {3 * std::sin(0.7 * i * j), 2 * std::cos(1.1 * j * k), std::sin(i * j)};
    return v;
  };
  setup.periodic = {false, false};
  check_mirror(setup, 0);
  check_mirror(setup, 1);
  check_mirror(raining(setup), 0);
  check_mirror(raining(setup, weather::Scheme::klemp_wilhelmson), 1);
  for (const bool separate : {false, true})
    for (const int axis : {0, 1}) check_mirror(mixed(setup, separate), axis);
  for (const int axis : {0, 1}) check_mirror(energetic(setup), axis);
  setup.diffusivity = 0;
  setup.terrain = [](double x, double y) {
    const double a = (x - 1900) / 800, b = (y - 1625) / 700;
    return 160 / (1 + a * a + b * b);
  };
  check_mirror(setup, 0);
  check_mirror(setup, 1);
  check_mirror(raining(setup), 0);
  for (const int axis : {0, 1}) check_mirror(mixed(setup, true), axis);
  setup.terrain = nullptr;
  setup.cells = {33, 1, 9};
  setup.periodic = {false, true};
  check_mirror(setup, 0);
}

TEST(StormModel, a_storm_moved_by_a_cell_is_the_same_to_the_bit)
{
  StormSetup setup = raining(busy_storm({19, 13, 8}));
  setup.periodic = {true, true};
  for (const int axis : {0, 1}) {
    const Index n = setup.cells[axis];
    const StormSetup other = mapped(
        setup,
        [=](Index3 twice) { return twice[axis] = (twice[axis] + 2 * n - 2) % (2 * n), twice; },
        [](StormInitial v) { return v; });
    const auto a = model_of<float>(setup, {}, Cpu{1}), b = model_of<float>(other, {}, Cpu{1});
    a->advance(7);
    b->advance(7);
    const auto map = [=](Index3 c) { return c[axis] = (c[axis] + 1) % n, c; };
    for (const char* name : {"u", "v", "w", "theta_perturbation", "vapour", "rain_water", "rain"})
      EXPECT_TRUE(same(*a, *b, name, name, 1, map)) << name << axis;
  }
}

void check_turn(StormSetup setup)
{
  setup.coriolis = 0;
  const auto swap = [](Index3 c) { return Index3{c.j, c.i, c.k}; };
  StormSetup other = mapped(
      setup, swap, [](StormInitial v) { return std::swap(v.velocity[0], v.velocity[1]), v; });
  other.cells = swap(setup.cells);
  std::swap(other.spacing[0], other.spacing[1]);
  std::swap(other.periodic[0], other.periodic[1]);
  other.wind = [wind = setup.wind](double z) {
    const auto [u, v] = wind(z);
    return std::pair(v, u);
  };
  const auto a = model_of<double>(setup, {}, Cpu{1}), b = model_of<double>(other, {}, Cpu{1});
  a->advance(7);
  b->advance(7);
  EXPECT_TRUE(same(*a, *b, "u", "v", 1, swap));
  EXPECT_TRUE(same(*a, *b, "v", "u", 1, swap));
  EXPECT_TRUE(same(*a, *b, "w", "w", 1, swap));
  EXPECT_TRUE(same(*a, *b, "theta_perturbation", "theta_perturbation", 1, swap));
  if (setup.species == 0) return;
  for (const char* name : {"vapour", "cloud_water", "rain_water"})
    EXPECT_TRUE(same(*a, *b, name, name, 1, swap)) << name;
}

TEST(StormModel, a_storm_turned_from_x_to_y_is_the_same_to_the_bit)
{
  check_turn(busy_storm({14, 11, 8}));
  check_turn(raining(busy_storm({14, 11, 8})));
  check_turn(mixed(busy_storm({14, 11, 8}), true));
  check_turn(mixed(busy_storm({14, 11, 8}), false));
  check_turn(energetic(busy_storm({14, 11, 8})));
}

void check_slab(StormSetup setup)
{
  setup.initial = [f = setup.initial](const GridPoint& p) {
    GridPoint q = p;
    q.twice.j = 1;
    return f(q);
  };
  StormSetup wide = setup;
  wide.cells.j = 6;
  const auto check = [&](const std::vector<const char*>& names) {
    const auto a = model_of<double>(setup, {}, Cpu{1}), b = model_of<double>(wide, {}, Cpu{1});
    a->advance(6);
    b->advance(6);
    for (const char* name : names)
      EXPECT_TRUE(same(*a, *b, name, name, 1, [](Index3 c) { return c.j = 3, c; })) << name;
  };
  check({"u", "v", "w", "theta_perturbation"});
  if (setup.mixing.closure != weather::Closure::none) return;  // of dry air
  for (StormSetup* s : {&setup, &wide}) {
    *s = raining(*s);
    s->coriolis = 0;  // what leaves a cell along y, and comes back, is limited in the space only
    s->wind = [](double z) { return std::pair(6 + 0.002 * z, 0.); };
    s->initial = [f = s->initial](const GridPoint& p) {
      GridPoint q = p;
      q.twice.j = 1;
      StormInitial v = f(q);
      v.velocity[1] = 0;
      return v;
    };
  }
  check({"u", "w", "theta_perturbation", "vapour", "cloud_water", "rain_water", "rain"});
}

TEST(StormModel, a_slab_is_the_space_in_which_nothing_depends_on_y)
{
  check_slab(busy_storm({21, 1, 9}));
  StormSetup setup = mixed(busy_storm({21, 1, 9}), true);
  setup.spacing[1] = setup.spacing[0];  // so that lengths are the same
  check_slab(setup);
}

TEST(StormModel, tells_what_is_sent_before_it_is_made)
{
  weather::StormCase c = weather::storm_case("custom");
  c.steps = 1;
  for (const std::array<std::int64_t, 3> cells :
       {std::array<std::int64_t, 3>{37, 26, 6}, {60, 1, 9}})
    for (const char* end : {"periodic", "symmetry"}) {
      c.cells = cells;
      c.ends[0] = end;
      weather::StormCase config = c;
      resolve(config);
      const comm::Decomposition split({cells[0], cells[1], cells[2]}, world().size(),
                                      decomposition_options(config));
      const job::Cost plan = plan_storm(config, world(), split)->cost();
      const job::Cost made = weather::make_storm<float>(make_setup(config), world(), split, Cpu{1},
                                                        comm::Transport::host)
                                 ->cost();
      EXPECT_EQ(plan.messages, made.messages);
      EXPECT_EQ(plan.bytes_sent, made.bytes_sent);
      EXPECT_EQ(plan.memory, made.memory);
      EXPECT_EQ(made.messages > 0, world().size() > 1);
    }
}

TEST(StormModel, isochoric_start_keeps_the_density_of_the_column)
{
  StormSetup setup = busy_storm({9, 8, 6});
  setup.wind = nullptr;
  setup.initial = [](const GridPoint& p) {
    StormInitial s;
    s.theta = p.twice == Index3{7, 5, 3} ? 2 : 0;
    s.isochoric = true;
    return s;
  };
  const auto model = model_of<double>(setup, {}, Cpu{1});
  const auto rho = model->values("density_perturbation"),
             theta = model->values("theta_perturbation"),
             p = model->values("pressure_perturbation");
  const std::size_t hot = 3 + 9 * (2 + 8 * 1);
  for (std::size_t n = 0; n < rho.size(); ++n) {
    EXPECT_EQ(rho[n], 0);
    EXPECT_NEAR(theta[n], n == hot ? 2 : 0, 1e-12);
  }
  const double base = model->column().pressure[1], gamma = setup.constants.gamma();
  EXPECT_NEAR(p[hot], base * (std::pow(1 + 2 / model->column().theta[1], gamma) - 1), 1e-8 * base);
}

TEST(StormModel, tells_the_first_cell_that_is_not_finite_or_too_fast)
{
  StormSetup setup = busy_storm({16, 12, 8});
  setup.wind = nullptr;
  setup.initial = [](const GridPoint& p) {
    StormInitial s;
    if (p.twice == Index3{21, 15, 7}) s.theta = std::nan("");
    return s;
  };
  const auto sick = model_of<float>(setup, world(), Cpu{1})->check();
  ASSERT_TRUE(sick);
  EXPECT_EQ(sick->cell, (Index3{10, 7, 3}));
  EXPECT_EQ(sick->problem, "is not finite");

  setup.initial = [](const GridPoint& p) {
    StormInitial s;
    if (p.twice == Index3{10, 5, 9} || p.twice == Index3{20, 3, 11}) s.velocity[0] = 300;
    return s;
  };
  const auto fast = model_of<float>(setup, world(), Cpu{1})->check();
  ASSERT_TRUE(fast);
  EXPECT_EQ(fast->cell, (Index3{5, 2, 4}));
  EXPECT_EQ(fast->variable, "velocity");
  EXPECT_NE(fast->problem.find("CFL"), std::string::npos);
}

TEST(StormModel, a_step_three_times_too_long_is_found_within_20_steps)
{
  weather::StormCase c = weather::storm_case("density-current");
  resolve(c);
  StormSetup setup = make_setup(c);
  setup.step *= 3;
  const auto model = model_of<float>(setup, world(), Cpu{1});
  for (int n = 0; n < 20 && !model->check(); ++n) model->advance(1);
  EXPECT_TRUE(model->check());
}

TEST(StormModel, refuses_setups_that_make_no_sense)
{
  const auto make = [](const StormSetup& s) { return model_of<float>(s, {}, Cpu{1}); };
  const StormSetup good = busy_storm({8, 8, 6});
  EXPECT_NO_THROW(make(good));
  const auto refused = [&](const std::function<void(StormSetup&)>& spoil) {
    StormSetup s = good;
    spoil(s);
    EXPECT_THROW(make(s), UsageError);
  };
  refused([](StormSetup& s) { s.step = 0; });
  refused([](StormSetup& s) { s.short_steps = 5; });
  refused([](StormSetup& s) { s.order_up = 7; });
  refused([](StormSetup& s) { s.cells.i = 4; });
  refused([](StormSetup& s) { s.cells.k = 1; });
  refused([](StormSetup& s) { s.theta = nullptr; });
  refused([](StormSetup& s) { s.theta = [](double z) { return 300 - z / 1000; }; });
  refused([](StormSetup& s) {
    s.diffusivity = 0;
    s.terrain = [](double x, double) { return x > 800 ? 300. : 0; };
  });
  refused([](StormSetup& s) {
    s.diffusivity = 0;
    s.terrain = [](double, double) { return 600.; };
  });
  EXPECT_THROW(model_of<float>(good, {}, Cpu{1})->values("temperatur"), UsageError);
}

TEST(StormModel, slices_through_the_middle_are_whole_on_rank_0)
{
  StormSetup setup = busy_storm({16, 12, 8});
  const auto model = model_of<double>(setup, world(), Cpu{1});
  const auto slice = model->slice("velocity_z", 1);
  if (world().rank() != 0) {
    EXPECT_TRUE(slice.values.empty());
    return;
  }
  EXPECT_EQ(slice.nx, 16);
  EXPECT_EQ(slice.ny, 8);
  EXPECT_EQ(slice.values.size(), 128u);
}

TEST(StormValidation, quick_gates_pass)
{
  const auto gates =
      weather::validate_storm(world(), Cpu{1}, comm::Transport::host, {.quick = true});
  EXPECT_GE(gates.size(), 24u);
  EXPECT_TRUE(job::all_pass(gates)) << job::table(gates);
  EXPECT_THROW(
      weather::validate_storm(world(), Cpu{1}, comm::Transport::host, {.cases = {"bubble-damp"}}),
      UsageError);
}

TEST(StormCases, resolve_to_what_they_say)
{
  weather::StormCase c = weather::storm_case("density-current");
  resolve(c);
  EXPECT_EQ(c.step, 1);
  EXPECT_EQ(c.short_steps, 6);
  EXPECT_EQ(c.steps, 900);
  EXPECT_THROW(weather::storm_case("density-curent"), UsageError);
  weather::StormCase slow = weather::storm_case("density-current");
  slow.step = 3;
  slow.short_steps = 6;
  EXPECT_THROW(resolve(slow), UsageError);
  weather::StormCase moist = weather::storm_case("bubble-moist");
  EXPECT_NO_THROW(resolve(moist));
  EXPECT_EQ(make_setup(moist).species, 2);
  moist.water = "none";
  EXPECT_THROW(resolve(moist), UsageError);
  weather::StormCase walls = weather::storm_case("bubble-dry");
  walls.ends[1] = "symmetry";
  EXPECT_THROW(resolve(walls), UsageError);
}

TEST(StormCases, the_coldest_air_of_the_density_current_is_as_published)
{
  weather::StormCase c = weather::storm_case("density-current");
  c.precision = "double";
  resolve(c);
  const auto model = model_of<double>(make_setup(c), {}, Cpu{1});
  const auto theta = model->values("theta_perturbation");
  EXPECT_NEAR(*std::min_element(theta.begin(), theta.end()), -16.624, 0.03);
}

}  // namespace
}  // namespace helicity::test
