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

TEST(StormOracle, float_agrees_to_its_precision)
{
  EXPECT_LT(largest_difference<float>(busy_storm({13, 1, 9}), 3), 2e-3);
}

}  // namespace
}  // namespace helicity::test
