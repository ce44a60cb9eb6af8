// SPDX-License-Identifier: Apache-2.0
#include "storm.hpp"

#include <helicity/core/error.hpp>
#include <helicity/weather/mixing.hpp>
#include <helicity/weather/storm_case.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numbers>
#include <vector>

namespace helicity::test {
namespace {

using weather::Closure;
using weather::Dynamics;
using weather::GridPoint;
using weather::Mixing;
using weather::StormInitial;
using weather::StormSetup;

using Real = long double;
using Point = std::function<Real(Real x, Real y, Real z)>;

/// Air given by functions of place, over ground given by one, without a model around it.
class Air
{
 public:
  Index3 n;
  std::array<double, 3> h;
  Point u, v, w, theta, rho, energy;
  std::function<Real(Real x, Real y)> ground;  ///< empty: flat

  Air(Index3 cells, std::array<double, 3> spacing) : n(cells), h(spacing) {}

  Real top() const { return static_cast<Real>(n.k) * h[2]; }
  Real height_of_ground(Real x, Real y) const { return ground ? ground(x, y) : 0; }
  Real depth(Real x, Real y) const { return 1 - height_of_ground(x, y) / top(); }
  Real x(Index i, int shift) const { return (static_cast<Real>(i) + shift / 2.L) * h[0]; }
  Real y(Index j, int shift) const { return (static_cast<Real>(j) + shift / 2.L) * h[1]; }
  Real z(Real x, Real y, Index k, int shift) const
  {
    const Real zeta = (static_cast<Real>(k) + shift / 2.L) * h[2], g = height_of_ground(x, y);
    return zeta + g * (1 - zeta / top());
  }

  Dynamics<double> d;
  Mixing<double> m;

  void evaluate()
  {
    fill();
    evaluate_mixing(Cpu{2}, d, m);
  }

  double at(const double* q, Index i, Index j, Index k) const { return q[d.at(i, j, k)]; }

 private:
  static constexpr Index halo = weather::halo_width;

  double* add()
  {
    fields_.emplace_back(static_cast<std::size_t>((n.i + 2 * halo) * (n.j + 2 * halo) * (n.k + 2)),
                         0.);
    return fields_.back().data() + halo + halo * d.sj + d.sk;
  }

  /// value(x, y, z) at points shifted by half cells, on all levels `first` to `last`.
  double* add(std::array<int, 3> shift, Index first, Index last, const Point& value)
  {
    double* q = add();
    for (Index k = first; k < last; ++k)
      for (Index j = -halo; j < n.j + halo; ++j)
        for (Index i = -halo; i < n.i + halo; ++i) {
          const Real a = x(i, shift[0]), b = y(j, shift[1]);
          q[d.at(i, j, k)] = static_cast<double>(value(a, b, z(a, b, k, shift[2])));
        }
    return q;
  }

  void fill()
  {
    d.cells = n;
    d.sj = n.i + 2 * halo;
    d.sk = d.sj * (n.j + 2 * halo);
    d.per_dx = 1 / h[0];
    d.per_dy = 1 / h[1];
    d.per_dz = 1 / h[2];
    d.gravity = 9.81;
    d.u = add({0, 1, 1}, 0, n.k, u);
    d.v = add({1, 0, 1}, 0, n.k, v);
    d.w = add({1, 1, 0}, 0, n.k + 1, w);
    d.theta = add({1, 1, 1}, 0, n.k, theta);
    const auto mass = [&](Real a, Real b, Real c) { return depth(a, b) * rho(a, b, c); };
    d.stage.rho = add({1, 1, 1}, 0, n.k, mass);
    levels_.resize(static_cast<std::size_t>(n.k) + 1);
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      levels_[k].k = static_cast<Index>(k);
      levels_[k].decay = 1 - (static_cast<double>(k) + 0.5) / static_cast<double>(n.k);
      levels_[k].decay_face = 1 - static_cast<double>(k) / static_cast<double>(n.k);
    }
    d.level = levels_.data();
    if (ground) fill_terrain();
    if (m.closure == Closure::energy) {
      m.energy = m.energy_start = add({1, 1, 1}, 0, n.k, energy);
      d.stage.u = add({0, 1, 1}, 0, n.k, u);
      d.stage.v = add({1, 0, 1}, 0, n.k, v);
      d.stage.w = add({1, 1, 0}, 0, n.k + 1, w);
      for (std::size_t k = 0; k < levels_.size(); ++k)
        levels_[k].face = weather::weights_of_order<double>(weather::order_near_lid(
            5, std::min<long>(static_cast<long>(k), n.k - static_cast<long>(k))));
      d.across = weather::weights_of_order<double>(5);
      m.energy_source = add();
      m.energy_next = add();
    }
    for (double** q : {&m.xx, &m.yy, &m.zz, &m.xy, &m.xz, &m.yz, &m.k_up, &m.heat_up, &m.k_across,
                       &m.heat_across, &m.rate.u, &m.rate.v, &m.rate.w, &m.rate.theta})
      *q = add();
    if (!m.separate) {
      m.k_across = m.k_up;
      m.heat_across = m.heat_up;
    }
  }

