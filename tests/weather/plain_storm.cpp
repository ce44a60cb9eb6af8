// SPDX-License-Identifier: Apache-2.0
#include "plain_storm.hpp"

#include <algorithm>
#include <cmath>

namespace helicity::test {
namespace {

using Real = PlainStorm::Real;

/// Where index i of n lies, and whether a mirror turned it.
std::pair<Index, bool> inside(Index i, Index n, bool periodic, bool on_faces)
{
  if (periodic) return {((i % n) + n) % n, false};
  if (on_faces)
    return i < 0 ? std::pair(-i, true) : i > n ? std::pair(2 * n - i, true) : std::pair(i, false);
  return i < 0    ? std::pair(-1 - i, true)
         : i >= n ? std::pair(2 * n - 1 - i, true)
                  : std::pair(i, false);
}

}  // namespace

PlainStorm::PlainStorm(const weather::StormSetup& setup, const weather::Column& column)
    : setup_(setup), column_(column), ni_(setup.cells.i), nj_(setup.cells.j), nk_(setup.cells.k)
{
  for (Field& f : state_) f.assign(static_cast<std::size_t>((ni_ + 1) * (nj_ + 1) * (nk_ + 1)), 0);
  const auto initial = [&](Index i, Index j, Index k, int face) {
    weather::GridPoint p;
    p.twice = {2 * i + (face != 0), 2 * j + (face != 1), 2 * k + (face != 2)};
    p.x = static_cast<double>(p.twice.i) / 2 * setup.spacing[0];
    p.y = static_cast<double>(p.twice.j) / 2 * setup.spacing[1];
    p.z = static_cast<double>(p.twice.k) / 2 * setup.spacing[2];
    return setup.initial(p);
  };
  for (Index k = 0; k < nk_; ++k)
    for (Index j = 0; j < nj_; ++j)
      for (Index i = 0; i < ni_; ++i)
        state_[rho][place(i, j, k)] =
            column_rho(k) * (column_theta(k) / (column_theta(k) + initial(i, j, k, -1).theta) - 1);
  for (Index k = 0; k < nk_ && setup.species > 0; ++k)
    for (Index j = 0; j < nj_; ++j)
      for (Index i = 0; i < ni_; ++i) {
        const double z = (static_cast<double>(k) + 0.5) * setup.spacing[2];
        const weather::StormInitial more = initial(i, j, k, -1);
        const Real here = full_rho(state_, i, j, k);
        state_[water][place(i, j, k)] = here * std::max(0., setup.vapour(z) + more.vapour);
        state_[water + 1][place(i, j, k)] = here * std::max(0., setup.cloud(z) + more.cloud);
      }
  const auto has = [](Index at, Index n, bool periodic, const std::array<bool, 2>& open) {
    return at == 0 ? periodic || open[0] : at < n || open[1];
  };
  for (Index k = 0; k < nk_; ++k)
    for (Index j = 0; j <= nj_; ++j)
      for (Index i = 0; i <= ni_; ++i) {
        const double z = (static_cast<double>(k) + 0.5) * setup.spacing[2];
        const auto [wu, wv] = setup.wind(z);
        const Real here = full_rho(state_, i, j, k);
        if (j < nj_ && has(i, ni_, setup.periodic[0], setup.open[0]))
          state_[u][place(i, j, k)] =
              (here + full_rho(state_, i - 1, j, k)) / 2 * (wu + initial(i, j, k, 0).velocity[0]);
        if (i < ni_ && has(j, nj_, setup.periodic[1], setup.open[1]))
          state_[v][place(i, j, k)] =
              (here + full_rho(state_, i, j - 1, k)) / 2 * (wv + initial(i, j, k, 1).velocity[1]);
        if (k > 0 && i < ni_ && j < nj_)
          state_[w][place(i, j, k)] =
              (here + full_rho(state_, i, j, k - 1)) / 2 * initial(i, j, k, 2).velocity[2];
      }
}

std::size_t PlainStorm::place(Index i, Index j, Index k) const
{
  return static_cast<std::size_t>(i + (ni_ + 1) * (j + (nj_ + 1) * k));
}

Real PlainStorm::get(const State& s, Kind kind, Index i, Index j, Index k) const
{
  for (const int axis : {1, 0}) {
    const Index at = axis == 0 ? i : j, n = axis == 0 ? ni_ : nj_;
    const bool across = kind == u + axis;
    const auto& open = setup_.open[static_cast<std::size_t>(axis)];
    if (open[0] && at < 0) return beyond(s, kind, axis, false, i, j, k);
    if (open[1] && at >= n + (across ? 1 : 0)) return beyond(s, kind, axis, true, i, j, k);
  }
  const auto [x, turned_x] = inside(i, ni_, setup_.periodic[0], kind == u);
  const auto [y, turned_y] = inside(j, nj_, setup_.periodic[1], kind == v);
  const bool odd = (turned_x && kind == u) || (turned_y && kind == v);
  const Real value = s[static_cast<std::size_t>(kind)][place(x, y, k)];
  return odd ? -value : value;
}

/// What stands beyond an open end: as at the end.
Real PlainStorm::beyond(const State& s, Kind kind, int axis, bool high, Index i, Index j,
                        Index k) const
{
  const Index n = axis == 0 ? ni_ : nj_;
  (axis == 0 ? i : j) = high ? (kind == u + axis ? n : n - 1) : 0;
  return get(s, kind, i, j, k);
}

/// Calls f(axis, high, end, inner) with the places of the faces of open ends, which may
/// lie after the last cell, and of those next to them inside.
template <class F>
void PlainStorm::for_open_faces(F&& f) const
{
  for (const int axis : {0, 1})
    for (const bool high : {false, true}) {
      if (!setup_.open[static_cast<std::size_t>(axis)][high ? 1 : 0]) continue;
      const Index n = axis == 0 ? ni_ : nj_, across = axis == 0 ? nj_ : ni_;
      const Index face = high ? n : 0, inner = high ? n - 1 : 1;
      for (Index k = 0; k < nk_; ++k)
        for (Index t = 0; t < across; ++t)
          f(axis, high, axis == 0 ? Index3{face, t, k} : Index3{t, face, k},
            axis == 0 ? Index3{inner, t, k} : Index3{t, inner, k});
    }
}

void PlainStorm::open_rates(const State& s, State& r) const
{
  for_open_faces([&](int axis, bool high, Index3 end, Index3 inner) {
    const double z = (static_cast<double>(end.k) + 0.5) * setup_.spacing[2];
    const auto [wu, wv] = setup_.wind(z);
    const Real start = column_rho(end.k) * static_cast<Real>(axis == 0 ? wu : wv);
    const auto kind = static_cast<Kind>(u + axis);
    const Real here = get(s, kind, end.i, end.j, end.k) - start;
    const Real there = get(s, kind, inner.i, inner.j, inner.k) - start;
    const Real speed = velocity(s, axis, end.i, end.j, end.k);
    const Real out = std::max<Real>((high ? speed : -speed) + setup_.phase_speed, 0);
    r[kind][place(end.i, end.j, end.k)] =
        -out * (here - there) / setup_.spacing[static_cast<std::size_t>(axis)] - sponge(z) * here;
  });
}

/// Pressure does not act on these faces.
void PlainStorm::step_open(State& x, const State& rate, Real dtau) const
{
  for_open_faces([&](int axis, bool, Index3 end, Index3) {
    const auto kind = static_cast<Kind>(u + axis);
    const std::size_t c = place(end.i, end.j, end.k);
    x[kind][c] += dtau * rate[kind][c];
  });
}

Real PlainStorm::full_rho(const State& s, Index i, Index j, Index k) const
{
  return column_rho(k) + get(s, rho, i, j, k);
}

Real PlainStorm::full_theta(const State& s, Index i, Index j, Index k) const
{
  const Real density = column_.density[static_cast<std::size_t>(k)];
  return (density + get(s, theta, i, j, k)) / full_rho(s, i, j, k);
}

Real PlainStorm::excess(const State& s, Index i, Index j, Index k) const
{
  return full_theta(s, i, j, k) - column_theta(k);
}

Real PlainStorm::pressure(const State& s, Index i, Index j, Index k) const
{
  const Real density = column_.density[static_cast<std::size_t>(k)];
  const Real gamma = setup_.constants.gamma();
  return column_.pressure[static_cast<std::size_t>(k)] *
         (std::pow((density + get(s, theta, i, j, k)) / density, gamma) - 1);
}

Real PlainStorm::stiffness(const State& s, Index i, Index j, Index k) const
{
  const auto at = static_cast<std::size_t>(k);
  return setup_.constants.gamma() * (column_.pressure[at] + pressure(s, i, j, k)) /
         (column_.density[at] + get(s, theta, i, j, k));
}

Real PlainStorm::velocity(const State& s, int axis, Index i, Index j, Index k) const
{
  if (axis == 2 && (k <= 0 || k >= nk_)) return 0;
  const Index di = axis == 0, dj = axis == 1, dk = axis == 2;
  return get(s, static_cast<Kind>(u + axis), i, j, k) /
         ((full_rho(s, i - di, j - dj, k - dk) + full_rho(s, i, j, k)) / 2);
}

Real PlainStorm::interpolate(const std::array<Real, 6>& q, Real m, int order) const
{
  const Real sign = m < 0 ? -1 : 1;
  const Real two = (q[2] + q[3]) / 2;
  const Real four = (7 * (q[2] + q[3]) - (q[1] + q[4])) / 12;
  const Real six = (37 * (q[2] + q[3]) - 8 * (q[1] + q[4]) + (q[0] + q[5])) / 60;
  switch (order) {
    case 1: return m > 0 ? q[2] : m < 0 ? q[3] : two;
    case 2: return two;
    case 3: return four + sign * ((q[4] - q[1]) - 3 * (q[3] - q[2])) / 12;
    case 4: return four;
    case 5: return six - sign * ((q[5] - q[0]) - 5 * (q[4] - q[1]) + 10 * (q[3] - q[2])) / 60;
    default: return six;
  }
}

/// Fifth order WENO from the five values that the wind brings. @see Jiang & Shu (1996)
Real weno5(Real a, Real b, Real c, Real d, Real e)
{
  const std::array<Real, 3> value{(2 * a - 7 * b + 11 * c) / 6, (-b + 5 * c + 2 * d) / 6,
                                  (2 * c + 5 * d - e) / 6};
  const auto smooth = [](Real x, Real y) { return 13 * x * x / 12 + y * y / 4; };
  const std::array<Real, 3> rough{smooth(a - 2 * b + c, a - 4 * b + 3 * c),
                                  smooth(b - 2 * c + d, b - d),
                                  smooth(c - 2 * d + e, 3 * c - 4 * d + e)};
  const std::array<Real, 3> best{0.1L, 0.6L, 0.3L};
  Real sum = 0, all = 0;
  for (std::size_t n = 0; n < 3; ++n) {
    const Real x = 1e-14L + rough[n], weight = best[n] / (x * x);
    sum += weight * value[n];
    all += weight;
  }
  return sum / all;
}

Real PlainStorm::flux(const State& s, const Point& q, const Point& diffused, int axis, int along,
                      Index3 a, Index k, bool weno) const
{
  // The face between points b and a, a = b + 1 along the axis.
  const Real h = setup_.spacing[static_cast<std::size_t>(along)];
  const Index last = axis == 2 ? nk_ : nk_ - 1;
  Index3 b = a;
  --b[along];
  if (along == 2 && axis != 2 && (a.k == 0 || a.k == nk_)) return 0;  // lids
  // Mass flux there: the mean of the two momenta next to it along `axis`.
  Index3 m0 = a, m1 = a;
  if (axis >= 0) --m0[axis];
  if (axis == along) m0 = b, m1 = a;
  const auto kind = static_cast<Kind>(u + along);
  const Real m = axis < 0 ? get(s, kind, a.i, a.j, a.k)
                          : (get(s, kind, m0.i, m0.j, m0.k) + get(s, kind, m1.i, m1.j, m1.k)) / 2;
  std::array<Real, 6> values;
  for (int n = 0; n < 6; ++n) {
    Index3 p = b;
    p[along] += n - 2;
    if (along == 2) p.k = std::clamp<Index>(p.k, 0, last);
    values[static_cast<std::size_t>(n)] = q(p.i, p.j, p.k);
  }
  int order = along == 2 ? setup_.order_up : setup_.order_across;
  if (along == 2) {
    const Index near = std::min(a.k, last + 1 - a.k);
    if (near == 1) order = std::min(order, 2);
    if (near == 2 && order > 4) order -= 2;
    weno = weno && near > 2;
  }
  // Reference density at the face, for diffusion.
  Real density = column_rho(std::min(std::max<Index>(b.k, 0), nk_ - 1));
  if (axis == 2 && along != 2) density = (column_rho(k - 1) + column_rho(k)) / 2;
  if (axis != 2 && along == 2) density = (column_rho(a.k - 1) + column_rho(a.k)) / 2;
  const Real diffusive =
      setup_.diffusivity * density * (diffused(a.i, a.j, a.k) - diffused(b.i, b.j, b.k)) / h;
  if (!weno) return m * interpolate(values, m, order) - diffusive;
  if (m < 0) std::reverse(values.begin(), values.end());
  return m * weno5(values[0], values[1], values[2], values[3], values[4]) - diffusive;
}

Real PlainStorm::transport(const State& s, const Point& q, const Point& diffused, int axis, Index i,
                           Index j, Index k) const
{
  Real sum = 0;
  for (int along = 0; along < 3; ++along) {
    if (along == 1 && nj_ == 1) continue;
    for (const int side : {0, 1}) {
      Index3 a{i, j, k};
      a[along] += side;
      const Real x = flux(s, q, diffused, axis, along, a, k);
      sum += (side == 1 ? x : -x) / setup_.spacing[static_cast<std::size_t>(along)];
    }
  }
  return sum;
}

Real PlainStorm::content(const State& s, int species, Index i, Index j, Index k) const
{
  return get(s, static_cast<Kind>(water + species), i, j, k) / full_rho(s, i, j, k);
}

/// Rm / cvm - R cpm / (cp cvm) div u.
Real PlainStorm::expansion(const State& s, Index i, Index j, Index k) const
{
  const weather::Constants& air = setup_.constants;
  const weather::MoistConstants& wet = setup_.water;
  std::array<Real, 6> q{};
  for (int n = 0; n < setup_.species; ++n) q[static_cast<std::size_t>(n)] = content(s, n, i, j, k);
  const Real liquid = q[1] + q[2], ice = q[3] + q[4] + q[5], dry = 1 - q[0] - liquid - ice;
  const Real gas = dry * air.gas + q[0] * wet.gas_vapour;
  const Real heat = dry * (air.heat - air.gas) + q[0] * (wet.heat_vapour - wet.gas_vapour) +
                    liquid * wet.heat_liquid + ice * wet.heat_ice;
  Real spread = (velocity(s, 0, i + 1, j, k) - velocity(s, 0, i, j, k)) / setup_.spacing[0] +
                (velocity(s, 2, i, j, k + 1) - velocity(s, 2, i, j, k)) / setup_.spacing[2];
  if (nj_ > 1)
    spread += (velocity(s, 1, i, j + 1, k) - velocity(s, 1, i, j, k)) / setup_.spacing[1];
  return (gas / heat - air.gas * (heat + gas) / (air.heat * heat)) * spread;
}

/// What part of its outflow each cell can afford.
PlainStorm::Field PlainStorm::affordable(const State& start, const State& mean, const Point& q,
                                         int species, Real dt)
{
  Field keep(start[0].size(), 1);
  for (Index k = 0; k < nk_; ++k)
    for (Index j = 0; j < nj_; ++j)
      for (Index i = 0; i < ni_; ++i) {
        Real out = 0;
        for (int along = 0; along < 3; ++along) {
          if (along == 1 && nj_ == 1) continue;
          for (const int side : {0, 1}) {
            Index3 a{i, j, k};
            a[along] += side;
            const Real x = flux(mean, q, q, -1, along, a, k, setup_.weno);
            out += std::max<Real>(0, side == 1 ? x : -x) /
                   setup_.spacing[static_cast<std::size_t>(along)];
          }
        }
        const std::size_t c = place(i, j, k);
        const Real there_is = start[static_cast<std::size_t>(water + species)][c];
        if (dt * out <= there_is) continue;
        keep[c] = there_is / (dt * out);
        ++limited_;
      }
  return keep;
}

void PlainStorm::carry(const State& start, State& latest, const State& mean, Real dt, bool limited)
{
  const State now = latest;
  for (int species = 0; species < setup_.species; ++species) {
    const Point q = [&](Index i, Index j, Index k) { return content(now, species, i, j, k); };
    Field keep;
    if (limited) keep = affordable(start, mean, q, species, dt);
    const auto at = static_cast<std::size_t>(water + species);
    for (Index k = 0; k < nk_; ++k)
      for (Index j = 0; j < nj_; ++j)
        for (Index i = 0; i < ni_; ++i) {
          Real sum = 0;
          for (int along = 0; along < 3; ++along) {
            if (along == 1 && nj_ == 1) continue;
            for (const int side : {0, 1}) {
              Index3 a{i, j, k};
              a[along] += side;
              Real x = flux(mean, q, q, -1, along, a, k, setup_.weno);
              Index3 from = a;
              if (x > 0) --from[along];
              if (limited && x != 0) x *= push_at(keep, from.i, from.j, from.k);
              sum += (side == 1 ? x : -x) / setup_.spacing[static_cast<std::size_t>(along)];
            }
          }
          latest[at][place(i, j, k)] = start[at][place(i, j, k)] - dt * sum;
        }
  }
}

Real PlainStorm::sponge(Real z) const
{
  const Real top = static_cast<Real>(nk_) * setup_.spacing[2], base = setup_.damping_base;
  if (setup_.damping_rate == 0 || z <= base) return 0;
  const Real x = std::sin(std::acos(-1.0L) / 2 * (z - base) / (top - base));
  return setup_.damping_rate * x * x;
}

PlainStorm::State PlainStorm::rates(const State& s) const
{
  State r;
  for (Field& f : r) f.assign(s[0].size(), 0);
  const Real dx = setup_.spacing[0], dy = setup_.spacing[1], dz = setup_.spacing[2];
  const auto speed = [&](int axis) -> Point {
    return [&, axis](Index i, Index j, Index k) { return velocity(s, axis, i, j, k); };
  };
  const Point heat = [&](Index i, Index j, Index k) { return full_theta(s, i, j, k); };
  const Point warm = [&](Index i, Index j, Index k) { return excess(s, i, j, k); };
  const Point one = [](Index, Index, Index) -> Real { return 1; };
  for (Index k = 0; k < nk_; ++k)
    for (Index j = 0; j < nj_; ++j)
      for (Index i = 0; i < ni_; ++i) {
        const std::size_t c = place(i, j, k);
        const Real z = (static_cast<Real>(k) + 0.5L) * dz;
        const auto [wu, wv] = setup_.wind(static_cast<double>(z));
        const Real mu = column_rho(k) * static_cast<Real>(wu),
                   mv = column_rho(k) * static_cast<Real>(wv);
        const Real v_mean = (get(s, v, i - 1, j, k) + get(s, v, i, j, k) +
                             get(s, v, i - 1, j + 1, k) + get(s, v, i, j + 1, k)) /
                            4;
        const Real u_mean = (get(s, u, i, j - 1, k) + get(s, u, i, j, k) +
                             get(s, u, i + 1, j - 1, k) + get(s, u, i + 1, j, k)) /
                            4;
        const Real from_middle = (static_cast<Real>(j) - static_cast<Real>(nj_) / 2) * dy;
        const Real f_face = setup_.coriolis + setup_.beta * from_middle;
        const Real f = setup_.coriolis + setup_.beta * (from_middle + dy / 2);
        r[u][c] = f * (v_mean - mv) - (pressure(s, i, j, k) - pressure(s, i - 1, j, k)) / dx -
                  transport(s, speed(0), speed(0), 0, i, j, k) - sponge(z) * (s[u][c] - mu);
        const Real slope = nj_ == 1 ? 0 : (pressure(s, i, j, k) - pressure(s, i, j - 1, k)) / dy;
        r[v][c] = -f_face * (u_mean - mu) - slope - transport(s, speed(1), speed(1), 1, i, j, k) -
                  sponge(z) * (s[v][c] - mv);
        if (k > 0)
          r[w][c] = -(pressure(s, i, j, k) - pressure(s, i, j, k - 1)) / dz -
                    setup_.constants.gravity * (s[rho][c] + get(s, rho, i, j, k - 1)) / 2 -
                    transport(s, speed(2), speed(2), 2, i, j, k) -
                    sponge(static_cast<Real>(k) * dz) * s[w][c];
        r[rho][c] = -transport(s, one, one, -1, i, j, k);
        r[theta][c] = -transport(s, heat, warm, -1, i, j, k) -
                      sponge(z) * excess(s, i, j, k) * full_rho(s, i, j, k) -
                      expansion(s, i, j, k) * full_theta(s, i, j, k) * full_rho(s, i, j, k);
      }
  open_rates(s, r);
  return r;
}

Real PlainStorm::face_theta(const State& s, int axis, Index i, Index j, Index k) const
{
  if (axis == 2 && (k == 0 || k == nk_)) return 0;
  return (full_theta(s, i - (axis == 0), j - (axis == 1), k - (axis == 2)) +
          full_theta(s, i, j, k)) /
         2;
}

Real PlainStorm::push_at(const Field& push, Index i, Index j, Index k) const
{
  return push[place(inside(i, ni_, setup_.periodic[0], false).first,
                    inside(j, nj_, setup_.periodic[1], false).first, k)];
}

/// Backward in time with weight b: (W, Theta, rho) of one column, by elimination without pivoting
/// of the full matrix for W at the faces 1 .. nk - 1.
void PlainStorm::solve_column(State& x, const State& s, const State& rate, Field& push, Real dtau,
                              Index i, Index j) const
{
  const Real b = (1 + static_cast<Real>(setup_.off_centring)) / 2, a = 1 - b;
  const Real dx = setup_.spacing[0], dy = setup_.spacing[1], dz = setup_.spacing[2];
  const Real g = setup_.constants.gravity;
  const auto n = static_cast<std::size_t>(nk_);
  std::vector<Real> t(n), r(n), t_old(n), r_old(n), th(n + 1), c(n);
  for (Index k = 0; k <= nk_; ++k) th[static_cast<std::size_t>(k)] = face_theta(s, 2, i, j, k);
  for (std::size_t m = 0; m < n; ++m) {
    const auto k = static_cast<Index>(m);
    const std::size_t p = place(i, j, k);
    const auto spread = [&](bool warm) {
      const auto q = [&](int axis, Index ii, Index jj) {
        return warm ? face_theta(s, axis, ii, jj, k) : Real(1);
      };
      Real d = (get(x, u, i + 1, j, k) * q(0, i + 1, j) - get(x, u, i, j, k) * q(0, i, j)) / dx;
      if (nj_ > 1)
        d += (get(x, v, i, j + 1, k) * q(1, i, j + 1) - get(x, v, i, j, k) * q(1, i, j)) / dy;
      return d;
    };
    const Real below = x[w][p], above = x[w][place(i, j, k + 1)];
    c[m] = stiffness(s, i, j, k);
    t_old[m] = x[theta][p];
    r_old[m] = x[rho][p];
    t[m] = t_old[m] +
           dtau * (rate[theta][p] - spread(true) - a * (th[m + 1] * above - th[m] * below) / dz);
    r[m] = r_old[m] + dtau * (rate[rho][p] - spread(false) - a * (above - below) / dz);
  }
  const std::size_t size = n - 1;
  std::vector<std::vector<Real>> matrix(size, std::vector<Real>(size + 1, 0));
  const auto forcing = [&](std::size_t k, const std::vector<Real>& tt,
                           const std::vector<Real>& rr) {
    return -(c[k] * tt[k] - c[k - 1] * tt[k - 1]) / dz - g * (rr[k] + rr[k - 1]) / 2;
  };
  std::vector<Real> t_mean(n), r_mean(n);
  for (std::size_t k = 0; k < n; ++k) {
    t_mean[k] = b * t[k] + a * t_old[k];
    r_mean[k] = b * r[k] + a * r_old[k];
  }
  for (std::size_t k = 1; k < n; ++k) {
    const std::size_t p = place(i, j, static_cast<Index>(k));
    matrix[k - 1][size] = x[w][p] + dtau * (rate[w][p] + forcing(k, t_mean, r_mean));
    matrix[k - 1][k - 1] += 1;
    for (std::size_t m = k > 1 ? k - 1 : 1; m <= k + 1 && m < n; ++m) {
      // A unit of W at face m changes Theta and rho of the levels on both sides.
      std::vector<Real> dt(n, 0), dr(n, 0);
      dt[m - 1] = -dtau * b * th[m] / dz;
      dt[m] = dtau * b * th[m] / dz;
      dr[m - 1] = -dtau * b / dz;
      dr[m] = dtau * b / dz;
      matrix[k - 1][m - 1] -= dtau * b * forcing(k, dt, dr);
    }
  }
  for (std::size_t m = 0; m < size; ++m)
    for (std::size_t k = m + 1; k < size; ++k) {
      const Real factor = matrix[k][m] / matrix[m][m];
      for (std::size_t q = m; q <= size; ++q) matrix[k][q] -= factor * matrix[m][q];
    }
  std::vector<Real> ww(n + 1, 0);
  for (std::size_t m = size; m-- > 0;) {
    Real right = matrix[m][size];
    for (std::size_t q = m + 1; q < size; ++q) right -= matrix[m][q] * ww[q + 1];
    ww[m + 1] = right / matrix[m][m];
  }
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t p = place(i, j, static_cast<Index>(k));
    x[w][p] = ww[k];
    x[theta][p] = t[k] - dtau * b * (th[k + 1] * ww[k + 1] - th[k] * ww[k]) / dz;
    x[rho][p] = r[k] - dtau * b * (ww[k + 1] - ww[k]) / dz;
    push[p] = c[k] * (x[theta][p] +
                      static_cast<Real>(setup_.divergence_damping) * (x[theta][p] - t_old[k]));
  }
}

