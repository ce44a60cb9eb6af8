// SPDX-License-Identifier: Apache-2.0
#include "moist.hpp"

#include <support/align_isa.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace helicity::test {
namespace {

using weather::Scheme;

constexpr double rd = 287.04, rv = 461.5, cvd = 1005.7 - 287.04, cvv = 1870 - 461.5, cl = 4190;
constexpr double lv_zero = 2.501e6 + (4190 - 1870) * 273.15, gam = 1005.7 / cvd, p00 = 1e5;

/// One column in double, from the published formulas in their own units.
struct PlainColumn
{
  std::vector<double> rho, theta, vapour, cloud, rain;
  double depth = 0;  ///< of a level, m
  double fallen = 0;

  static double saturation(Scheme scheme, double t)
  {
    return scheme == Scheme::klemp_wilhelmson
               ? 380 / (rd / rv) * std::exp(17.27 * (t - 273) / (t - 36))
               : 611.2 * std::exp(17.67 * (t - 273.15) / (t - 29.65));
  }

  double dry(std::size_t k) const { return rho[k] - vapour[k] - cloud[k] - rain[k]; }
  double pressure(std::size_t k) const { return p00 * std::pow(rd * theta[k] / p00, gam); }
  double temperature(std::size_t k) const { return pressure(k) / (dry(k) * rd + vapour[k] * rv); }

  /// Rain made in a step, per mass of dry air.
  static double made(Scheme scheme, double dt, double qc, double qr)
  {
    if (scheme == Scheme::klemp_wilhelmson)
      return qc -
             (qc - dt * std::max(1e-3 * (qc - 1e-3), 0.0)) / (1 + dt * 2.2 * std::pow(qr, 0.875));
    return std::min(dt * (1e-3 * std::max(qc - 1e-3, 0.0) + 2.2 * qc * std::pow(qr, 0.875)), qc);
  }

  /// Rate of evaporation of rain, per mass of dry air.
  static double evaporation(Scheme scheme, double d, double t, double p, double qv, double qr)
  {
    const double es = saturation(scheme, t), eps = rd / rv;
    if (scheme == Scheme::klemp_wilhelmson) {
      const double qvs = eps * es / p, r = 0.001 * d, pc = 3.8 / (p / 100);
      return (1.6 + 124.9 * std::pow(r * qr, 0.2046)) * std::pow(r * qr, 0.525) /
             (2.55e6 * pc / (3.8 * qvs) + 5.4e5) * std::max(qvs - qv, 0.0) / (r * qvs);
    }
    const double qvs = eps * es / (p - es);
    return std::max(1 - qv / qvs, 0.0) * (1.6 + 30.3922 * std::pow(d * qr, 0.2046)) *
           std::pow(d * qr, 0.525) / (d * (2.03e4 + 9.584e6 / (qvs * p)));
  }

  double speed(Scheme scheme, std::size_t k) const
  {
    const double d = dry(k), x = std::max(rain[k], 0.0);
    if (scheme == Scheme::klemp_wilhelmson)
      return 36.34 * std::pow(0.001 * x, 0.1364) * std::sqrt(1.16 / d);
    return 14.34 * std::pow(x, 0.1346) * std::sqrt(1.15 / d);
  }

  void change(Scheme scheme, double dt, std::size_t k)
  {
    const double d = dry(k), p = pressure(k), t = temperature(k);
    if (scheme != Scheme::condensation) {
      const double m =
          d * made(scheme, dt, std::max(cloud[k], 0.0) / d, std::max(rain[k], 0.0) / d);
      cloud[k] -= m;
      rain[k] += m;
    }
    const double qr = std::max(rain[k], 0.0) / d, c = std::max(cloud[k], 0.0);
    const double drying =
        scheme == Scheme::condensation
            ? 0
            : std::min(d * qr, dt * d * evaporation(scheme, d, t, p, vapour[k] / d, qr));
    const auto capacity = [&](double x) {
      return d * cvd + (vapour[k] - x) * cvv + (cloud[k] + rain[k] + x) * cl;
    };
    const double energy = capacity(0) * t + vapour[k] * lv_zero;
    const auto warm = [&](double x) { return (energy - (vapour[k] - x) * lv_zero) / capacity(x); };
    double low = -(c + drying), high = vapour[k];
    for (int n = 0; n < 100; ++n) {
      const double x = (low + high) / 2, now = warm(x);
      (vapour[k] - x > saturation(scheme, now) / (rv * now) ? low : high) = x;
    }
    const double x = low, now = warm(x);
    vapour[k] -= x;
    cloud[k] += std::max(x, -c);
    rain[k] -= std::max(-x - c, 0.0);
    theta[k] *= std::pow((d * rd + vapour[k] * rv) * now / p, 1 / gam);
  }

