// SPDX-License-Identifier: Apache-2.0
#include <oracle/lattice_boltzmann.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace helicity::test {

PlainLatticeBoltzmann::PlainLatticeBoltzmann(const fluid::LbmSetup& setup) : setup_(setup)
{
  const bool plane = setup.lattice == fluid::LatticeKind::d2q9;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const int length = std::abs(x) + std::abs(y) + std::abs(z);
        if (length == 3 || (plane && z != 0)) continue;
        const long double w = plane ? (length == 0   ? 4.0L / 9
                                       : length == 1 ? 1.0L / 9
                                                     : 1.0L / 36)
                                    : (length == 0   ? 1.0L / 3
                                       : length == 1 ? 1.0L / 18
                                                     : 1.0L / 36);
        links_.push_back({{x, y, z}, w});
      }
  const auto cells = static_cast<std::size_t>(volume(setup.cells));
  f_.assign(cells, std::vector<long double>(links_.size()));
  post_ = f_;
  const long double tau = 3.0L * setup.viscosity + 0.5L;
  for (Index k = 0; k < setup.cells.k; ++k)
    for (Index j = 0; j < setup.cells.j; ++j)
      for (Index i = 0; i < setup.cells.i; ++i) {
        const fluid::LbmInitial s = setup.initial ? setup.initial({i, j, k}) : fluid::LbmInitial{};
        const long double rho = 1.0L + s.density;
        for (std::size_t n = 0; n < links_.size(); ++n) {
          const auto& [c, w] = links_[n];
          long double cu = 0, uu = 0, q = 0;
          for (int a = 0; a < 3; ++a) {
            cu += c[a] * s.velocity[static_cast<std::size_t>(a)];
            uu += s.velocity[static_cast<std::size_t>(a)] * s.velocity[static_cast<std::size_t>(a)];
          }
          const std::array<double, 6>& e = s.strain;
          const long double strain[3][3] = {
              {e[0], e[3], e[4]}, {e[3], e[1], e[5]}, {e[4], e[5], e[2]}};
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
              q += (c[a] * c[b] - (a == b ? 1.0L / 3 : 0.0L)) * strain[a][b];
          f_[at({i, j, k})][n] =
              w * rho * (1 + 3 * cu + 4.5L * cu * cu - 1.5L * uu) - 3 * w * rho * tau * q;
        }
      }
}

std::size_t PlainLatticeBoltzmann::at(Index3 c) const
{
  return static_cast<std::size_t>(c.i + setup_.cells.i * (c.j + setup_.cells.j * c.k));
}

Index3 PlainLatticeBoltzmann::wrap(Index3 c) const
{
  for (int a = 0; a < 3; ++a) c[a] = (c[a] + setup_.cells[a]) % setup_.cells[a];
  return c;
}

PlainLatticeBoltzmann::Wall PlainLatticeBoltzmann::wall_at(Index3 c) const
{
  Wall wall;
  std::vector<fluid::Vector3> met;
  for (int a = 0; a < 3; ++a) {
    const auto& ends = setup_.ends[static_cast<std::size_t>(a)];
    if (!ends[0].wall || (c[a] >= 0 && c[a] < setup_.cells[a])) continue;
    met.push_back(ends[c[a] < 0 ? 0 : 1].velocity);
  }
  if (!met.empty()) {  // the slowest; equally slow ones share
    const auto speed = [](const fluid::Vector3& v) { return std::hypot(v[0], v[1], v[2]); };
    double least = speed(met[0]), count = 0;
    for (const auto& v : met) least = std::min(least, speed(v));
    for (const auto& v : met) {
      if (speed(v) > least) continue;
      ++count;
      for (std::size_t x = 0; x < 3; ++x) wall.velocity[x] += v[x];
    }
    for (double& v : wall.velocity) v /= count;
    wall.solid = true;
    return wall;
  }
  const std::uint8_t id = setup_.solid ? setup_.solid(wrap(c)) : std::uint8_t{0};
  wall.solid = id != 0;
  if (id != 0 && id <= setup_.solid_velocity.size()) wall.velocity = setup_.solid_velocity[id - 1u];
  return wall;
}

