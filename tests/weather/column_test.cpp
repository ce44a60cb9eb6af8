// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/column.hpp>
#include <helicity/weather/diagnosis.hpp>
#include <helicity/weather/saturated_column.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace helicity::test {
namespace {

using weather::Column;
using weather::Constants;

TEST(Column, is_hydrostatic_as_the_model_sees_it)
{
  const Constants c;
  const double dz = 250;
  const Column col = weather::hydrostatic_column([](double z) { return 300 * std::exp(1e-5 * z); },
                                                 60, dz, 1e5, c);
  EXPECT_NEAR(col.pressure[0] + c.gravity * col.rho[0] * dz / 2, 1e5, 1e-9);
  for (std::size_t k = 1; k < 60; ++k)
    EXPECT_NEAR((col.pressure[k] - col.pressure[k - 1]) / dz,
                -c.gravity * (col.rho[k] + col.rho[k - 1]) / 2, 1e-12);
}

TEST(Column, of_neutral_air_is_the_exact_one_to_second_order)
{
  const Constants c;
  const auto error = [&](Index n) {
    const double dz = 6400. / static_cast<double>(n);
    const Column col = weather::hydrostatic_column([](double) { return 300.; }, n, dz, 1e5, c);
    const double z = 6400 - dz / 2;
    const double exact = 1e5 * std::pow(1 - c.gravity * z / (c.heat * 300), c.heat / c.gas);
    return std::fabs(col.pressure.back() - exact);
  };
  EXPECT_NEAR(std::log2(error(32) / error(64)), 2, 0.1);
}

TEST(Column, refuses_what_cannot_stand)
{
  const auto fails = [](auto theta, double dz, const char* text) {
    try {
      weather::hydrostatic_column(theta, 100, dz, 1e5, Constants{});
    } catch (const UsageError& e) {
      return std::string(e.what()).find(text) != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(fails([](double z) { return z < 1000 ? 300. : 299.; }, 100, "overturns"));
  EXPECT_TRUE(fails([](double) { return std::nan(""); }, 100, "above 0 K"));
  EXPECT_TRUE(fails([](double) { return 300.; }, 1000, "too high"));
}

template <class T>
double series_error(T limit)
{
  T series[weather::series_terms<T>];
  const double gamma = Constants{}.gamma();
  double term = 1, worst = 0;
  for (int n = 0; n < weather::series_terms<T>; ++n) {
    term *= (gamma - n) / (n + 1);
    series[n] = static_cast<T>(term);
  }
  for (int n = -1000; n <= 1000; ++n) {
    const T x = limit * static_cast<T>(n) / T(1000);
    if (x == 0) continue;
    const long double exact =
        std::expm1(static_cast<long double>(gamma) * std::log1p(static_cast<long double>(x)));
    worst = std::max(
        worst,
        static_cast<double>(std::fabs((weather::power_less_one(x, &series[0]) - exact) / exact)));
  }
  return worst;
}

TEST(Pressure, series_is_good_to_rounding)
{
  EXPECT_LT(series_error<double>(0.3), 3e-16);
  EXPECT_LT(series_error<float>(0.3f), 2e-7);
  const double zero = 0;
  double series[weather::series_terms<double>] = {1.4};
  EXPECT_EQ(weather::power_less_one(zero, &series[0]), 0);
}

TEST(SaturatedColumn, has_one_theta_e_and_is_hydrostatic)
{
  const weather::Constants air;
  const weather::MoistConstants water;
  const weather::SaturatedColumn column(320, 0.02, 10000, 1e5, air, water);
  for (double z = 5; z < 9990; z += 333) {
    const auto a = column.at(z), low = column.at(z - 4), high = column.at(z + 4);
    const double t = a.temperature, steam = a.vapour * 1.02, drops = a.cloud * 1.02;
    EXPECT_NEAR(steam + drops, 0.02, 1e-14);
    // The formulas of Bryan & Fritsch and of Bolton.
    const double e = 611.2 * std::exp(17.67 * (t - 273.15) / (t - 29.65));
    EXPECT_NEAR(steam, air.gas / water.gas_vapour * e / (a.pressure - e), 1e-9);
    const double latent =
        water.latent - (water.heat_liquid - water.heat_vapour) * (t - water.freezing);
    const double heat = air.heat + water.heat_liquid * 0.02;
    const double theta_e = t * std::pow(1e5 / (a.pressure - e), air.gas / heat) *
                           std::exp(latent * steam / (heat * t));
    EXPECT_NEAR(theta_e, 320, 1e-6);
    const double virtual_t = t * (1 + steam * water.gas_vapour / air.gas) / 1.02;
    EXPECT_NEAR((high.pressure - low.pressure) / 8,
                -air.gravity * a.pressure / (air.gas * virtual_t), 1e-5);
    EXPECT_NEAR(a.theta_rho, virtual_t * std::pow(1e5 / a.pressure, air.gas / air.heat), 1e-6);
  }
  const auto cool = column.at(2000), warm = column.raised(2000, 1.01);
  EXPECT_NEAR(warm.theta_rho / cool.theta_rho, 1.01, 1e-10);
  EXPECT_EQ(warm.pressure, cool.pressure);
  EXPECT_NEAR(warm.vapour + warm.cloud, cool.vapour + cool.cloud, 1e-14);
  EXPECT_GT(warm.vapour, cool.vapour);
  const auto hot = column.raised(0, 1.1);
  EXPECT_EQ(hot.cloud, 0);
  EXPECT_NEAR(hot.theta_rho / column.at(0).theta_rho, 1.1, 1e-10);
  EXPECT_THROW(weather::SaturatedColumn(320, 0.01, 10000, 1e5, air, water), UsageError);
  EXPECT_THROW(weather::SaturatedColumn(320, 0.02, 90000, 1e5, air, water), UsageError);
}

}  // namespace
}  // namespace helicity::test