  void fall(Scheme scheme, double dt)
  {
    double fastest = 0;
    for (std::size_t k = 0; k < rho.size(); ++k)
      fastest = std::max(fastest, speed(scheme, k) * dt / depth);
    const int substeps = fastest > 0.8 ? 1 + static_cast<int>(fastest / 0.8) : 1;
    for (int n = 0; n < substeps; ++n) {
      std::vector<double> flux(rho.size() + 1);
      for (std::size_t k = 0; k < rho.size(); ++k)
        flux[k] = std::max(rain[k], 0.0) * std::min(speed(scheme, k) * dt / substeps / depth, 1.0);
      for (std::size_t k = 0; k < rho.size(); ++k) {
        rain[k] += flux[k + 1] - flux[k];
        rho[k] += flux[k + 1] - flux[k];
      }
      fallen += flux[0] * depth;
    }
  }

  void run(Scheme scheme, double dt)
  {
    for (std::size_t k = 0; k < rho.size(); ++k) change(scheme, dt, k);
    if (scheme != Scheme::condensation) fall(scheme, dt);
  }
};

template <class T>
double jacobian(const MoistBox<T>& box, bool hilly, Index g)
{
  return hilly ? 1 / box.value(MoistBox<T>::per_jacobian, g) : 1;
}

template <class T>
PlainColumn column_of(const MoistBox<T>& box, bool hilly, Index g)
{
  using B = MoistBox<T>;
  PlainColumn p;
  const double jac = jacobian(box, hilly, g);
  for (Index c = g; c < box.size(); c += box.stride_k()) {
    const auto& l = box.levels[p.rho.size()];
    const double rho = hilly ? box.value(B::full_rho, c) : double(l.rho);
    const double density = hilly ? box.value(B::full_density, c) : double(l.density);
    p.rho.push_back((rho + box.value(B::rho, c)) / jac);
    p.theta.push_back((density + box.value(B::theta, c)) / jac);
    p.vapour.push_back(box.value(B::species, c) / jac);
    p.cloud.push_back(box.value(B::species + 1, c) / jac);
    p.rain.push_back(box.value(B::species + 2, c) / jac);
  }
  p.depth = B::spacing * jac;
  return p;
}

/// The kernels against plain columns.
template <class T>
void check_columns(Scheme scheme, bool hilly, double step, double close)
{
  MoistBox<T> box({21, hilly ? 1 : 3, 12}, hilly, scheme);
  const MoistBox<T> before = box;
  box.run(Cpu{1}, step);
  for (Index g = 0; g < box.stride_k(); ++g) {
    PlainColumn want = column_of(before, hilly, g);
    const PlainColumn old = want, got = column_of(box, hilly, g);
    want.run(scheme, step);
    for (std::size_t k = 0; k < want.rho.size(); ++k) {
      const double water = 0.02 * want.rho[k];
      EXPECT_NEAR(got.vapour[k], want.vapour[k], close * water) << g << ' ' << k;
      EXPECT_NEAR(got.cloud[k], want.cloud[k], close * water) << g << ' ' << k;
      EXPECT_NEAR(got.rain[k], want.rain[k], close * water) << g << ' ' << k;
      EXPECT_NEAR(got.theta[k], want.theta[k], close * want.theta[k]) << g << ' ' << k;
      EXPECT_NEAR(got.rho[k], want.rho[k], close * want.rho[k]) << g << ' ' << k;
      const double loss = box.value(MoistBox<T>::loss, g + Index(k) * box.stride_k());
      EXPECT_NEAR(loss / jacobian(box, hilly, g), want.rho[k] - old.rho[k], close * water);
    }
    EXPECT_NEAR(box.value(MoistBox<T>::fallen, g), want.fallen, close * 10);
  }
}

constexpr Scheme warm_schemes[] = {Scheme::condensation, Scheme::kessler, Scheme::klemp_wilhelmson};
constexpr Scheme all_schemes[] = {Scheme::condensation, Scheme::kessler, Scheme::klemp_wilhelmson,
                                  Scheme::ice};

TEST(Microphysics, columns_are_those_of_plain_formulas)
{
  for (const Scheme scheme : warm_schemes)
    for (const bool hilly : {false, true})
      for (const double step : {3.0, 60.0}) {
        SCOPED_TRACE(static_cast<int>(scheme));
        check_columns<double>(scheme, hilly, step, 1e-11);
        check_columns<float>(scheme, hilly, step, 2e-4);
      }
}

/// Water that is there, per area, over a column; and the least amount of a species but vapour.
template <class T>
double water_of(const MoistBox<T>& box, int species, Index g)
{
  double sum = 0;
  for (Index c = g; c < box.size(); c += box.stride_k())
    for (int s = 0; s < species; ++s) sum += box.value(MoistBox<T>::species + s, c);
  return sum * MoistBox<T>::spacing;
}

template <class T>
void check_conservation(Scheme scheme, double step, double close)
{
  MoistBox<T> box({70, 1, 9}, true, scheme);
  const MoistBox<T> before = box;
  const int species = weather::species_of(scheme);
  for (int n = 0; n < 5; ++n) {
    std::fill_n(box.block.begin() + MoistBox<T>::fallen * box.size(), box.size(), T(0));
    const MoistBox<T> old = box;
    box.run(Cpu{2}, step);
    for (Index g = 0; g < box.stride_k(); ++g) {
      const double was = water_of(old, species, g);
      const double is = water_of(box, species, g) + box.value(MoistBox<T>::fallen, g);
      EXPECT_NEAR(is, was, close * was);
    }
    for (int s = 0; s < species; ++s)
      for (Index c = 0; c < box.size(); ++c) {
        const double least = before.value(MoistBox<T>::species + s, c);
        ASSERT_GE(box.value(MoistBox<T>::species + s, c), std::min(0.0, least)) << s << ' ' << c;
      }
  }
}

TEST(Microphysics, water_is_conserved_and_never_negative)
{
  for (const Scheme scheme : all_schemes) {
    check_conservation<double>(scheme, 40, 1e-14);
    check_conservation<float>(scheme, 40, 2e-6);
    check_conservation<float>(scheme, 4000, 2e-6);
  }
}

TEST(Microphysics, both_forms_of_evaporation_are_one_formula)
{
  using Parcel = weather::Parcel<double>;
  const auto air = weather::moist_air<double>({}, {});
  for (const double rain : {1e-6, 1e-4, 2e-3, 8e-3})
    for (const double e : {300.0, 1500.0}) {
      const Parcel p{1.1, 9e4, 290, 0.2 * 1.1 * e / 9e4, 0, rain};
      // the same q_vs for both: e / (p - e) of one is e' / p of the other
      const double one = weather::rain_evaporation<Scheme::kessler>(air, p, e);
      const double two =
          weather::rain_evaporation<Scheme::klemp_wilhelmson>(air, p, e / (1 - e / 9e4));
      EXPECT_NEAR(two / one, 1, 2e-3);
    }
  weather::Microphysics<double> m;
  m.surface_rho = 1.15;
  EXPECT_NEAR((weather::rain_speed<Scheme::kessler>(m, 1.15, 1e-3)), 5.66, 0.01);
  EXPECT_NEAR((weather::rain_speed<Scheme::klemp_wilhelmson>(m, 1.15, 1e-3)), 5.52, 0.01);
}

TEST(Microphysics, reflectivity_of_rain)
{
  EXPECT_NEAR(double(weather::rain_reflectivity(1e-3)), 43.1, 0.05);  // 3.63e9 * 1e-5.25
  EXPECT_NEAR(double(weather::rain_reflectivity(1e-3F)), 43.1, 0.05);
  EXPECT_EQ(weather::rain_reflectivity(0.0F), 0);
  EXPECT_EQ(weather::rain_reflectivity(-1e-9), 0);
}

template <class T>
void check_velocities(bool hilly)
{
  using B = MoistBox<T>;
  const Index3 cells{13, 1, 8};
  B box(cells, hilly, Scheme::kessler);
  const B old = box;
  box.run(Cpu{1}, 50);
  const auto rho = [&](const B& b, Index c) {
    const auto k = static_cast<std::size_t>(c / b.stride_k());
    return (hilly ? b.value(B::full_rho, c) : double(b.levels[k].rho)) + b.value(B::rho, c);
  };
  const Index n = box.stride_k();
  for (Index c = 0; c < box.size(); ++c)
    for (const Index stride : {Index{1}, n}) {
      if (stride == 1 ? c % n == 0 : c < n) continue;
      const int field = stride == 1 ? B::momentum_u : B::momentum_w;
      const double before = old.value(field, c) / (rho(old, c) + rho(old, c - stride));
      EXPECT_NEAR(box.value(field, c) / (rho(box, c) + rho(box, c - stride)), before,
                  4 * std::numeric_limits<T>::epsilon() * (1 + std::fabs(before)));
    }
}

TEST(Microphysics, velocities_are_kept)
{
  check_velocities<double>(false);
  check_velocities<double>(true);
  check_velocities<float>(true);
}

template <class T>
void check_bits(Scheme scheme, Index3 cells, bool hilly)
{
  MoistBox<T> want(cells, hilly, scheme);
  limit_isa("scalar");
  want.run(Cpu{1}, 90);
  limit_isa("");
  for (const std::string& isa : usable_isas()) {
    const IsaLimit limit(isa);
    for (const int threads : {1, 3}) {
      MoistBox<T> box(cells, hilly, scheme);
      box.run(Cpu{threads}, 90);
      EXPECT_TRUE(box.block == want.block) << isa << ' ' << threads << " scheme " << int(scheme);
    }
  }
}

TEST(MicrophysicsBits, do_not_depend_on_instruction_sets_and_threads)
{
  for (const Scheme scheme : all_schemes) {
    check_bits<float>(scheme, {301, 1, 5}, false);
    check_bits<float>(scheme, {37, 5, 6}, true);
    check_bits<double>(scheme, {37, 5, 6}, false);
  }
}

}  // namespace
}  // namespace helicity::test