  void fill_terrain()
  {
    const auto g = [&](Real a, Real b, Real) { return depth(a, b); };
    const auto slope = [&](int axis) {
      return [this, axis](Real a, Real b, Real) {
        const Real dx = axis == 0 ? h[0] / 2 : 0, dy = axis == 1 ? h[1] / 2 : 0;
        return (ground(a + dx, b + dy) - ground(a - dx, b - dy)) / (2 * (dx + dy));
      };
    };
    d.hilly = true;
    weather::Terrain<double>& t = d.terrain;
    t.rho = add();
    t.theta = add();
    t.full_theta = d.theta;
    t.per_jacobian = add({1, 1, 1}, 0, 1, [&](Real a, Real b, Real) { return 1 / depth(a, b); });
    t.jacobian_u = add({0, 1, 1}, 0, 1, g);
    t.jacobian_v = add({1, 0, 1}, 0, 1, g);
    t.slope_u = add({0, 1, 1}, 0, 1, slope(0));
    t.slope_v = add({1, 0, 1}, 0, 1, slope(1));
    t.slope_x = add({1, 1, 1}, 0, 1, slope(0));
    t.slope_y = add({1, 1, 1}, 0, 1, slope(1));
  }

  std::vector<std::vector<double>> fields_;
  std::vector<weather::Level<double>> levels_;
};

/// Wind and theta that vary everywhere.
void stir(Air& a)
{
  a.u = [](Real x, Real y, Real z) { return 7 * std::sin(x / 310 + z / 270) + y / 400; };
  a.v = [](Real x, Real y, Real z) { return 5 * std::cos(y / 290 - z / 350) + x / 500; };
  a.w = [](Real x, Real y, Real z) { return 2 * std::sin(x / 260 + y / 330 + z / 410); };
  a.theta = [](Real x, Real y, Real z) { return 300 + z / 900 + std::sin(x / 400 + y / 370); };
  a.rho = [](Real x, Real, Real z) {
    return std::exp(-z / 8000) * (1 + 0.01L * std::sin(x / 350));
  };
}

/// Stress divergence over flat ground as it is written: stresses by functions of half indices.
class PlainMixing
{
 public:
  PlainMixing(const Air& a, Real square, Real per_prandtl, bool constant)
      : a_(a), square_(square), per_prandtl_(per_prandtl), constant_(constant)
  {}

  /// d rho u_m / dt at a face, d rho theta / dt (m = 3) at a centre; interior points.
  Real rate(int m, Index i, Index j, Index k) const
  {
    Twice p{2 * i + 1, 2 * j + 1, 2 * k + 1};
    if (m < 3) p[static_cast<std::size_t>(m)] -= 1;
    Real sum = 0;
    for (int b = 0; b < 3; ++b)
      sum += m < 3 ? (stress(m, b, moved(p, b, 1)) - stress(m, b, moved(p, b, -1))) / h(b)
                   : heat(b, moved(p, b, 1)) / h(b) - heat(b, moved(p, b, -1)) / h(b);
    return sum;
  }

 private:
  using Twice = std::array<Index, 3>;  ///< of indices of points

