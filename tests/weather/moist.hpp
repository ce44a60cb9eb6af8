// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/microphysics.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace helicity::test {

/// Moist air with everything: cells too dry and too moist, with cloud, rain and ice, with none and
/// with less than none. All fields in one block of memory, so that it can be copied to a device.
template <class T>
class MoistBox
{
 public:
  MoistBox(Index3 cells, bool hilly, weather::Scheme scheme, std::uint64_t seed = 3)
      : cells_(cells), hilly_(hilly), slab_(cells.j == 1), scheme_(scheme)
  {
    constexpr Index halo = weather::halo_width;
    stride_j_ = slab_ ? 0 : cells.i + 2 * halo;
    stride_k_ = (cells.i + 2 * halo) * (slab_ ? 1 : cells.j + 2 * halo);
    size_ = stride_k_ * cells.k;
    first_ = halo + halo * stride_j_;
    block.assign(static_cast<std::size_t>(size_ * field_count), T(0));
    random_.seed(seed);
    fill_levels();
    for (Index c = 0; c < size_; ++c) fill(c, c / stride_k_);
  }

  /// The kernels' view of copies of `block` and `levels`.
  weather::Dynamics<T> dynamics(T* base, const weather::Level<T>* level) const
  {
    weather::Dynamics<T> d;
    d.cells = cells_;
    d.sj = stride_j_, d.sk = stride_k_;
    d.slab = slab_, d.hilly = hilly_;
    d.level = level;
    d.start = {at(base, rho), at(base, theta), at(base, momentum_u), at(base, momentum_v),
               at(base, momentum_w)};
    d.terrain.rho = at(base, full_rho), d.terrain.density = at(base, full_density);
    d.terrain.pressure = at(base, full_pressure);
    d.terrain.per_jacobian = at(base, per_jacobian);
    d.per_dz = static_cast<T>(1 / spacing);
    double term = 1;
    for (int n = 0; n < weather::series_terms<T>; ++n) {
      term = term * (constants.gamma() - n) / (n + 1);
      d.series[n] = static_cast<T>(term);
    }
    return d;
  }

  weather::Water<T> water(T* base) const
  {
    weather::Water<T> w;
    w.species = weather::species_of(scheme_);
    for (int s = 0; s < w.species; ++s) w.start[s] = at(base, species + s);
    w.loss = at(base, loss);
    w.fallen = at(base, fallen);
    return w;
  }

  weather::Microphysics<T> physics(double step) const
  {
    weather::Microphysics<T> m;
    m.scheme = scheme_;
    m.air = weather::moist_air<T>(constants, {},
                                  scheme_ == weather::Scheme::klemp_wilhelmson
                                      ? weather::Saturation::klemp_wilhelmson
                                      : weather::Saturation::bolton);
    m.step = static_cast<T>(step);
    m.surface_rho = T(1.16);
    return m;
  }

  /// On the host, in place.
  void run(Cpu exec, double step)
  {
    const auto d = dynamics(block.data(), levels.data());
    const auto w = water(block.data());
    weather::moist_physics(exec, d, w, physics(step));
    weather::keep_velocities(exec, d, w);
  }

  enum Field : int {
    rho,
    theta,
    momentum_u,
    momentum_v,
    momentum_w,
    full_rho,
    full_density,
    full_pressure,
    per_jacobian,
    loss,
    fallen,
    species,
    field_count = species + weather::species_count
  };

  double value(int field, Index c) const
  {
    return static_cast<double>(block[static_cast<std::size_t>(field * size_ + c)]);
  }
  Index size() const { return size_; }
  Index stride_k() const { return stride_k_; }

  static constexpr double spacing = 400;
  weather::Constants constants;
  std::vector<T> block;
  std::vector<weather::Level<T>> levels;

 private:
  T* at(T* base, int field) const { return base + (field * size_ + first_); }
  T& place(int field, Index c) { return block[static_cast<std::size_t>(field * size_ + c)]; }

  double uniform(double low, double high)
  {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  /// Zero, little, usual or much.
  double amount(double usual)
  {
    const std::array<double, 6> some{0, 1e-12, -1e-13, usual, 0.1 * usual, 8 * usual};
    return some[static_cast<std::size_t>(uniform(0, 6))] * uniform(0.5, 1);
  }

  void fill_levels()
  {
    for (Index k = 0; k <= cells_.k; ++k) {
      weather::Level<T> l;
      const double z = (static_cast<double>(k) + 0.5) * spacing, t = 300 + 0.004 * z;
      const double pressure = 1e5 * std::exp(-z / 8000);
      const double density = 1e5 / constants.gas * std::pow(pressure / 1e5, 1 / constants.gamma());
      l.k = k;
      l.theta = static_cast<T>(t), l.pressure = static_cast<T>(pressure);
      l.density = static_cast<T>(density), l.per_density = static_cast<T>(1 / density);
      l.rho = static_cast<T>(density / t);
      levels.push_back(l);
    }
  }

  void fill(Index c, Index k)
  {
    const weather::Level<T>& l = levels[static_cast<std::size_t>(k)];
    const double column = static_cast<double>(c % stride_k_);
    const double g = hilly_ ? 0.85 + 0.1 * std::sin(0.7 * column) : 1;
    place(per_jacobian, c) = static_cast<T>(1 / g);
    place(full_rho, c) = static_cast<T>(g * double(l.rho));
    place(full_density, c) = static_cast<T>(g * double(l.density));
    place(full_pressure, c) = l.pressure;
    place(theta, c) = static_cast<T>(g * double(l.density) * uniform(-0.02, 0.02));
    place(rho, c) = static_cast<T>(g * double(l.rho) * uniform(-0.02, 0.03));
    for (const int m : {momentum_u, momentum_v, momentum_w})
      place(m, c) = static_cast<T>(uniform(-10, 10));
    const double temperature = double(l.pressure) / (constants.gas * double(l.rho));
    const double saturated =
        611.2 * std::exp(17.67 * (temperature - 273.15) / (temperature - 29.65));
    const double full = saturated / (461.5 * temperature);
    place(species, c) = static_cast<T>(g * full * uniform(0.2, 1.25));
    for (int s = 1; s < weather::species_of(scheme_); ++s)
      place(species + s, c) = static_cast<T>(g * double(l.rho) * amount(1e-3));
  }

  Index3 cells_;
  bool hilly_, slab_;
  weather::Scheme scheme_;
  Index stride_j_ = 0, stride_k_ = 0, size_ = 0, first_ = 0;
  std::mt19937_64 random_;
};

}  // namespace helicity::test
