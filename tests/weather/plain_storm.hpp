// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/storm_model.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace helicity::test {

/// The core as the papers write it: long double, one point after the other, pow for pressure,
/// boundaries by asking for the mirrored or wrapped point, columns solved by elimination of the
/// full matrix. Nothing is shared with the library but the description of the storm and its column.
class PlainStorm
{
 public:
  using Real = long double;
  /// rho q of up to six species of water at the end
  enum Kind { rho, theta, u, v, w, water, kinds = water + 6 };

  PlainStorm(const weather::StormSetup& setup, const weather::Column& column);

  void step();

  /// Deviation of theta_rho, u, v, w (faces) and p' at a point.
  std::array<double, 5> at(Index i, Index j, Index k) const;

  double content(int species, Index i, Index j, Index k) const
  {
    return static_cast<double>(content(state_, species, i, j, k));
  }

  /// Cells whose outflow was scaled, all species, so far.
  int limited() const { return limited_; }

 private:
  using Field = std::vector<Real>;
  using State = std::array<Field, kinds>;
  using Point = std::function<Real(Index i, Index j, Index k)>;

  /// A value by index, beyond the ends of the domain too.
  Real get(const State& s, Kind kind, Index i, Index j, Index k) const;
  std::size_t place(Index i, Index j, Index k) const;

  Real column_rho(Index k) const { return column_.rho[static_cast<std::size_t>(k)]; }
  Real column_theta(Index k) const { return column_.theta[static_cast<std::size_t>(k)]; }
  Real full_rho(const State& s, Index i, Index j, Index k) const;
  Real full_theta(const State& s, Index i, Index j, Index k) const;
  Real excess(const State& s, Index i, Index j, Index k) const;
  Real pressure(const State& s, Index i, Index j, Index k) const;
  Real stiffness(const State& s, Index i, Index j, Index k) const;
  Real velocity(const State& s, int axis, Index i, Index j, Index k) const;

  /// Divergence of the flux of q, which stands shifted half a cell down along `axis` (-1: at
  /// centres), by mass and diffusion. `first`, `last`: rows of q that there are.
  Real transport(const State& s, const Point& q, const Point& diffused, int axis, Index i, Index j,
                 Index k) const;
  /// The flux through the low face of cell `a` across `along`. @param k  of the point it is for
  Real flux(const State& s, const Point& q, const Point& diffused, int axis, int along, Index3 a,
            Index k, bool weno = false) const;
  Real interpolate(const std::array<Real, 6>& q, Real m, int order) const;

  Real content(const State& s, int species, Index i, Index j, Index k) const;
  Real expansion(const State& s, Index i, Index j, Index k) const;
  void carry(const State& start, State& latest, const State& mean, Real dt, bool limited);
  Field affordable(const State& start, const State& mean, const Point& q, int species, Real dt);
  Real beyond(const State& s, Kind kind, int axis, bool high, Index i, Index j, Index k) const;
  template <class F>
  void for_open_faces(F&& f) const;
  void open_rates(const State& s, State& r) const;
  void step_open(State& x, const State& rate, Real dtau) const;

  State rates(const State& s) const;
  Real sponge(Real z) const;
  void stage(const State& start, State& latest, Real dt, int count);
  /// @param mean  the step's mean deviations of momenta are added to it
  void acoustic(State& x, const State& s, const State& rate, Field& push, Real dtau,
                State& mean) const;
  void solve_column(State& x, const State& s, const State& rate, Field& push, Real dtau, Index i,
                    Index j) const;
  Real face_theta(const State& s, int axis, Index i, Index j, Index k) const;
  Real push_at(const Field& push, Index i, Index j, Index k) const;

  weather::StormSetup setup_;
  weather::Column column_;
  Index ni_, nj_, nk_;
  int limited_ = 0;
  State state_;
};

}  // namespace helicity::test