std::size_t PlainLatticeBoltzmann::reverse(std::size_t i) const
{
  return links_.size() - 1 - i;  // links are made in an order that is its own mirror image
}

void PlainLatticeBoltzmann::collide(std::size_t cell)
{
  const std::vector<long double>& f = f_[cell];
  long double rho = 0, u[3] = {0, 0, 0}, uu = 0, uf = 0;
  for (std::size_t n = 0; n < f.size(); ++n) {
    rho += f[n];
    for (int a = 0; a < 3; ++a) u[a] += links_[n].c[a] * f[n];
  }
  for (int a = 0; a < 3; ++a) {
    u[a] = (u[a] + setup_.force[static_cast<std::size_t>(a)] / 2.0L) / rho;
    uu += u[a] * u[a];
    uf += u[a] * setup_.force[static_cast<std::size_t>(a)];
  }
  const long double tau = 3.0L * setup_.viscosity + 0.5L;
  const long double tau_odd = setup_.single_rate ? tau : setup_.magic / (tau - 0.5L) + 0.5L;
  std::vector<long double> eq(f.size()), force(f.size());
  for (std::size_t n = 0; n < f.size(); ++n) {
    long double cu = 0, cf = 0;
    for (int a = 0; a < 3; ++a) {
      cu += links_[n].c[a] * u[a];
      cf += links_[n].c[a] * setup_.force[static_cast<std::size_t>(a)];
    }
    eq[n] = links_[n].w * rho * (1 + 3 * cu + 4.5L * cu * cu - 1.5L * uu);
    force[n] = links_[n].w * (3 * (cf - uf) + 9 * cu * cf);
  }
  for (std::size_t n = 0; n < f.size(); ++n) {
    const std::size_t r = reverse(n);
    const auto even = [r, n](const auto& g) { return (g[n] + g[r]) / 2; };
    const auto odd = [r, n](const auto& g) { return (g[n] - g[r]) / 2; };
    post_[cell][n] = f[n] - (even(f) - even(eq)) / tau - (odd(f) - odd(eq)) / tau_odd +
                     (1 - 1 / (2 * tau)) * even(force) + (1 - 1 / (2 * tau_odd)) * odd(force);
  }
}

long double PlainLatticeBoltzmann::pull(Index3 cell, std::size_t i) const
{
  const auto& [c, w] = links_[i];
  const Index3 from = cell - Index3{c[0], c[1], c[2]};
  const Wall wall = wall_at(from);
  if (!wall.solid) return post_[at(wrap(from))][i];
  long double cu = 0;
  for (int a = 0; a < 3; ++a) cu += c[a] * wall.velocity[static_cast<std::size_t>(a)];
  return post_[at(cell)][reverse(i)] + 6 * w * cu;
}

void PlainLatticeBoltzmann::step()
{
  for (std::size_t cell = 0; cell < f_.size(); ++cell) collide(cell);
  for (Index k = 0; k < setup_.cells.k; ++k)
    for (Index j = 0; j < setup_.cells.j; ++j)
      for (Index i = 0; i < setup_.cells.i; ++i) {
        if (wall_at({i, j, k}).solid) continue;
        for (std::size_t n = 0; n < links_.size(); ++n) f_[at({i, j, k})][n] = pull({i, j, k}, n);
      }
}

std::array<double, 4> PlainLatticeBoltzmann::moments(Index3 cell) const
{
  std::array<double, 4> m{};
  if (wall_at(cell).solid) return m;
  long double rho = 0, u[3] = {0, 0, 0};
  for (std::size_t n = 0; n < links_.size(); ++n) {
    rho += f_[at(cell)][n];
    for (int a = 0; a < 3; ++a) u[a] += links_[n].c[a] * f_[at(cell)][n];
  }
  m[0] = static_cast<double>(rho - 1);
  for (std::size_t a = 0; a < 3; ++a)
    m[a + 1] = static_cast<double>((u[a] + setup_.force[a] / 2.0L) / rho);
  return m;
}

}  // namespace helicity::test
