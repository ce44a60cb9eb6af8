// SPDX-License-Identifier: Apache-2.0
#include "storm.hpp"

#include <helicity/core/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace helicity::test {
namespace {

using weather::StormSetup;

/// Slab and space, over flat ground and hills.
std::vector<StormSetup> storms()
{
  return {busy_storm({23, 1, 11}), busy_storm({14, 11, 9}), hilly_storm({23, 1, 11}),
          hilly_storm({19, 13, 9})};
}

TEST(StormWater, a_constant_content_stays_constant)
{
  for (StormSetup setup : storms())
    for (const bool weno : {false, true}) {
      setup.species = 3;
      setup.weno = weno;
      setup.vapour = [](double) { return 0.01; };
      setup.cloud = [](double) { return 0.003; };
      const auto model = model_of<double>(setup, {}, Cpu{1});
      model->advance(40);
      EXPECT_FALSE(model->check());
      for (const double q : model->values("vapour")) ASSERT_NEAR(q, 0.01, 1e-15 * 40);
      for (const double q : model->values("cloud_water")) ASSERT_NEAR(q, 0.003, 3e-16 * 40);
      for (const double q : model->values("rain_water")) ASSERT_EQ(q, 0);
    }
}

/// Sharp edges in all directions: nothing turns negative, and nothing is lost.
template <class T>
void check_conservation(double tolerance)
{
  for (StormSetup setup : storms())
    for (const bool weno : {false, true}) {
      setup = wet(setup, 6);
      setup.weno = weno;
      const auto model = model_of<T>(setup, {}, Cpu{2});
      const auto before = model->totals();
      for (int n = 0; n < 15; ++n) {
        model->advance(2);
        EXPECT_FALSE(model->check());
        for (const char* name : {"vapour", "cloud_water", "snow"})
          for (const double q : model->values(name)) ASSERT_GE(q, 0) << name;
      }
      const auto after = model->totals();
      EXPECT_GT(before.water, 0);
      EXPECT_NEAR(after.water / before.water, 1, tolerance);
      EXPECT_NEAR(after.mass / before.mass, 1, tolerance);
      EXPECT_EQ(after.fallen, 0);
    }
}

TEST(StormWater, is_never_negative_and_never_lost)
{
  check_conservation<double>(3e-14);
  check_conservation<float>(1e-6);
}

/// Carried water whose weight and heat are those of nothing leaves the air alone.
TEST(StormWater, air_with_species_that_are_not_there_is_dry_to_the_bit)
{
  for (const StormSetup& dry : storms()) {
    StormSetup none = dry;
    none.species = 6;
    const auto a = model_of<float>(dry, {}, Cpu{1}), b = model_of<float>(none, {}, Cpu{1});
    a->advance(6);
    b->advance(6);
    for (const char* name : {"u", "v", "w", "pressure_perturbation", "density_perturbation"})
      EXPECT_EQ(a->values(name), b->values(name)) << name;
  }
}

TEST(StormWater, moves_the_air)
{
  const StormSetup dry = busy_storm({14, 11, 9});
  const auto a = model_of<double>(dry, {}, Cpu{1}), b = model_of<double>(wet(dry), {}, Cpu{1});
  a->advance(3);
  b->advance(3);
  EXPECT_NE(a->values("w"), b->values("w"));
}

TEST(StormWater, that_falls_lies_on_the_ground)
{
  for (StormSetup setup : {busy_storm({23, 1, 11}), hilly_storm({15, 12, 7})})
    for (const auto scheme : {weather::Scheme::kessler, weather::Scheme::klemp_wilhelmson}) {
      setup = raining(setup, scheme);
      const auto model = model_of<double>(setup, {}, Cpu{2});
      const auto before = model->totals();
      model->advance(150);
      EXPECT_FALSE(model->check());
      const auto after = model->totals();
      EXPECT_GT(after.fallen, 1e-6 * before.water);
      EXPECT_NEAR((after.water + after.fallen) / before.water, 1, 1e-12);
      EXPECT_NEAR((after.mass - after.water) / (before.mass - before.water), 1, 1e-13);
      EXPECT_NEAR((after.mass + after.fallen) / before.mass, 1, 1e-13);
      const auto rain = model->values("rain");
      EXPECT_EQ(rain.front(),
                rain[rain.size() - static_cast<std::size_t>(setup.cells.i * setup.cells.j)]);
      EXPECT_GE(*std::min_element(rain.begin(), rain.end()), 0);
    }
}

/// theta_rho = theta (1 - q_t + q_v Rv / R).
TEST(StormWater, weighs_on_theta)
{
  StormSetup setup = busy_storm({9, 8, 6});
  setup.species = 2;
  setup.vapour = [](double z) { return z < 400 ? 0.01 : 0; };
  setup.cloud = [](double) { return 0.001; };
  setup.initial = [](const weather::GridPoint& p) {
    weather::StormInitial v;
    if (p.twice == Index3{5, 7, 1}) v.theta = 2, v.vapour = 0.004, v.cloud = 0.002;
    return v;
  };
  const auto model = model_of<double>(setup, {}, Cpu{1});
  const auto theta = model->values("theta_perturbation");
  const double ratio = setup.water.gas_vapour / setup.constants.gas,
               base = model->column().theta[0];
  const double now = (base + 2) / (1 - 0.017 + 0.014 * ratio),
               before = base / (1 - 0.011 + 0.01 * ratio);
  EXPECT_NEAR(theta[2 + 9 * 3], now - before, 1e-9);
  EXPECT_NEAR(theta[1 + 9 * 3], 0, 1e-9);
}

TEST(StormWater, that_is_no_number_or_less_than_nothing_is_told)
{
  StormSetup setup = wet(busy_storm({16, 12, 8}));
  setup.initial = [f = setup.initial](const weather::GridPoint& p) {
    auto v = f(p);
    if (p.twice == Index3{21, 15, 7}) v.vapour = std::numeric_limits<double>::infinity();
    return v;
  };
  const auto sick = model_of<float>(setup, world(), Cpu{1})->check();
  ASSERT_TRUE(sick);
  EXPECT_EQ(sick->cell, (Index3{10, 7, 3}));
  EXPECT_EQ(sick->variable, "water");
}

TEST(StormWater, setups_that_make_no_sense_are_refused)
{
  const auto make = [](const StormSetup& s) { return model_of<float>(s, {}, Cpu{1}); };
  const StormSetup good = wet(busy_storm({8, 8, 6}));
  EXPECT_NO_THROW(make(good));
  EXPECT_THROW(make(good)->values("rain_water"), UsageError);
  for (const int species : {-1, 0, 1, 4, 7}) {
    StormSetup s = good;
    s.species = species;
    EXPECT_THROW(make(s), UsageError) << species;
  }
  StormSetup s = good;
  s.scheme = weather::Scheme::kessler;
  EXPECT_THROW(make(s), UsageError);
  s.species = 3;
  EXPECT_NO_THROW(make(s));
}

}  // namespace
}  // namespace helicity::test
