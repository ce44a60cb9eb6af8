// SPDX-License-Identifier: Apache-2.0
#include "plain_storm.hpp"
#include "storm.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace helicity::test {
namespace {

/// Largest difference of theta', u, v, w, p' (in hPa) after some steps.
template <class T>
double largest_difference(const weather::StormSetup& setup, int steps)
{
  const auto model = model_of<T>(setup, {}, Cpu{2});
  PlainStorm plain(setup, model->column());
  for (int n = 0; n < steps; ++n) plain.step();
  model->advance(steps);
  constexpr const char* names[] = {"theta_perturbation", "u", "v", "w", "pressure_perturbation"};
  double worst = 0;
  for (std::size_t m = 0; m < 5; ++m) {
    const auto ours = model->values(names[m]);
    std::size_t at = 0;
    for (Index k = 0; k < setup.cells.k; ++k)
      for (Index j = 0; j < setup.cells.j; ++j)
        for (Index i = 0; i < setup.cells.i; ++i, ++at) {
          const double theirs = plain.at(i, j, k)[m];
          worst = std::max(worst, std::fabs(ours[at] - theirs) / (m == 4 ? 100 : 1));
        }
  }
  return worst;
}

TEST(StormOracle, slabs_agree)
{
  const weather::StormSetup setup = busy_storm({13, 1, 9});
  for (const int steps : {0, 1, 3})
    EXPECT_LT(largest_difference<double>(setup, steps), 1e-10) << steps;
}

TEST(StormOracle, spaces_agree)
{
  EXPECT_LT(largest_difference<double>(busy_storm({9, 8, 7}), 2), 1e-10);
}

TEST(StormOracle, other_ends_agree)
{
  weather::StormSetup setup = busy_storm({7, 9, 6});
  setup.periodic = {true, false};
  EXPECT_LT(largest_difference<double>(setup, 2), 1e-10);
  setup.periodic = {false, false};
  EXPECT_LT(largest_difference<double>(setup, 1), 1e-10);
}

TEST(StormOracle, beta_planes_agree)
{
  weather::StormSetup setup = busy_storm({7, 9, 6});
  setup.periodic = {true, false};
  setup.beta = 1e-6;
  EXPECT_LT(largest_difference<double>(setup, 2), 1e-10);
}

TEST(StormOracle, open_ends_agree)
{
  EXPECT_LT(largest_difference<double>(open_storm(busy_storm({13, 1, 9})), 3), 1e-10);
  EXPECT_LT(largest_difference<double>(open_storm(busy_storm({9, 8, 7})), 2), 1e-10);
  EXPECT_LT(largest_difference<double>(open_storm(busy_storm({8, 9, 6}), false), 2), 1e-10);
}

TEST(StormOracle, all_orders_of_advection_agree)
{
  for (int order = 1; order <= 6; ++order) {
    weather::StormSetup setup = busy_storm({11, 1, 8});
    setup.order_across = order;
    setup.order_up = 7 - order;
    EXPECT_LT(largest_difference<double>(setup, 2), 1e-10) << order;
  }
}

/// Largest difference of contents, in g/kg, after some steps; and of theta_rho by way of u, w, p'.
double water_difference(const weather::StormSetup& setup, int steps)
{
  const auto model = model_of<double>(setup, {}, Cpu{2});
  PlainStorm plain(setup, model->column());
  for (int n = 0; n < steps; ++n) plain.step();
  model->advance(steps);
  EXPECT_GT(plain.limited(), 20 * steps);
  double worst = 0;
  constexpr const char* names[] = {"vapour", "cloud_water", "u", "w", "pressure_perturbation"};
  for (int m = 0; m < 5; ++m) {
    const auto ours = model->values(names[m]);
    std::size_t at = 0;
    for (Index k = 0; k < setup.cells.k; ++k)
      for (Index j = 0; j < setup.cells.j; ++j)
        for (Index i = 0; i < setup.cells.i; ++i, ++at) {
          const auto air = plain.at(i, j, k);
          const double theirs = m < 2 ? plain.content(m, i, j, k) : m == 2 ? air[1] : air[m];
          const double scale = m < 2 ? 1000 : m == 4 ? 0.01 : 1;
          worst = std::max(worst, scale * std::fabs(ours[at] - theirs));
        }
  }
  return worst;
}

TEST(StormOracle, water_agrees)
{
  EXPECT_LT(water_difference(wet(busy_storm({13, 1, 9})), 3), 1e-10);
  EXPECT_LT(water_difference(wet(busy_storm({9, 8, 7}), 3), 2), 1e-10);
  weather::StormSetup setup = wet(busy_storm({9, 7, 6}));
  setup.periodic = {true, false};
  setup.diffusivity = 0;
  setup.order_across = 6;
  setup.order_up = 3;
  EXPECT_LT(water_difference(setup, 2), 1e-10);
}

TEST(StormOracle, water_carried_by_weno_agrees)
{
  weather::StormSetup setup = wet(busy_storm({13, 1, 9}));
  setup.weno = true;
  EXPECT_LT(water_difference(setup, 3), 1e-8);
  setup = wet(busy_storm({9, 7, 8}));
  setup.weno = true;
  setup.periodic = {false, false};
  EXPECT_LT(water_difference(setup, 2), 1e-8);
}

TEST(StormOracle, float_agrees_to_its_precision)
{
  EXPECT_LT(largest_difference<float>(busy_storm({13, 1, 9}), 3), 2e-3);
}

}  // namespace
}  // namespace helicity::test
