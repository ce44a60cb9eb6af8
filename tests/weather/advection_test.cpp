// SPDX-License-Identifier: Apache-2.0
#include <helicity/weather/advection.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace helicity::test {
namespace {

using weather::Stencil;

/// Largest error of the flux difference of sin(x) moved by a unit of mass flux, on n cells. Cell
/// values are means, so that the interpolation is of its full order.
double error(int order, int n, double mass)
{
  const double h = 2 * std::numbers::pi / n;
  const auto mean = [h](int i) { return (std::cos(i * h) - std::cos((i + 1) * h)) / h; };
  const auto w = weather::weights_of_order<double>(order);
  const auto flux = [&](int i) {
    return weather::advective_flux(
        mass,
        Stencil<double>{mean(i - 3), mean(i - 2), mean(i - 1), mean(i), mean(i + 1), mean(i + 2)},
        w);
  };
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double exact = mass * (std::sin((i + 1) * h) - std::sin(i * h)) / h;
    worst = std::max(worst, std::fabs((flux(i + 1) - flux(i)) / h - exact));
  }
  return worst;
}

TEST(Advection, converges_at_its_order)
{
  for (int order = 1; order <= 6; ++order)
    for (const double mass : {1.0, -1.0}) {
      const double found = std::log2(error(order, 32, mass) / error(order, 64, mass));
      EXPECT_NEAR(found, order, 0.1) << order;
    }
}

TEST(Advection, keeps_constants)
{
  for (int order = 1; order <= 6; ++order) {
    const auto w = weather::weights_of_order<double>(order);
    EXPECT_NEAR(weather::advective_flux(0.7, Stencil<double>{3, 3, 3, 3, 3, 3}, w), 2.1, 1e-15);
  }
}

TEST(Advection, mirror_images_have_mirrored_bits)
{
  for (int order = 1; order <= 6; ++order) {
    const auto w = weather::weights_of_order<float>(order);
    const Stencil<float> q{0.1f, 0.7f, -0.3f, 1.9f, 2.3f, -0.11f};
    const Stencil<float> mirrored{q.a2, q.a1, q.a0, q.b0, q.b1, q.b2};
    EXPECT_EQ(weather::advective_flux(0.37f, q, w), -weather::advective_flux(-0.37f, mirrored, w));
  }
}

TEST(Advection, order_falls_next_to_lids)
{
  EXPECT_EQ(weather::order_near_lid(5, 3), 5);
  EXPECT_EQ(weather::order_near_lid(5, 2), 3);
  EXPECT_EQ(weather::order_near_lid(6, 2), 4);
  EXPECT_EQ(weather::order_near_lid(3, 2), 3);
  EXPECT_EQ(weather::order_near_lid(5, 1), 2);
  EXPECT_EQ(weather::order_near_lid(1, 1), 1);
}

}  // namespace
}  // namespace helicity::test
