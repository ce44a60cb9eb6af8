// SPDX-License-Identifier: Apache-2.0
#include <helicity/weather/thermodynamics.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace helicity::test {
namespace {

using weather::Content;
using weather::MoistAir;

template <class T>
class Thermodynamics : public testing::Test
{
 protected:
  static constexpr double close = 16 * std::numeric_limits<T>::epsilon();
  MoistAir<T> air_ = weather::moist_air<T>({}, {});
};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Thermodynamics, Types, );

TYPED_TEST(Thermodynamics, saturation_pressures_are_those_of_the_tables)
{
  using T = TypeParam;
  const auto dcmip = weather::moist_air<T>({}, {}, weather::Saturation::klemp_wilhelmson);
  const auto water = [&](double t) {
    return double(weather::saturation_pressure(this->air_.over_water, T(t)));
  };
  // WMO / Goff-Gratch, Pa
  EXPECT_NEAR(water(273.15), 611.2, 0.2);
  EXPECT_NEAR(water(293.15), 2338.5, 5);
  EXPECT_NEAR(water(253.15), 125.4, 0.5);
  EXPECT_NEAR(double(weather::saturation_pressure(this->air_.over_ice, T(253.15))), 103.3, 0.6);
  EXPECT_NEAR(double(weather::saturation_pressure(dcmip.over_water, T(293.15))), 2338.5, 30);
  for (double t = 180; t < 330; t += 7.3) {
    const double h = 0.01, rate = (std::log(water(t + 3 * h)) - std::log(water(t - 3 * h)));
    EXPECT_NEAR(double(weather::steepness(this->air_.over_water, T(t))), rate / (6 * h),
                sizeof(T) == 4 ? 2e-4 : 1e-7);
  }
}

TYPED_TEST(Thermodynamics, latent_heats_follow_from_the_capacities)
{
  using T = TypeParam;
  const auto lv = [&](double t) { return double(weather::latent_heat(this->air_, T(t))); };
  const auto lf = [&](double t) { return double(weather::fusion_heat(this->air_, T(t))); };
  EXPECT_NEAR(lv(273.15), 2.501e6, this->close * 3e6);
  EXPECT_NEAR(lv(303.15), 2.501e6 - 30 * (4190 - 1870), this->close * 3e6);
  EXPECT_NEAR(lf(273.15), 3.34e5, this->close * 1e6);
  EXPECT_NEAR(lf(253.15), 3.34e5 - 20 * (4190 - 2106), this->close * 1e6);
}

/// What condenses, by bisection of es(T) / (Rv T) = vapour left, T from the energy.
/// @param full  saturated at the temperature given
long double condensed(const Content<double>& q, long double temperature, double full)
{
  const long double cvd = 1005.7L - 287.04L, cvv = 1870 - 461.5L, cl = 4190;
  const long double zero = 2.501e6L + (4190 - 1870) * 273.15L;
  const auto capacity = [&](long double x) {
    return q.dry * cvd + (q.vapour - x) * cvv + (q.liquid + x) * cl + q.ice * 2106.0L;
  };
  const long double energy = capacity(0) * temperature + q.vapour * zero;
  const auto excess = [&](long double x) {
    const long double t = (energy - (q.vapour - x) * zero) / capacity(x);
    return (q.vapour - x) - 611.2L * std::exp(17.67L * (t - 273.15L) / (t - 29.65L)) / (461.5L * t);
  };
  // air that cools holds less than now
  long double low = -static_cast<long double>(full), high = q.vapour;
  for (int n = 0; n < 200; ++n) {
    const long double mid = (low + high) / 2;
    (excess(mid) > 0 ? low : high) = mid;
  }
  return low;
}

TYPED_TEST(Thermodynamics, condensation_ends_at_saturation_and_keeps_energy)
{
  using T = TypeParam;
  for (double t = 190; t < 315; t += 3.7)
    for (const double wet : {0.5, 0.8, 0.99, 1.0, 1.02, 1.3}) {
      const double e = 611.2 * std::exp(17.67 * (t - 273.15) / (t - 29.65));
      const Content<double> exact{1 - t / 500, wet * e / (461.5 * t), 1e-3, 1e-4};
      const Content<T> q{T(exact.dry), T(exact.vapour), T(exact.liquid), T(exact.ice)};
      const T c = weather::heat_capacity(this->air_, q);
      const T x = weather::condensation(this->air_, T(t), c, q.vapour,
                                        weather::saturation_pressure(this->air_.over_water, T(t)));
      const auto want = static_cast<double>(condensed(exact, t, e / (461.5 * t)));
      const double scale = e / (461.5 * t);
      EXPECT_NEAR(double(x), want, (sizeof(T) == 4 ? 3e-5 : 1e-12) * scale) << t << ' ' << wet;
      const T warmed = weather::warming(this->air_, T(t), c, x);
      const Content<T> after{q.dry, q.vapour - x, q.liquid + x, q.ice};
      const double before = double(weather::internal_energy(this->air_, q, T(t)));
      EXPECT_NEAR(double(weather::internal_energy(this->air_, after, T(t) + warmed)), before,
                  this->close * before);
    }
}

TYPED_TEST(Thermodynamics, theta_changes_as_the_power_of_pressure)
{
  using T = TypeParam;
  const double gamma = 1005.7 / (1005.7 - 287.04);
  for (const double warmed : {-20.0, -0.3, -1e-3, 0.0, 1e-5, 0.2, 4.0, 40.0})
    for (const double gained : {-0.01, 0.0, 1e-7, 0.004}) {
      const double gas = 1.1 * 287.04 + 0.012 * 461.5;
      const T change = weather::theta_change(this->air_, T(290), T(warmed), T(gas), T(gained));
      const double ratio = (290 + warmed) / 290 * (gas + 461.5 * gained) / gas;
      const double want = std::expm1(std::log1p(ratio - 1) / gamma);
      EXPECT_NEAR(double(change), want, 3 * this->close * std::fabs(want) + 1e-15);
    }
  for (const double x : {-0.29, -0.01, 0.0, 1e-9, 0.3})
    EXPECT_EQ(weather::unrolled_power_less_one(T(x), &this->air_.series[0]),
              weather::power_less_one(T(x), &this->air_.series[0]));
}

TYPED_TEST(Thermodynamics, temperatures_of_moist_air)
{
  using T = TypeParam;
  const double t = 285, p = 9e4, rv = 0.009, rt = 0.02, p00 = 1e5;
  const double rho_d = p / (287.04 + rv * 461.5) / t, rho = rho_d * (1 + rt);
  // p = rho R T_rho
  EXPECT_NEAR(double(weather::density_temperature(this->air_, T(t), T(rv), T(rt))),
              p / (rho * 287.04), this->close * t);
  EXPECT_NEAR(double(weather::potential_temperature(this->air_, T(t), T(p), T(p00))),
              t * std::pow(p00 / p, 287.04 / 1005.7), this->close * t);
  // Bryan & Fritsch (2002), eq. 23, in their numbers
  const double heat = 1005.7 + 4190 * rt, dry = p / (1 + rv * 461.5 / 287.04);
  const double lv = 2.501e6 - (4190 - 1870) * (t - 273.15);
  EXPECT_NEAR(double(weather::equivalent_temperature(this->air_, T(t), T(p), T(rv), T(rt), T(p00))),
              t * std::pow(p00 / dry, 287.04 / heat) * std::exp(lv * rv / (heat * t)),
              this->close * 400);
}

}  // namespace
}  // namespace helicity::test
