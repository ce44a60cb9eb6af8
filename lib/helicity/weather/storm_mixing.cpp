// SPDX-License-Identifier: Apache-2.0
// Mixing, the ground and the large scale: their numbers and fields.
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/weather/detail/storm_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace helicity::weather::detail {
namespace {

constexpr double karman = 0.4;

/// Squares of wave numbers are below 4 (1/dx^2 + ...); the stress tensor doubles them. A forward
/// step is stable with K dt sum below 1/4; half of that each for across and up.
constexpr double most_share = 0.125;

double square(double x) { return x * x; }

bool has_forcing(const StormForcing& f) { return f.lowering || f.heating; }

/// Ground that stops the wind or warms the air.
bool has_surface(const StormSurface& s)
{
  return s.drag > 0 || s.friction > 0 || s.roughness > 0 || s.heat != 0 || s.exchange > 0;
}

/// Least G of the domain.
double least_depth(const StormSetup& s)
{
  const GroundHeight ground(s);
  double least = 1;
  if (ground.flat()) return least;
  for (Index j = 0; j < s.cells.j; ++j)
    for (Index i = 0; i < s.cells.i; ++i) least = std::min(least, ground.jacobian(i, j));
  return least;
}

/// Largest K across and up that a forward step is stable with.
std::array<double, 2> largest_k(const StormSetup& s)
{
  const double y = s.cells.j > 1 ? 1 / square(s.spacing[1]) : 0;
  const double up = square(s.spacing[2] * least_depth(s));
  return {most_share / s.step / (1 / square(s.spacing[0]) + y), most_share / s.step * up};
}

/// Filter lengths across and up.
std::array<double, 2> lengths(const StormSetup& s)
{
  const auto [dx, dy, dz] = s.spacing;
  const bool slab = s.cells.j == 1;
  if (s.mixing.separate) return {slab ? dx : std::sqrt(dx * dy), dz};
  const double l = slab ? std::sqrt(dx * dz) : std::cbrt(dx * dy * dz);
  return {l, l};
}

void require(bool good, std::string_view what)
{
  if (!good) throw UsageError(std::string(what));
}

void check_surface(const StormSetup& s)
{
  const StormSurface& g = s.surface;
  const int laws = (g.drag > 0) + (g.friction > 0) + (g.roughness > 0);
  require(g.drag >= 0 && g.friction >= 0 && g.roughness >= 0 && g.exchange >= 0,
          "drag, friction velocity, roughness and exchange of the ground are not negative");
  require(laws <= 1, "the ground has one of a drag coefficient, a friction velocity, a roughness");
  require(
      g.roughness < s.spacing[2] / 2,
      fmt::format("roughness of {:.6g} m: the middle of the lowest cell, {:.6g} m, must be above",
                  g.roughness, s.spacing[2] / 2));
  require(g.roughness == 0 || !s.terrain,
          "the log law is for flat ground: give a drag coefficient");
  require(g.exchange == 0 || g.theta > 0, "exchange of heat needs the theta of the ground");
}

/// Drag coefficient of the lowest cells.
double drag_of(const StormSetup& s)
{
  const double z0 = s.surface.roughness;
  if (z0 == 0) return s.surface.drag;
  return square(karman / std::log(s.spacing[2] / 2 / z0));
}

}  // namespace

bool mixes(const StormSetup& s)
{
  return s.mixing.closure != Closure::none || (s.terrain && s.diffusivity > 0) ||
         has_surface(s.surface) || has_forcing(s.forcing);
}

void check_mixing(const StormSetup& s)
{
  check_surface(s);
  const StormMixing& m = s.mixing;
  require(m.coefficient >= 0 && m.prandtl > 0,
          "the coefficient of a closure is not negative, its Prandtl number above 0");
  require(m.closure != Closure::constant, "a constant K is a diffusivity, not a closure");
  require(m.energy_least > 0 && m.energy_start >= m.energy_least,
          "subgrid energy starts at its least value, which is above 0, or higher");
  require(m.closure == Closure::none || s.diffusivity == 0,
          "a constant diffusivity and a closure are both set: one of them mixes");
  require(!has_forcing(s.forcing) || !s.terrain, "large-scale forcing is for flat ground");
  if (!s.terrain || s.diffusivity == 0) return;
  const auto [across, up] = largest_k(s);
  require(s.diffusivity <= std::min(across, up),
          fmt::format("diffusivity of {:.6g} m2/s: over terrain the step allows {:.6g}",
                      s.diffusivity, std::min(across, up)));
}

template <class T>
void Model<T>::set_mixing()
{
  mixing_on_ = mixes(setup_);
  if (!mixing_on_) return;
  mixing_work_ = grid::Field<T>(storm_shape(owned_, slab_, mixing_count), executor_);
  const auto on = [&](int n) { return mixing_work_.view(n).origin; };
  const StormMixing& s = setup_.mixing;
  const auto [across, up] = lengths(setup_);
  const auto [most_across, most_up] = largest_k(setup_);
  const bool eddies = s.closure != Closure::none;
  const double k = setup_.terrain ? setup_.diffusivity : 0;
  Mixing<T>& m = mixing_;
  m.closure = eddies ? s.closure : Closure::constant;
  m.separate = eddies && s.separate;
  m.departure = !eddies;
  m.square_across = static_cast<T>(eddies ? square(s.coefficient * across) : k);
  m.square_up = static_cast<T>(eddies ? square(s.coefficient * up) : k);
  m.length_across = static_cast<T>(across);
  m.length_up = static_cast<T>(up);
  m.least_energy = static_cast<T>(s.energy_least);
  m.most_across = static_cast<T>(most_across);
  m.most_up = static_cast<T>(m.separate ? most_up : std::min(most_across, most_up));
  m.per_prandtl = static_cast<T>(eddies ? 1 / s.prandtl : 1);
  m.ground = {static_cast<T>(drag_of(setup_)), static_cast<T>(setup_.surface.friction),
              static_cast<T>(setup_.surface.heat), static_cast<T>(setup_.surface.exchange),
              static_cast<T>(setup_.surface.theta)};
  m.xx = on(mixing_xx);
  m.yy = on(mixing_yy);
  m.zz = on(mixing_zz);
  m.xy = on(mixing_xy);
  m.xz = on(mixing_xz);
  m.yz = on(mixing_yz);
  m.k_up = on(mixing_k_up);
  m.heat_up = on(mixing_heat_up);
  m.k_across = m.separate ? on(mixing_k_across) : m.k_up;
  m.heat_across = m.separate ? on(mixing_heat_across) : m.heat_up;
  m.rate = {nullptr, on(mixing_rate), on(mixing_rate + 1), on(mixing_rate + 2),
            on(mixing_rate + 3)};
  m.energy_source = on(mixing_energy_source);
  m.energy_next = on(mixing_energy_next);
  set_forcing();
}

/// e at the beginning of a stage.
template <class T>
void Model<T>::set_energy(int stage)
{
  mixing_.energy_start = now_.scalars.view(2).origin;
  mixing_.energy = stage == 0 ? mixing_.energy_start : later_.scalars.view(2).origin;
}

template <class T>
void Model<T>::set_forcing()
{
  const StormForcing& f = setup_.forcing;
  if (!has_forcing(f)) return;
  std::vector<Forced<T>> levels;
  for (Index k = 0; k < setup_.cells.k; ++k) {
    const double z = (static_cast<double>(k) + 0.5) * setup_.spacing[2];
    levels.push_back({static_cast<T>(f.lowering ? f.lowering(z) : 0),
                      static_cast<T>(f.heating ? f.heating(z) : 0)});
  }
  if (const auto* cuda = std::get_if<Cuda>(&executor_)) {
    forced_ = Buffer<Forced<T>>(MemoryKind::device, levels.size(), *cuda);
    copy_bytes(forced_.data(), levels.data(), forced_.bytes(), *cuda);
    synchronize(*cuda);
  } else {
    forced_ = Buffer<Forced<T>>(MemoryKind::host, levels.size());
    std::copy(levels.begin(), levels.end(), forced_.data());
  }
  mixing_.forced = forced_.data();
}

template void Model<float>::set_mixing();
template void Model<double>::set_mixing();
template void Model<float>::set_energy(int);
template void Model<double>::set_energy(int);
template void Model<float>::set_forcing();
template void Model<double>::set_forcing();

}  // namespace helicity::weather::detail