void PlainStorm::acoustic(State& x, const State& s, const State& rate, Field& push, Real dtau,
                          State& mean) const
{
  const Real b = (1 + static_cast<Real>(setup_.off_centring)) / 2;
  for (std::size_t c = 0; c < x[w].size(); ++c) mean[w][c] += (1 - b) * x[w][c];
  const Real dx = setup_.spacing[0], dy = setup_.spacing[1];
  for (Index k = 0; k < nk_; ++k)
    for (Index j = 0; j < nj_; ++j)
      for (Index i = 0; i < ni_; ++i) {
        const std::size_t c = place(i, j, k);
        const Real p = push_at(push, i, j, k);
        if (i > 0 || setup_.periodic[0])
          x[u][c] += dtau * (rate[u][c] - (p - push_at(push, i - 1, j, k)) / dx);
        if (j > 0 || setup_.periodic[1])
          x[v][c] += dtau * (rate[v][c] - (nj_ == 1 ? 0 : (p - push_at(push, i, j - 1, k)) / dy));
      }
  step_open(x, rate, dtau);
  for (Index j = 0; j < nj_; ++j)
    for (Index i = 0; i < ni_; ++i) solve_column(x, s, rate, push, dtau, i, j);
  for (std::size_t c = 0; c < x[w].size(); ++c) {
    mean[u][c] += x[u][c];
    mean[v][c] += x[v][c];
    mean[w][c] += b * x[w][c];
  }
}

