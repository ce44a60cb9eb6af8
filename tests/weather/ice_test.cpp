// SPDX-License-Identifier: Apache-2.0
#include <helicity/weather/ice.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace helicity::test {
namespace {

using weather::MoistAir;
using weather::Parcel;

constexpr double pi = 3.14159265358979323846;

template <class T>
class Ice : public testing::Test
{
 protected:
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  Ice()
  {
    m_.scheme = weather::Scheme::ice;
    m_.air = weather::moist_air<T>({}, {});
    m_.step = T(5);
  }

  /// @param wet  vapour over what saturates above water
  Parcel<T> parcel(double temperature, double wet) const
  {
    Parcel<T> p;
    p.dry = T(1 - (300 - temperature) / 150);
    p.temperature = T(temperature);
    p.vapour = T(wet) * weather::saturation_pressure(m_.air.over_water, p.temperature) /
               (m_.air.gas_vapour * p.temperature);
    p.pressure = weather::gas_density(m_.air, p.dry, p.vapour) * p.temperature;
    return p;
  }

  static double water(const Parcel<T>& p)
  {
    double sum = 0;
    for (const T x : {p.vapour, p.cloud, p.rain, p.cloud_ice, p.snow, p.graupel}) sum += double(x);
    return sum;
  }

  weather::Microphysics<T> m_;
};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Ice, Types, );

/// Integral of f(D) N0 exp(-D / length) dD by the midpoint rule.
template <class F>
double over_sizes(double intercept, double length, F f)
{
  double sum = 0;
  const double step = length / 200;
  for (int n = 0; n < 8000; ++n) {
    const double d = (n + 0.5) * step;
    sum += f(d) * intercept * std::exp(-d / length) * step;
  }
  return sum;
}

TYPED_TEST(Ice, speeds_and_sweeps_are_integrals_over_sizes)
{
  using T = TypeParam;
  namespace ice = weather::ice;
  Parcel<T> p = this->parcel(263.15, 0.9);
  p.rain = T(6e-4), p.snow = T(9e-4), p.graupel = T(2e-3);
  const double thin = std::sqrt(1.28 / double(p.dry)), cold = 2e6 * std::exp(0.12 * 10);
  const auto check = [&](const ice::Sizes<T>& s, double x, double density, double n0, double a,
                         double b, T factor, T power) {
    const double length = double(s.length), close = 300 * this->epsilon + 1e-5;
    const auto mass = [&](double d) { return pi / 6 * density * d * d * d; };
    const auto speed = [&](double d) { return a * std::pow(d, b) * thin; };
    EXPECT_NEAR(over_sizes(n0, length, mass) / x, 1, close);
    const double flux = over_sizes(n0, length, [&](double d) { return mass(d) * speed(d); });
    EXPECT_NEAR(double(s.speed) / (flux / x), 1, close);
    const double sweep =
        over_sizes(n0, length, [&](double d) { return pi / 4 * d * d * speed(d); });
    EXPECT_NEAR(double(ice::swept(p, s, factor, power)) / sweep, 1, close);
  };
  check(ice::rain_sizes(p), 6e-4, 1000, 8e6, 841.9, 0.8, T(3103.91338), T(3.8));
  check(ice::snow_sizes(this->m_.air, p), 9e-4, 100, cold, 11.72, 0.41, T(27.7371621), T(3.41));
  check(ice::graupel_sizes(p), 2e-3, 500, 4e6, 330, 0.8, T(1216.64261), T(3.8));
  p.rain = 0;
  EXPECT_EQ(ice::rain_speed(p), 0);
  EXPECT_EQ(ice::cloud_ice_speed(p), 0);
}

