// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/timer.hpp>
#include <helicity/core/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace helicity {
namespace {

TEST(Version, HasThreeNumbers)
{
  EXPECT_EQ(std::ranges::count(version(), '.'), 2);
  EXPECT_EQ(build_info().version, version());
}

TEST(Version, NamesEachFeatureAndWhy)
{
  const auto features = build_info().features;
  for (const char* name : {"cuda", "mpi", "hdf5", "hts", "fftw"}) {
    const auto feature = std::ranges::find(features, name, &Feature::name);
    ASSERT_NE(feature, features.end()) << name;
    EXPECT_FALSE(feature->detail.empty()) << name;
  }
}

TEST(Timer, GoesForward)
{
  double sum = 0;
  {
    const ScopedTimer timer(sum);
  }
  EXPECT_GE(sum, 0);
  EXPECT_LT(sum, 60);
}

}  // namespace
}  // namespace helicity
