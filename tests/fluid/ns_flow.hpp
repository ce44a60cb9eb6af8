// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <comm/mpi_main.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/fluid/ns_model.hpp>

#include <cmath>
#include <memory>

namespace helicity::test {

/// A flow with everything: stretched levels between a sliding and a resting wall, a lifting scalar
/// held at both, a force, an uneven start; walls or periodic ends along x, periodic along y.
inline fluid::NsSetup busy_ns(Index3 cells, bool walls)
{
  using Kind = fluid::NsEnd::Kind;
  fluid::NsSetup s;
  s.cells = cells;
  s.spacing = {0.1, 0.13};
  s.faces = fluid::stretched_faces(cells.k, 1.2, 1.1);
  s.step = 0.004;
  s.viscosity = 3e-3;
  s.force = {0.1, 0.05, 0};
  s.has_scalar = true;
  s.diffusivity = 2e-3;
  s.lift = {0.1, 0, 1};
  s.ends[2][0] = {Kind::wall, {}, 1};
  s.ends[2][1] = {Kind::wall, {0.7, -0.2, 0}, -1};
  if (cells.k == 1) s.ends[2] = {};
  if (walls) {
    s.ends[0][0] = {Kind::wall, {0, 0.3, 0}, {}};
    s.ends[0][1] = {Kind::symmetry, {}, 0.5};
    s.force[0] = 0;
  }
  s.velocity = [](double x, double y, double z) -> std::array<double, 3> {
    return {std::sin(7 * x + z) + 0.3 * std::cos(9 * y * z), std::cos(5 * x * y + 2 * z),
            std::sin(3 * z) * std::sin(8 * y)};
  };
  s.scalar = [](double x, double y, double z) { return std::cos(4 * x + 3 * y) + z; };
  return s;
}

template <class T>
std::unique_ptr<fluid::NsModel> ns_of(const fluid::NsSetup& setup, const comm::Communicator& group,
                                      const Executor& executor)
{
  return fluid::make_ns<T>(setup, group,
                           {setup.cells, group.size(), fluid::decomposition_options(setup)},
                           executor, comm::Transport::host);
}

}  // namespace helicity::test
