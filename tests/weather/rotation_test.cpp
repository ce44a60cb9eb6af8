// SPDX-License-Identifier: Apache-2.0
// The Coriolis force against exact solutions.
#include "storm.hpp"

#include <helicity/core/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace helicity::test {
namespace {

using std::numbers::pi;
using weather::GridPoint;
using weather::StormInitial;
using weather::StormSetup;

StormSetup calm(Index3 cells, double spacing, double step)
{
  StormSetup s;
  s.cells = cells;
  s.spacing = {spacing, spacing, 1000};
  s.step = step;
  s.theta = [](double) { return 300.; };
  return s;
}

TEST(Rotation, turns_a_uniform_wind_clockwise)
{
  for (const Index rows : {Index{1}, Index{6}}) {
    StormSetup s = calm({8, rows, 4}, 2000, 10);
    s.coriolis = 1e-3;
    s.initial = [](const GridPoint&) {
      StormInitial v;
      v.velocity[0] = 5;
      return v;
    };
    const auto model = model_of<double>(s, {}, Cpu{1});
    model->advance(250);
    const double angle = 250 * s.step * s.coriolis;
    for (const double u : model->values("u")) ASSERT_NEAR(u, 5 * std::cos(angle), 2e-5);
    for (const double v : model->values("v")) ASSERT_NEAR(v, -5 * std::sin(angle), 2e-5);
  }
}

/// Phase speed -beta / (k^2 + l^2) of a Rossby wave in a channel much narrower than the radius of
/// deformation of sound.
TEST(Rotation, moves_rossby_waves_westwards)
{
  StormSetup s = calm({40, 20, 4}, 10000, 60);
  s.periodic = {true, false};
  s.coriolis = 1e-4;
  s.beta = 1e-9;
  const double k = 2 * pi / 400e3, l = pi / 200e3;
  s.initial = [=](const GridPoint& p) {
    StormInitial v;
    v.velocity = {-0.5 * l / k * std::sin(k * p.x) * std::cos(l * p.y),
                  0.5 * std::cos(k * p.x) * std::sin(l * p.y), 0};
    return v;
  };
  const auto model = model_of<double>(s, {}, Cpu{1});
  model->advance(800);
  const std::vector<double> v = model->values("v");
  double in = 0, out = 0;  // parts of cos(k x) and sin(k x)
  for (Index j = 0; j < 20; ++j)
    for (Index i = 0; i < 40; ++i) {
      const double x = (static_cast<double>(i) + 0.5) * 10000, y = static_cast<double>(j) * 10000;
      const double part = v[static_cast<std::size_t>(i + 40 * j)] * std::sin(l * y);
      in += part * std::cos(k * x) / 200;
      out += part * std::sin(k * x) / 200;
    }
  const double speed = std::atan2(out, in) / k / (800 * s.step);
  EXPECT_NEAR(speed, -s.beta / (k * k + l * l), 0.02 * 2.03);
  EXPECT_NEAR(std::hypot(in, out), 0.5, 0.01);
}

TEST(Rotation, of_a_beta_plane_needs_ends_along_y)
{
  StormSetup s = calm({8, 8, 4}, 1000, 5);
  s.beta = 1e-11;
  EXPECT_THROW(model_of<double>(s, {}, Cpu{1}), UsageError);
  s.periodic[1] = false;
  EXPECT_NO_THROW(model_of<double>(s, {}, Cpu{1}));
}

}  // namespace
}  // namespace helicity::test
