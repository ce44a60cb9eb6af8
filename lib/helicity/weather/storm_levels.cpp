// SPDX-License-Identifier: Apache-2.0
#include <helicity/weather/detail/storm_model.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace helicity::weather::detail {
namespace {

/// Rate of the Rayleigh layer: rises as sin^2 from its base to the top.
double damping_at(const StormSetup& s, double z)
{
  const double top = static_cast<double>(s.cells.k) * s.spacing[2];
  if (s.damping_rate == 0 || z <= s.damping_base) return 0;
  const double rise =
      std::sin(std::numbers::pi / 2 * (z - s.damping_base) / (top - s.damping_base));
  return s.damping_rate * rise * rise;
}

/// Reference theta about face k, with rows kept within the column.
Stencil<double> theta_about(const Column& column, Index k)
{
  const auto at = [&](Index row) {
    const auto last = static_cast<Index>(column.theta.size()) - 1;
    return column.theta[static_cast<std::size_t>(std::clamp<Index>(row, 0, last))];
  };
  return {at(k - 3), at(k - 2), at(k - 1), at(k), at(k + 1), at(k + 2)};
}

template <class T>
void set_centre(Level<T>& l, const StormSetup& s, const Column& column, std::size_t k)
{
  const double z = (static_cast<double>(k) + 0.5) * s.spacing[2], rho = column.rho[k];
  l.rho = static_cast<T>(rho);
  l.theta = static_cast<T>(column.theta[k]);
  l.density = static_cast<T>(column.density[k]);
  l.per_density = static_cast<T>(1 / column.density[k]);
  l.pressure = static_cast<T>(column.pressure[k]);
  const auto [u, v] = s.wind ? s.wind(z) : std::pair<double, double>{};
  l.u = static_cast<T>(rho * u);
  l.v = static_cast<T>(rho * v);
  l.wind_u = static_cast<T>(u);
  l.wind_v = static_cast<T>(v);
  const auto [steady_u, steady_v] =
      s.forcing.geostrophic ? s.forcing.geostrophic(z) : std::pair(u, v);
  l.steady_u = static_cast<T>(rho * steady_u);
  l.steady_v = static_cast<T>(rho * steady_v);
  l.steady_wind_u = static_cast<T>(steady_u);
  l.steady_wind_v = static_cast<T>(steady_v);
  l.decay = static_cast<T>(1 - z / (static_cast<double>(s.cells.k) * s.spacing[2]));
  l.damping = static_cast<T>(damping_at(s, z));
  const double diffusivity = s.terrain ? 0 : s.diffusivity;
  l.kx = static_cast<T>(diffusivity * rho / s.spacing[0]);
  l.ky = static_cast<T>(diffusivity * rho / s.spacing[1]);
  l.kz = static_cast<T>(diffusivity * rho / s.spacing[2]);
}

template <class T>
void set_face(Level<T>& l, const StormSetup& s, const Column& column, Index k)
{
  const Index n = s.cells.k;
  const int order = order_near_lid(s.order_up, std::min(k, n - k));
  const Weights<double> w = weights_of_order<double>(order);
  const Stencil<double> theta = theta_about(column, k);
  l.face = weights_of_order<T>(order);
  l.centre = weights_of_order<T>(order_near_lid(s.order_up, std::min(k + 1, n - k)));
  l.theta_face = static_cast<T>((theta.b0 + theta.a0) / 2);
  l.theta_even = static_cast<T>(even_part(theta, w));
  l.theta_odd = static_cast<T>(odd_part(theta, w));
  l.damping_face = static_cast<T>(damping_at(s, static_cast<double>(k) * s.spacing[2]));
  l.decay_face = static_cast<T>(1 - static_cast<double>(k) / static_cast<double>(n));
  l.k = k;
  if (k == 0 || k == n) return;
  const auto at = static_cast<std::size_t>(k);
  const double k_rho = (s.terrain ? 0 : s.diffusivity) * (column.rho[at - 1] + column.rho[at]) / 2;
  l.kx_face = static_cast<T>(k_rho / s.spacing[0]);
  l.ky_face = static_cast<T>(k_rho / s.spacing[1]);
  l.kz_face = static_cast<T>(k_rho / s.spacing[2]);
}

}  // namespace

template <class T>
std::vector<Level<T>> make_levels(const StormSetup& setup, const Column& column)
{
  std::vector<Level<T>> levels(column.rho.size() + 1);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (k < column.rho.size()) set_centre(levels[k], setup, column, k);
    set_face(levels[k], setup, column, static_cast<Index>(k));
  }
  return levels;
}

template std::vector<Level<float>> make_levels(const StormSetup&, const Column&);
template std::vector<Level<double>> make_levels(const StormSetup&, const Column&);

}  // namespace helicity::weather::detail
