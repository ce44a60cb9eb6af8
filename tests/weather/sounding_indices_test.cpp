// SPDX-License-Identifier: Apache-2.0
#include <helicity/weather/sounding_indices.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace helicity::weather;

Sounding weisman_klemp_sounding(double vapour)
{
  WeismanKlemp wk;
  wk.most_vapour = vapour;
  return sample(weisman_klemp(wk, 20000), quarter_circle_wind(), 25, "wk");
}

TEST(SoundingProfile, is_the_column_of_weisman_and_klemp)
{
  const MoistProfile profile = weisman_klemp({}, 20000);
  struct Row
  {
    double z, theta, vapour, pressure, temperature;
  };
  for (const Row& r : {Row{0, 300.000, 14.000, 1000.00, 300.000},
                       {1000, 301.925, 14.000, 891.81, 292.218},
                       {2000, 304.579, 10.236, 792.91, 285.060},
                       {3000, 307.601, 6.773, 702.71, 278.135},
                       {5000, 314.395, 2.755, 546.57, 264.604},
                       {8000, 325.903, 0.542, 365.41, 244.513},
                       {12000, 343.000, 0.024, 202.06, 217.304},
                       {18000, 451.467, 0.074, 78.86, 218.666}})
  {
    const auto air = profile.at(r.z);
    EXPECT_NEAR(air.theta, r.theta, 6e-4) << r.z;
    EXPECT_NEAR(1e3 * air.vapour, r.vapour, 6e-4) << r.z;
    EXPECT_NEAR(air.pressure / 100, r.pressure, 6e-3) << r.z;
    EXPECT_NEAR(air.temperature, r.temperature, 6e-4) << r.z;
  }
}

TEST(SoundingProfile, is_that_of_dcmip_too)
{
  WeismanKlemp wk;
  wk.dcmip = true;
  const MoistProfile profile = weisman_klemp(wk, 20000);
  const double z[] = {1000, 3000, 5000, 10000, 12000};
  const double p[] = {891.85, 702.78, 546.65, 274.15, 202.08};
  const double t[] = {292.211, 278.114, 264.567, 230.930, 217.206};
  for (int n = 0; n < 5; ++n) {
    EXPECT_NEAR(profile.at(z[n]).pressure / 100, p[n], 0.1) << z[n];
    EXPECT_NEAR(profile.at(z[n]).temperature, t[n], 0.12) << z[n];
  }
}

TEST(SoundingProfile, is_exact_for_dry_air)
{
  const Constants c;
  for (const double z : {0.0, 3.7, 1234.5, 9999.9}) {
    const double p_neutral = 1e5 * std::pow(1 - c.gravity * z / (c.heat * 300), c.heat / c.gas);
    EXPECT_NEAR(neutral_profile(300, 10000, 1e5).at(z).pressure, p_neutral, 1e-8 * p_neutral);
    const double p_iso = 9e4 * std::exp(-c.gravity * z / (c.gas * 250));
    EXPECT_NEAR(isothermal_profile(250, 10000, 9e4).at(z).pressure, p_iso, 1e-8 * p_iso);
    const double n2 = 1e-4, g = c.gravity;
    const double pi = 1 - g * g / (c.heat * 300 * n2) * (1 - std::exp(-n2 * z / g));
    const double p_n = 1e5 * std::pow(pi, c.heat / c.gas);
    EXPECT_NEAR(stratified_profile(300, 0.01, 10000, 1e5).at(z).pressure, p_n, 1e-8 * p_n);
  }
}

TEST(SoundingIndices, of_weisman_and_klemp)
{
  const auto moist = indices_of(weisman_klemp_sounding(0.014)).surface;
  EXPECT_NEAR(moist.cape, 1943, 19.4);
  EXPECT_NEAR(moist.cin, -47, 1);
  EXPECT_NEAR(moist.lcl, 1000, 25);
  EXPECT_NEAR(moist.lfc, 1600, 50);
  EXPECT_NEAR(moist.el, 11520, 50);
  const auto dry = indices_of(weisman_klemp_sounding(0.012)).surface;
  EXPECT_NEAR(dry.cape, 951, 9.5);
  EXPECT_NEAR(dry.cin, -93, 1);
}

TEST(SoundingIndices, of_the_quarter_circle)
{
  const Sounding s = weisman_klemp_sounding(0.014);
  const WindIndices wind = wind_indices(s);
  EXPECT_NEAR(wind.shear_6km, 31.8, 0.05);
  EXPECT_NEAR(wind.right_mover[0], 14.93, 0.02);
  EXPECT_NEAR(wind.right_mover[1], -1.21, 0.02);
  EXPECT_NEAR(wind.left_mover[0], 12.10, 0.02);
  EXPECT_NEAR(wind.left_mover[1], 13.52, 0.02);
  EXPECT_NEAR(storm_relative_helicity(s, 3000, wind.right_mover), 190, 1);
  EXPECT_NEAR(storm_relative_helicity(s, 3000, wind.left_mover), -21, 1);
  EXPECT_NEAR(storm_relative_helicity(s, 3000, {12.5, 3}), 118, 1);
  EXPECT_NEAR(storm_relative_helicity(s, 1000, wind.right_mover), 80, 1);
}

TEST(SoundingIndices, of_air_that_never_rises)
{
  const Sounding s = sample(isothermal_profile(250, 5000, 1e5), uniform_wind(3, 4), 100, "cold");
  const SoundingIndices found = indices_of(s);
  EXPECT_EQ(found.surface.cape, 0);
  EXPECT_EQ(found.surface.cin, 0);
  EXPECT_TRUE(std::isnan(found.surface.lfc));
  EXPECT_TRUE(std::isnan(found.wind.shear_6km));
  EXPECT_TRUE(std::isnan(found.freezing_level));
  EXPECT_EQ(found.wind.shear_3km, 0);
  EXPECT_EQ(found.precipitable_water, 0);
}

TEST(SoundingIndices, a_reversible_parcel_carries_its_water)
{
  const Sounding s = weisman_klemp_sounding(0.014);
  const auto pseudo = parcel_indices(s, surface_parcel(s), Ascent::pseudo_adiabatic);
  const auto reversible = parcel_indices(s, surface_parcel(s), Ascent::reversible);
  EXPECT_EQ(pseudo.lcl, reversible.lcl);
  EXPECT_LT(reversible.cape, pseudo.cape);
  EXPECT_GT(reversible.cape, 0.4 * pseudo.cape);
}

TEST(SoundingIndices, theta_e_is_kept_by_the_pseudo_adiabat)
{
  const double start = equivalent_potential_temperature(9e4, 290, saturation_ratio(9e4, 290));
  const double t = pseudo_adiabat(290, 9e4, 4e4);
  EXPECT_NEAR(equivalent_potential_temperature(4e4, t, saturation_ratio(4e4, t)), start, 1);
  EXPECT_NEAR(pseudo_adiabat(t, 4e4, 9e4), 290, 1e-6);
}

}  // namespace