TYPED_TEST(Ice, conserves_water_and_energy_whatever_is_there)
{
  using T = TypeParam;
  std::mt19937_64 random(5);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int n = 0; n < 20000; ++n) {
    Parcel<T> p = this->parcel(uniform(185, 310), uniform(0, 1.3));
    for (T* x : {&p.cloud, &p.rain, &p.cloud_ice, &p.snow, &p.graupel})
      if (uniform(0, 1) < 0.6) *x = T(std::pow(10, uniform(-15, -1.9)));
    this->m_.step = T(n % 3 == 0 ? 300 : 3);
    const Parcel<T> old = p;
    const T change = weather::ice::change_phases(this->m_, p);
    const double scale =
        double(weather::internal_energy(this->m_.air, content_of(old), old.temperature));
    EXPECT_NEAR(this->water(p), this->water(old), 8 * this->epsilon * this->water(old));
    EXPECT_NEAR(double(weather::internal_energy(this->m_.air, content_of(p), p.temperature)), scale,
                16 * this->epsilon * std::fabs(scale));
    for (const T x : {p.vapour, p.cloud, p.rain, p.cloud_ice, p.snow, p.graupel}) ASSERT_GE(x, 0);
    const double ratio =
        double(weather::gas_density(this->m_.air, p.dry, p.vapour) * p.temperature) /
        double(weather::gas_density(this->m_.air, old.dry, old.vapour) * old.temperature);
    EXPECT_NEAR(double(change), std::pow(ratio, (1005.7 - 287.04) / 1005.7) - 1, 8 * this->epsilon);
  }
}

TYPED_TEST(Ice, goes_the_right_way)
{
  using T = TypeParam;
  const auto run = [&](Parcel<T> p, int steps) {
    for (int n = 0; n < steps; ++n) {
      weather::ice::change_phases(this->m_, p);
      p.pressure = weather::gas_density(this->m_.air, p.dry, p.vapour) * p.temperature;
    }
    return p;
  };
  // dry air without water stays as it is
  const Parcel<T> dry = this->parcel(250, 0), after = run(dry, 3);
  EXPECT_EQ(after.temperature, dry.temperature);
  EXPECT_EQ(this->water(after), 0);
  // warm: all ice melts, and cools the air to no less than T0
  Parcel<T> p = this->parcel(276, 1);
  p.snow = T(1e-3), p.graupel = T(2e-3), p.cloud_ice = T(1e-4);
  Parcel<T> q = run(p, 400);
  EXPECT_EQ(q.cloud_ice, 0);
  EXPECT_LT(q.snow + q.graupel, T(1e-4));
  EXPECT_LT(q.temperature, p.temperature);
  EXPECT_GE(q.temperature, T(273.14));
  // very cold: cloud freezes at once
  p = this->parcel(230, 1);
  p.cloud = T(5e-4);
  q = run(p, 1);
  EXPECT_EQ(q.cloud, 0);
  EXPECT_GT(q.cloud_ice + q.snow, T(4.9e-4));
  EXPECT_GT(q.temperature, p.temperature);
  // between: ice grows where cloud evaporates (Bergeron), towards saturation over ice
  p = this->parcel(258, 1);
  p.cloud = T(2e-4), p.snow = T(5e-4);
  q = run(p, 200);
  EXPECT_LT(q.cloud, T(1e-6));
  EXPECT_GT(q.snow + q.graupel, T(6.5e-4));
  // graupel rimes, rain freezes
  p = this->parcel(263, 1);
  p.cloud = T(1e-3), p.graupel = T(1e-3), p.rain = T(1e-3);
  q = run(p, 30);
  EXPECT_LT(q.rain, T(5e-4));
  EXPECT_GT(q.graupel, T(1.5e-3));
  // snow sublimates in dry air
  p = this->parcel(260, 0.3);
  p.snow = T(3e-4);
  q = run(p, 100);
  EXPECT_LT(q.snow, p.snow);
  EXPECT_LT(q.temperature, p.temperature);
}

TYPED_TEST(Ice, reflectivity_of_rain_alone_is_that_of_rain)
{
  using T = TypeParam;
  Parcel<T> p = this->parcel(280, 1);
  p.rain = T(1e-3);
  const double rain = double(weather::rain_reflectivity(p.rain));
  EXPECT_NEAR(double(weather::ice::reflectivity(this->m_.air, p)), rain, 1e-3);
  p.graupel = T(2e-3);
  EXPECT_GT(double(weather::ice::reflectivity(this->m_.air, p)), rain);
  EXPECT_EQ(weather::ice::reflectivity(this->m_.air, this->parcel(280, 1)), 0);
}

}  // namespace
}  // namespace helicity::test
