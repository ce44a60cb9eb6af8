// SPDX-License-Identifier: Apache-2.0
// Open ends: what leaves is gone, what is uniform stays so, and mirror images are mirror images.
#include "storm.hpp"

#include <helicity/core/error.hpp>
#include <helicity/weather/storm_case.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace helicity::test {
namespace {

using weather::GridPoint;
using weather::StormInitial;
using weather::StormSetup;

using Ends = std::array<std::array<bool, 2>, 2>;

constexpr Ends all_open{{{true, true}, {true, true}}};
constexpr const char* names[] = {"velocity_x", "velocity_y", "velocity_z", "theta_perturbation",
                                 "pressure_perturbation"};

StormSetup with_ends(StormSetup s, const Ends& open)
{
  s.open = open;
  s.periodic = {false, s.cells.j == 1};
  if (s.cells.j == 1) s.open[1] = {};
  return s;
}

double greatest(const std::vector<double>& v)
{
  double most = 0;
  for (const double x : v) most = std::max(most, std::fabs(x));
  return most;
}

TEST(OpenSides, rest_stays_at_rest_to_the_last_bit)
{
  for (StormSetup s : {busy_storm({12, 1, 20}), busy_storm({9, 8, 11}), hilly_storm({22, 1, 20}),
                       hilly_storm({19, 18, 11})})
  {
    s = with_ends(s, all_open);
    s.initial = nullptr;
    s.wind = nullptr;
    const auto model = model_of<double>(s, {}, Cpu{1});
    model->advance(30);
    for (const char* name : names) ASSERT_EQ(greatest(model->values(name)), 0) << name;
  }
}

TEST(OpenSides, uniform_flow_stays_uniform_to_rounding)
{
  for (const Index3 cells : {Index3{24, 1, 12}, Index3{15, 13, 9}})
    for (const double sign : {1., -1.}) {
      StormSetup s = with_ends(busy_storm(cells), all_open);
      s.initial = nullptr;
      s.diffusivity = 0;  // it would act on the shear next to the lids
      s.wind = [=](double z) { return std::pair(sign * (6 + 0.002 * z), sign * -3.0); };
      const auto model = model_of<double>(s, {}, Cpu{1});
      const auto u = model->values("u"), v = model->values("v");
      const double mass = model->totals().mass;
      model->advance(40);
      EXPECT_LT(greatest(model->values("w")), 1e-10);
      EXPECT_LT(greatest(model->values("theta_perturbation")), 1e-10);
      const auto u_after = model->values("u"), v_after = model->values("v");
      for (std::size_t n = 0; n < u.size(); ++n) {
        ASSERT_NEAR(u_after[n], u[n], 1e-10);
        ASSERT_NEAR(v_after[n], v[n], 1e-10);
      }
      EXPECT_NEAR(model->totals().mass / mass, 1, 1e-13);
    }
}

/// Stratified air at rest with warm air in the middle of `wide` cells, after 25 minutes in which
/// the fastest waves have gone from there to ends at 20 km and back, but not to ends at 80 km.
std::vector<double> after_a_pulse(Index wide, bool open, const char* variable)
{
  StormSetup s;
  s.cells = {wide, 1, 20};
  s.spacing = {500, 500, 500};
  s.step = 4;
  s.short_steps = 6;
  s.theta = [](double z) { return 300 * std::exp(1e-4 * z / 9.81); };
  const double middle = static_cast<double>(wide) * 250;
  s.initial = [=](const GridPoint& p) {
    const double x = (p.x - middle) / 4000;
    StormInitial v;
    v.theta = 0.5 * std::exp(-x * x) * std::sin(3.14159265358979 * p.z / 10000);
    return v;
  };
  s.periodic = {false, true};
  s.open[0] = {open, open};
  const auto model = model_of<double>(s, {}, Cpu{1});
  model->advance(375);
  const auto values = model->values(variable);
  std::vector<double> inner;  // 20 km on both sides of the middle
  for (Index k = 0; k < 20; ++k)
    for (Index i = wide / 2 - 40; i < wide / 2 + 40; ++i)
      inner.push_back(values[static_cast<std::size_t>(i + wide * k)]);
  return inner;
}

double squared_difference(const std::vector<double>& a, const std::vector<double>& b)
{
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += (a[n] - b[n]) * (a[n] - b[n]);
  return sum;
}

TEST(OpenSides, hardly_anything_of_a_pulse_comes_back)
{
  for (const char* name : {"velocity_x", "theta_perturbation"}) {
    const auto endless = after_a_pulse(640, false, name);
    const double walls = squared_difference(after_a_pulse(80, false, name), endless);
    const double open = squared_difference(after_a_pulse(80, true, name), endless);
    EXPECT_LT(open, 0.03 * walls) << name << " " << open << " " << walls;
  }
}

/// What is held at an inflow makes internal waves grow without end.
TEST(OpenSides, waves_in_a_wind_die_away)
{
  StormSetup s;
  s.cells = {40, 1, 20};
  s.spacing = {1000, 1000, 1000};
  s.step = 10;
  s.short_steps = 8;
  s.theta = [](double z) { return 300 * std::exp(1e-4 * z / 9.81); };
  s.wind = [](double) { return std::pair(10., 0.); };
  s.initial = [](const GridPoint& p) {
    const double x = (p.x - 20000) / 5000;
    StormInitial v;
    v.theta = 0.01 * std::exp(-x * x) * std::sin(3.14159265358979 * p.z / 20000);
    return v;
  };
  s.periodic = {false, true};
  s.open[0] = {true, true};
  const auto model = model_of<double>(s, {}, Cpu{1});
  model->advance(100);
  const double early = greatest(model->values("w"));
  model->advance(2900);
  EXPECT_LT(greatest(model->values("w")), 0.2 * early);
}

StormSetup mirrored(const StormSetup& setup, int axis)
{
  StormSetup s = setup;
  const auto a = static_cast<std::size_t>(axis);
  s.initial = [=, f = setup.initial, n = setup.cells[axis]](const GridPoint& p) {
    GridPoint q = p;
    q.twice[axis] = 2 * n - q.twice[axis];
    StormInitial v = f(q);
    v.velocity[a] *= -1;
    return v;
  };
  s.wind = [wind = setup.wind, axis](double z) {
    const auto [u, v] = wind(z);
    return axis == 0 ? std::pair(-u, v) : std::pair(u, -v);
  };
  std::swap(s.open[a][0], s.open[a][1]);
  return s;
}

void check_mirror(const StormSetup& setup, int axis)
{
  const auto a = model_of<double>(setup, {}, Cpu{1}),
             b = model_of<double>(mirrored(setup, axis), {}, Cpu{1});
  a->advance(9);
  b->advance(9);
  const Index3 n = setup.cells;
  for (int m = 0; m < 5; ++m) {
    const auto va = a->values(names[m]), vb = b->values(names[m]);
    Index at = 0;
    for (Index k = 0; k < n.k; ++k)
      for (Index j = 0; j < n.j; ++j)
        for (Index i = 0; i < n.i; ++i, ++at) {
          Index3 c{i, j, k};
          c[axis] = n[axis] - 1 - c[axis];
          const double other = vb[static_cast<std::size_t>(c.i + n.i * (c.j + n.j * c.k))];
          ASSERT_EQ(va[static_cast<std::size_t>(at)], m == axis ? -other : other)
              << names[m] << " " << axis << " at " << i << " " << j << " " << k;
        }
  }
}

TEST(OpenSides, mirrored_storms_are_mirror_images_to_the_bit)
{
  StormSetup s = busy_storm({19, 13, 8});
  s.coriolis = 0;
  for (const Ends& open : {all_open, Ends{{{true, false}, {false, true}}}}) {
    check_mirror(with_ends(s, open), 0);
    check_mirror(with_ends(s, open), 1);
  }
  StormSetup slab = busy_storm({33, 1, 9});
  slab.coriolis = 0;
  check_mirror(with_ends(slab, all_open), 0);
}

TEST(OpenSides, storms_turned_from_x_to_y_are_the_same_to_the_bit)
{
  StormSetup s = with_ends(busy_storm({14, 11, 8}), {{{true, false}, {true, true}}});
  s.coriolis = 0;
  StormSetup other = s;
  std::swap(other.cells.i, other.cells.j);
  std::swap(other.spacing[0], other.spacing[1]);
  std::swap(other.open[0], other.open[1]);
  other.wind = [wind = s.wind](double z) {
    const auto [u, v] = wind(z);
    return std::pair(v, u);
  };
  other.initial = [f = s.initial](GridPoint p) {
    std::swap(p.twice.i, p.twice.j);
    StormInitial v = f(p);
    std::swap(v.velocity[0], v.velocity[1]);
    return v;
  };
  const auto a = model_of<double>(s, {}, Cpu{1}), b = model_of<double>(other, {}, Cpu{1});
  a->advance(7);
  b->advance(7);
  const auto ua = a->values("u"), vb = b->values("v"), wa = a->values("w"), wb = b->values("w");
  Index at = 0;
  for (Index k = 0; k < 8; ++k)
    for (Index j = 0; j < 11; ++j)
      for (Index i = 0; i < 14; ++i, ++at) {
        const auto there = static_cast<std::size_t>(j + 11 * (i + 14 * k));
        ASSERT_EQ(ua[static_cast<std::size_t>(at)], vb[there]);
        ASSERT_EQ(wa[static_cast<std::size_t>(at)], wb[there]);
      }
}

TEST(OpenSides, air_that_leaves_takes_its_mass_along)
{
  StormSetup s = with_ends(busy_storm({20, 1, 12}), all_open);
  s.wind = nullptr;
  s.coriolis = 0;
  s.initial = [](const GridPoint& p) {
    StormInitial v;
    v.velocity[0] = (p.x - 2000) / 200;  // 10 m/s outwards at both ends
    return v;
  };
  const auto model = model_of<double>(s, {}, Cpu{1});
  const double before = model->totals().mass;
  model->advance(2);
  const double lost = (before - model->totals().mass) / before;
  EXPECT_NEAR(lost, 20. * 2 * s.step / 4000, 0.002);
}

TEST(OpenSides, ends_are_named)
{
  weather::StormCase c;
  c.cells = {20, 20, 8};
  c.ends = {"symmetry-open", "open"};
  resolve(c);
  const StormSetup s = make_setup(c);
  EXPECT_EQ(s.periodic, (std::array{false, false}));
  EXPECT_EQ(s.open, (Ends{{{false, true}, {true, true}}}));
  StormSetup both = s;
  both.periodic[0] = true;
  EXPECT_THROW(model_of<float>(both, {}, Cpu{1}), UsageError);
}

}  // namespace
}  // namespace helicity::test