  Real h(int axis) const { return a_.h[static_cast<std::size_t>(axis)]; }
  static Twice moved(Twice p, int axis, Index by)
  {
    p[static_cast<std::size_t>(axis)] += by;
    return p;
  }
  Real value(const Point& f, const Twice& p) const
  {
    return f(static_cast<Real>(p[0]) / 2 * h(0), static_cast<Real>(p[1]) / 2 * h(1),
             static_cast<Real>(p[2]) / 2 * h(2));
  }
  Real gradient(const Point& f, int axis, const Twice& p) const
  {
    return (value(f, moved(p, axis, 1)) - value(f, moved(p, axis, -1))) / h(axis);
  }
  const Point& wind(int m) const { return m == 0 ? a_.u : m == 1 ? a_.v : a_.w; }
  Real deformation(int m, int b, const Twice& p) const
  {
    return gradient(wind(m), b, p) + gradient(wind(b), m, p);
  }
  /// rho K at a centre.
  Real eddy(const Twice& p) const
  {
    const Real rho = value(a_.rho, p);
    if (constant_) return rho * square_;
    Real s2 = 0;
    for (int m = 0; m < 3; ++m)
      for (int b = 0; b < 3; ++b) {
        if (m == b) {
          s2 += std::pow(deformation(m, m, p), 2) / 2;
          continue;
        }
        for (const Index s : {-1, 1})
          for (const Index t : {-1, 1})
            s2 += std::pow(deformation(m, b, moved(moved(p, m, s), b, t)), 2) / 8;
      }
    const Real n2 = 9.81L * (value(a_.theta, moved(p, 2, 2)) - value(a_.theta, moved(p, 2, -2))) /
                    (2 * h(2)) / value(a_.theta, p);
    return rho * square_ * std::sqrt(std::max<Real>(0, s2 - n2 * per_prandtl_));
  }
  Real stress(int m, int b, const Twice& p) const
  {
    if (m == b) {
      Real spread = 0;
      for (int a = 0; a < 3; ++a) spread += gradient(wind(a), a, p);
      return 2 * eddy(p) * (gradient(wind(m), m, p) - spread / 3);
    }
    Real k = 0;
    for (const Index s : {-1, 1})
      for (const Index t : {-1, 1}) k += eddy(moved(moved(p, m, s), b, t)) / 4;
    return k * deformation(m, b, p);
  }
  Real heat(int b, const Twice& p) const
  {
    const Real k = (eddy(moved(p, b, -1)) + eddy(moved(p, b, 1))) / 2 * per_prandtl_;
    return k * gradient(a_.theta, b, p);
  }