void PlainStorm::stage(const State& start, State& latest, Real dt, int count)
{
  const State rate = rates(latest);
  State x = start;
  for (std::size_t n = 0; n < kinds; ++n)
    for (std::size_t c = 0; c < x[n].size(); ++c) x[n][c] -= latest[n][c];
  Field push(x[0].size(), 0);
  for (Index k = 0; k < nk_; ++k)
    for (Index j = 0; j < nj_; ++j)
      for (Index i = 0; i < ni_; ++i)
        push[place(i, j, k)] = stiffness(latest, i, j, k) * x[theta][place(i, j, k)];
  State mean;
  for (Field& f : mean) f.assign(x[0].size(), 0);
  for (int n = 0; n < count; ++n) acoustic(x, latest, rate, push, dt / count, mean);
  for (const Kind m : {u, v, w})
    for (std::size_t c = 0; c < x[m].size(); ++c) mean[m][c] = latest[m][c] + mean[m][c] / count;
  carry(start, latest, mean, dt, dt == static_cast<Real>(setup_.step));
  for (std::size_t n = 0; n < water; ++n)
    for (std::size_t c = 0; c < x[n].size(); ++c) latest[n][c] += x[n][c];
}

void PlainStorm::step()
{
  const auto counts = weather::short_steps_of_stages(setup_.short_steps);
  State latest = state_;
  for (int n = 0; n < 3; ++n)
    stage(state_, latest, static_cast<Real>(setup_.step) / (3 - n),
          counts[static_cast<std::size_t>(n)]);
  state_ = latest;
}

std::array<double, 5> PlainStorm::at(Index i, Index j, Index k) const
{
  const auto value = [](Real x) { return static_cast<double>(x); };
  return {value(excess(state_, i, j, k)), value(velocity(state_, 0, i, j, k)),
          value(velocity(state_, 1, i, j, k)), value(velocity(state_, 2, i, j, k)),
          value(pressure(state_, i, j, k))};
}

}  // namespace helicity::test