  const Air& a_;
  Real square_, per_prandtl_;
  bool constant_;
};

double largest_difference_from_plain(Air& a, const PlainMixing& plain)
{
  a.evaluate();
  const double* rates[] = {a.m.rate.u, a.m.rate.v, a.m.rate.w, a.m.rate.theta};
  Real worst = 0, most = 0;
  for (int m = 0; m < 4; ++m)
    for (Index k = 2; k < a.n.k - 2; ++k)
      for (Index j = 0; j < a.n.j; ++j)
        for (Index i = 0; i < a.n.i; ++i) {
          const Real want = plain.rate(m, i, j, k);
          most = std::max(most, std::fabs(want));
          worst = std::max(worst, std::fabs(a.at(rates[m], i, j, k) - want));
        }
  return static_cast<double>(worst / most);
}

TEST(Mixing, smagorinsky_over_flat_ground_is_what_is_written)
{
  Air a({9, 7, 8}, {60, 50, 40});
  stir(a);
  a.m.closure = Closure::smagorinsky;
  a.m.square_up = a.m.square_across = 90;
  a.m.per_prandtl = 3;
  a.m.most_up = a.m.most_across = 1e9;
  EXPECT_LT(largest_difference_from_plain(a, PlainMixing(a, 90, 3, false)), 1e-12);
}

TEST(Mixing, constant_k_over_flat_ground_is_what_is_written)
{
  Air a({9, 7, 8}, {60, 50, 40});
  stir(a);
  a.m.closure = Closure::constant;
  a.m.square_up = a.m.square_across = 35;
  a.m.most_up = a.m.most_across = 1e9;
  EXPECT_LT(largest_difference_from_plain(a, PlainMixing(a, 35, 1, true)), 1e-12);
}

TEST(Mixing, smagorinsky_in_plane_shear_is_the_formula_and_has_a_cap)
{
  Air a({6, 6, 6}, {50, 50, 25});
  a.u = [](Real, Real, Real z) { return 0.04L * z; };
  a.v = [](Real, Real, Real z) { return -0.03L * z; };
  a.w = [](Real, Real, Real) { return 0; };
  a.theta = [](Real, Real, Real) { return 300; };
  a.rho = [](Real, Real, Real) { return 1.25L; };
  a.m.closure = Closure::smagorinsky;
  a.m.separate = true;
  a.m.square_up = 20;
  a.m.square_across = 80;
  a.m.per_prandtl = 3;
  a.m.most_up = 1e9;
  a.m.most_across = 5;
  a.evaluate();
  for (Index k = 0; k < 6; ++k) {
    EXPECT_NEAR(a.at(a.m.k_up, 2, 3, k), 1.25 * 20 * 0.05, 1e-12);
    EXPECT_NEAR(a.at(a.m.heat_up, 2, 3, k), 1.25 * 3, 1e-12);
    EXPECT_NEAR(a.at(a.m.k_across, 2, 3, k), 1.25 * 4, 1e-12);
    EXPECT_NEAR(a.at(a.m.heat_across, 2, 3, k), 1.25 * 5, 1e-12);
  }
  a.theta = [](Real, Real, Real z) { return 300 + 0.1L * z; };  // Ri above its critical value
  a.evaluate();
  EXPECT_EQ(a.at(a.m.k_up, 2, 3, 3), 0);
}

/// Largest error of K (laplacian u_i + d_i div u / 3) and K laplacian theta over a hill.
double error_over_hill(Index scale)
{
  Air a({10 * scale, 6 * scale, 10 * scale},
        {1000. / static_cast<double>(scale), 1000. / static_cast<double>(scale),
         600. / static_cast<double>(scale)});
  const Real q = 1 / 2500.L, r = 1 / 2100.L, s = 1 / 1900.L;
  const auto wave = [=](Real x, Real y, Real z) { return q * x + r * y + s * z; };
  a.u = [=](Real x, Real y, Real z) { return std::sin(wave(x, y, z)); };
  a.v = [=](Real x, Real y, Real z) { return 2 * std::cos(wave(x, y, z)); };
  a.w = [=](Real x, Real y, Real z) { return 3 * std::sin(wave(x, y, z)); };
  a.theta = [=](Real x, Real y, Real z) { return 4 * std::cos(wave(x, y, z)); };
  a.rho = [](Real, Real, Real) { return 1; };
  a.ground = [](Real x, Real y) {
    return 900 + 500 * std::sin(x / 2300) + 300 * std::cos(y / 1900);
  };
  a.m.closure = Closure::constant;
  a.m.square_up = a.m.square_across = 1;
  a.m.most_up = a.m.most_across = 1e9;
  a.evaluate();
  const std::array<Real, 3> k{q, r, s};
  const Real k2 = q * q + r * r + s * s;
  const double* rates[] = {a.m.rate.u, a.m.rate.v, a.m.rate.w, a.m.rate.theta};
  Real worst = 0;
  for (std::size_t m = 0; m < 4; ++m)
    for (Index l = 2 * scale; l < 8 * scale; ++l)
      for (Index j = 0; j < a.n.j; ++j)
        for (Index i = 0; i < a.n.i; ++i) {
          const Real x = a.x(i, m == 0 ? 0 : 1), y = a.y(j, m == 1 ? 0 : 1);
          const Real p = wave(x, y, a.z(x, y, l, m == 2 ? 0 : 1));
          const std::array<Real, 4> value{std::sin(p), 2 * std::cos(p), 3 * std::sin(p),
                                          4 * std::cos(p)};
          // grad div u = - k (k . u)
          const Real along = k[0] * value[0] + k[1] * value[1] + k[2] * value[2];
          const Real want = -k2 * value[m] - (m < 3 ? k[m] * along / 3 : 0);
          const Real got = a.at(rates[m], i, j, l) / a.depth(x, y);
          worst = std::max(worst, std::fabs(got - want) / k2);
        }
  return static_cast<double>(worst);
}

TEST(Mixing, constant_k_over_a_hill_converges_with_the_square_of_the_spacing)
{
  const double coarse = error_over_hill(2), fine = error_over_hill(4);
  EXPECT_LT(fine, 0.02);
  EXPECT_GT(coarse / fine, 3.5) << coarse << ' ' << fine;
}

TEST(Mixing, lowering_is_upwind_and_heating_is_added)
{
  Air a({6, 6, 8}, {50, 50, 25});
  a.u = [](Real, Real, Real z) { return 0.04L * z; };
  a.v = [](Real, Real, Real) { return 0; };
  a.w = [](Real, Real, Real) { return 0; };
  a.theta = [](Real, Real, Real z) { return 300 + z * z / 1e4; };
  a.rho = [](Real, Real, Real) { return 1.25L; };
  a.m.closure = Closure::constant;
  std::vector<weather::Forced<double>> forced(8, {-0.01, 2e-5});
  forced[4].lowering = 0.01;
  a.m.forced = forced.data();
  a.evaluate();
  const auto theta = [](double k) { return (k + 0.5) * 25 * (k + 0.5) * 25 / 1e4; };
  EXPECT_NEAR(a.at(a.m.rate.theta, 1, 1, 3), 1.25 * (2e-5 + 0.01 * (theta(4) - theta(3)) / 25),
              1e-12);
  EXPECT_NEAR(a.at(a.m.rate.theta, 1, 1, 4), 1.25 * (2e-5 - 0.01 * (theta(4) - theta(3)) / 25),
              1e-12);
  EXPECT_NEAR(a.at(a.m.rate.theta, 1, 1, 7), 1.25 * 2e-5, 1e-15);
  EXPECT_NEAR(a.at(a.m.rate.u, 1, 1, 3), 1.25 * 0.01 * 0.04, 1e-13);
}

TEST(Mixing, contents_are_mixed_as_theta_is)
{
  Air a({7, 6, 8}, {60, 50, 40});
  stir(a);
  a.ground = [](Real x, Real y) { return 60 + 30 * std::sin(x / 200) + 20 * std::cos(y / 170); };
  a.m.closure = Closure::smagorinsky;
  a.m.square_up = a.m.square_across = 90;
  a.m.per_prandtl = 3;
  a.m.most_up = a.m.most_across = 1e9;
  a.m.ground.heat = 0.1;
  a.evaluate();
  std::vector<double> rate(static_cast<std::size_t>(a.d.sk * 12));
  double* to = rate.data() + a.d.at(4, 4, 1);
  mix_content(Cpu{2}, a.d, a.m, a.d.theta, 0.1, to);
  for (Index k = 0; k < a.n.k; ++k)
    for (Index j = 0; j < a.n.j; ++j)
      for (Index i = 0; i < a.n.i; ++i)
        ASSERT_EQ(a.at(to, i, j, k), a.at(a.m.rate.theta, i, j, k)) << i << ' ' << j << ' ' << k;
}

/// An even subgrid energy in plane shear, stable or neutral.
TEST(Mixing, subgrid_energy_is_made_and_lost_as_deardorff_writes)
{
  for (const double rise : {0., 0.02}) {
    Air a({6, 6, 6}, {50, 50, 25});
    a.u = [](Real, Real, Real z) { return 0.04L * z; };
    a.v = [](Real, Real, Real z) { return -0.03L * z; };
    a.w = [](Real, Real, Real) { return 0; };
    a.theta = [=](Real, Real, Real z) { return 300 + rise * z; };
    a.rho = [](Real, Real, Real) { return 1.25L; };
    a.energy = [](Real, Real, Real) { return 0.36L; };
    a.m.closure = Closure::energy;
    a.m.length_up = a.m.length_across = 40;
    a.m.most_up = a.m.most_across = 1e9;
    a.evaluate();
    const double theta = 300 + rise * 87.5, n = std::sqrt(9.81 * rise / theta);
    const double s = rise > 0 ? std::min(40., 0.76 * 0.6 / n) : 40, k = 0.1 * s * 0.6;
    EXPECT_EQ(rise > 0, s < 40);
    EXPECT_NEAR(a.at(a.m.k_up, 2, 3, 3), 1.25 * k, 1e-12);
    EXPECT_NEAR(a.at(a.m.heat_up, 2, 3, 3), 1.25 * (1 + 2 * s / 40) * k, 1e-12);
    const double source =
        k * 0.0025 - (1 + 2 * s / 40) * k * n * n - (0.19 + 0.51 * s / 40) * 0.216 / s;
    if (rise == 0)
      EXPECT_NEAR(a.at(a.m.energy_source, 2, 3, 3), source, 1e-14);
    else
      EXPECT_NEAR(a.at(a.m.energy_source, 2, 3, 3), source, 1e-6);  // K varies with height
  }
}

TEST(Mixing, an_even_subgrid_energy_is_carried_to_itself)
{
  Air a({9, 7, 8}, {60, 50, 40});
  stir(a);
  a.energy = [](Real, Real, Real) { return 0.5L; };
  a.m.closure = Closure::energy;
  a.m.length_up = a.m.length_across = 40;
  a.m.most_up = a.m.most_across = 1e9;
  a.evaluate();
  carry_energy(Cpu{2}, a.d, a.m, 0.25);
  for (Index k = 0; k < a.n.k; ++k)
    for (Index j = 0; j < a.n.j; ++j)
      for (Index i = 0; i < a.n.i; ++i)
        ASSERT_NEAR(a.at(a.m.energy_next, i, j, k), 0.5 + 0.25 * a.at(a.m.energy_source, i, j, k),
                    1e-14);
}

// The model.

double sum_of(const std::vector<double>& x)
{
  double sum = 0;
  for (const double v : x) sum += v;
  return sum;
}

/// Sums over all cells of rho u (axis 0) or rho v, in a box that is periodic along that axis.
double momentum(weather::StormModel& model, int axis)
{
  const Index3 n = model.decomposition().cells();
  const auto u = model.values(axis == 0 ? "u" : "v"), r = model.values("density_perturbation");
  const auto place = [&](Index3 c) {
    return static_cast<std::size_t>(c.i + n.i * (c.j + n.j * c.k));
  };
  std::vector<double> terms;
  for (Index k = 0; k < n.k; ++k)
    for (Index j = 0; j < n.j; ++j)
      for (Index i = 0; i < n.i; ++i) {
        Index3 before{i, j, k};
        before[axis] = (before[axis] + n[axis] - 1) % n[axis];
        const double rho = model.column().rho[static_cast<std::size_t>(k)] +
                           (r[place(before)] + r[place({i, j, k})]) / 2;
        terms.push_back(rho * u[place({i, j, k})]);
      }
  return sum_of(terms);
}

StormSetup periodic_storm(Index3 cells)
{
  StormSetup s = busy_storm(cells);
  s.periodic = {true, true};
  s.diffusivity = 0;
  s.coriolis = 0;
  s.damping_rate = 0;
  s.mixing.closure = Closure::smagorinsky;
  return s;
}

TEST(MixedStorm, momentum_changes_by_the_stress_of_the_ground_only)
{
  StormSetup s = periodic_storm({9, 8, 7});
  const auto free = model_of<double>(s, {}, Cpu{1});
  for (const int axis : {0, 1}) {
    const double before = momentum(*free, axis);
    free->advance(1);
    EXPECT_NEAR(momentum(*free, axis), before, 1e-10 * std::fabs(before));
  }
  s.surface.friction = 0.28;
  s.initial = nullptr;
  s.wind = [](double) { return std::pair(4., -3.); };
  const auto model = model_of<double>(s, {}, Cpu{1});
  const double stress = model->column().rho[0] * 0.28 * 0.28 * 72 * s.step / s.spacing[2];
  const double u = momentum(*model, 0), v = momentum(*model, 1);
  model->advance(1);
  EXPECT_NEAR(momentum(*model, 0) - u, -0.8 * stress, 1e-9 * stress);
  EXPECT_NEAR(momentum(*model, 1) - v, 0.6 * stress, 1e-9 * stress);
}

TEST(MixedStorm, drag_is_that_of_the_log_law)
{
  StormSetup s = periodic_storm({8, 8, 6});
  s.initial = nullptr;
  s.wind = [](double) { return std::pair(4., -3.); };
  s.surface.roughness = 0.1;
  const auto model = model_of<double>(s, {}, Cpu{1});
  const double drag = std::pow(0.4 / std::log(75 / 0.1), 2);
  const double want = model->column().rho[0] * drag * 5 * 4 * 64 * s.step / s.spacing[2];
  const double u = momentum(*model, 0);
  model->advance(1);
  EXPECT_NEAR(u - momentum(*model, 0), want, 1e-9 * want);
}

TEST(MixedStorm, theta_changes_by_the_flux_of_the_ground_only)
{
  StormSetup s = periodic_storm({9, 8, 7});
  const auto before = model_of<double>(s, {}, Cpu{2})->totals();
  const auto free = model_of<double>(s, {}, Cpu{2});
  free->advance(20);
  EXPECT_NEAR(free->totals().theta / before.theta, 1, 1e-14);
  EXPECT_NEAR(free->totals().mass / before.mass, 1, 1e-14);
  s.initial = nullptr;
  s.surface.heat = 0.24;
  const auto model = model_of<double>(s, {}, Cpu{2});
  const double start = model->totals().theta;
  const double want = model->column().rho[0] * 0.24 * s.step * 72 * s.spacing[0] * s.spacing[1];
  model->advance(1);
  EXPECT_NEAR(model->totals().theta - start, want, 1e-12 * start);
  EXPECT_GT(want, 1e-9 * start);
}

/// Wind along y that varies along x alone decays by mixing alone.
TEST(MixedStorm, a_shear_wave_decays_exponentially)
{
  StormSetup s = periodic_storm({16, 6, 5});
  s.mixing.closure = Closure::none;
  s.terrain = [](double, double) { return 0.; };  // the path that stands on hills
  s.diffusivity = 150;
  s.wind = nullptr;
  s.initial = [](const GridPoint& p) {
    StormInitial v;
    v.velocity[1] = 0.3 * std::sin(2 * std::numbers::pi * static_cast<double>(p.twice.i) / 32);
    return v;
  };
  const auto model = model_of<double>(s, {}, Cpu{2});
  const auto before = model->values("v");
  const int steps = 300;
  model->advance(steps);
  const auto after = model->values("v");
  const double k2 = (2 - 2 * std::cos(2 * std::numbers::pi / 16)) / (200. * 200.);
  const double want = std::exp(-150 * k2 * s.step * steps);
  EXPECT_LT(want, 0.8);
  for (std::size_t n = 0; n < before.size(); ++n)
    EXPECT_NEAR(after[n], want * before[n], 2e-3 * 0.3);
}

/// Of de/dt = -0.7 e^1.5 / l in neutral air at rest.
TEST(MixedStorm, subgrid_energy_decays_as_the_solution_does)
{
  StormSetup s = periodic_storm({8, 8, 6});
  s.theta = [](double) { return 300.; };
  s.initial = nullptr;
  s.wind = nullptr;
  s.mixing.closure = Closure::energy;
  s.mixing.energy_start = 4;
  const auto model = model_of<double>(s, {}, Cpu{2});
  model->advance(200);
  const double l = std::cbrt(200. * 250 * 150);
  const double want = 1 / std::pow(1 / 2. + 0.35 * 200 * s.step / l, 2);
  double forward = 4;  // the same in forward steps, which are 0.6 % off
  for (int n = 0; n < 200; ++n) forward -= s.step * 0.7 * std::pow(forward, 1.5) / l;
  for (const double e : model->values("subgrid_energy")) {
    ASSERT_NEAR(e, want, 1e-2 * want);
    ASSERT_NEAR(e, forward, 1e-12);
  }
  EXPECT_LT(want, 2);
}

TEST(MixedStorm, subgrid_energy_stays_above_its_least_and_grows_in_shear)
{
  StormSetup s = energetic(hilly_storm({15, 12, 9}));
  s.mixing.energy_start = s.mixing.energy_least = 1e-4;
  const auto model = model_of<float>(s, {}, Cpu{2});
  model->advance(60);
  EXPECT_FALSE(model->check());
  const auto e = model->values("subgrid_energy");
  EXPECT_GE(*std::min_element(e.begin(), e.end()), 0.99999e-4);
  EXPECT_GT(*std::max_element(e.begin(), e.end()), 1e-3);
  EXPECT_THROW(model_of<float>(hilly_storm({15, 12, 9}), {}, Cpu{1})->values("subgrid_energy"),
               UsageError);
}

TEST(MixedStorm, rest_stays_at_rest_to_the_last_bit)
{
  for (const bool closure : {false, true})
    for (const Index3 cells : {Index3{22, 1, 20}, Index3{19, 18, 11}}) {
      StormSetup s = hilly_storm(cells);
      s.initial = nullptr;
      s.wind = nullptr;
      s.surface.drag = 1e-3;
      s.diffusivity = closure ? 0 : 60;
      if (closure) s.mixing.closure = Closure::smagorinsky;
      const auto model = model_of<float>(s, {}, Cpu{1});
      model->advance(10);
      for (const char* name : {"u", "v", "w", "theta_perturbation", "pressure_perturbation"})
        for (const double x : model->values(name)) ASSERT_EQ(x, 0) << name;
    }
}

TEST(MixedStorm, wind_turns_about_the_geostrophic_wind)
{
  StormSetup s = periodic_storm({8, 8, 4});
  s.initial = nullptr;
  s.wind = nullptr;
  s.mixing.closure = Closure::none;
  s.coriolis = 1e-3;
  s.forcing.geostrophic = [](double z) { return std::pair(10 + 0.01 * z, 0.); };
  const auto model = model_of<double>(s, {}, Cpu{1});
  model->advance(400);
  const double angle = 1e-3 * 400 * s.step;
  for (std::size_t k = 0; k < 4; ++k) {
    const double wind = 10 + 0.01 * (static_cast<double>(k) + 0.5) * 150;
    EXPECT_NEAR(model->values("u")[64 * k + 5], wind * (1 - std::cos(angle)), 1e-6);
    EXPECT_NEAR(model->values("v")[64 * k + 5], wind * std::sin(angle), 1e-6);
  }
}

TEST(MixedStorm, refuses_what_makes_no_sense)
{
  const auto refused = [](const std::function<void(StormSetup&)>& spoil) {
    StormSetup s = periodic_storm({8, 8, 6});
    EXPECT_NO_THROW(model_of<float>(s, {}, Cpu{1}));
    spoil(s);
    EXPECT_THROW(model_of<float>(s, {}, Cpu{1}), UsageError);
  };
  refused([](StormSetup& s) { s.diffusivity = 10; });
  refused([](StormSetup& s) { s.mixing.prandtl = 0; });
  refused([](StormSetup& s) { s.mixing.energy_least = 0; });
  refused([](StormSetup& s) { s.mixing.energy_start = s.mixing.energy_least / 2; });
  refused([](StormSetup& s) { s.surface.drag = s.surface.friction = 0.1; });
  refused([](StormSetup& s) { s.surface.roughness = 75; });
  refused([](StormSetup& s) { s.surface.exchange = 1e-3; });
  refused([](StormSetup& s) {
    s.terrain = [](double, double) { return 10.; };
    s.surface.roughness = 0.1;
  });
  refused([](StormSetup& s) {
    s.terrain = [](double, double) { return 10.; };
    s.forcing.heating = [](double) { return 1e-5; };
  });
  refused([](StormSetup& s) {
    s.terrain = [](double, double) { return 10.; };
    s.mixing.closure = Closure::none;
    s.diffusivity = 1e5;
  });
}

TEST(MixedStorm, cases_tell_forcing_by_height_and_noise_by_cell)
{
  weather::StormCase c = weather::storm_case("custom");
  c.cells = {10, 8, 20};
  c.end = 10;
  c.forcing = {{0, 0, 1e-5, {-10, 1}}, {1500, -0.0065, 1e-5, {-7.3, 1}}, {2100, 0, 0, {-6, 2}}};
  c.balance = "geostrophic";
  c.noise = 0.1;
  c.noise_below = 1000;
  resolve(c);
  const StormSetup s = make_setup(c);
  EXPECT_DOUBLE_EQ(s.forcing.lowering(750), -0.00325);
  EXPECT_DOUBLE_EQ(s.forcing.lowering(3000), 0);
  EXPECT_DOUBLE_EQ(s.forcing.heating(1800), 0.5e-5);
  EXPECT_DOUBLE_EQ(s.forcing.geostrophic(1500).first, -7.3);
  double sum = 0, most = 0;
  for (Index k = 0; k < 20; ++k)
    for (Index j = 0; j < 8; ++j)
      for (Index i = 0; i < 10; ++i) {
        GridPoint p;
        p.z = (static_cast<double>(k) + 0.5) * 100;
        p.twice = {2 * i + 1, 2 * j + 1, 2 * k + 1};
        const double noise = s.initial(p).theta;
        if (k >= 10) {
          ASSERT_EQ(noise, 0);
        }
        sum += noise;
        most = std::max(most, std::fabs(noise));
      }
  EXPECT_LE(most, 0.1);
  EXPECT_GT(most, 0.095);
  EXPECT_LT(std::fabs(sum / 800), 0.006);  // three deviations of a mean of 800
  c.forcing[2].height = 1500;
  EXPECT_THROW(resolve(c), UsageError);
}

}  // namespace
}  // namespace helicity::test
