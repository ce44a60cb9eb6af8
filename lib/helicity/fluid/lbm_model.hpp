// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/comm/transport.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/fluid/lattice.hpp>
#include <helicity/job/simulation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace helicity::fluid {

using Vector3 = std::array<double, 3>;

/// One end of the domain along an axis: half-way bounce-back at the faces of the last cells.
struct LbmWall
{
  bool wall = false;   ///< otherwise periodic, and so is the other end
  Vector3 velocity{};  ///< of the wall, lattice units
};

/// Initial state of a cell in lattice units.
struct LbmInitial
{
  double density = 0;  ///< deviation rho - 1
  Vector3 velocity{};
  std::array<double, 6> strain{};  ///< strain rate xx, yy, zz, xy, xz, yz
};

/// A flow in lattice units: cell 1, step 1, density 1.
struct LbmSetup
{
  LatticeKind lattice = LatticeKind::d3q19;
  Index3 cells{1, 1, 1};                         ///< D2Q9: k = 1
  double viscosity = 1. / 6;                     ///< (1 / even rate - 1/2) / 3
  double magic = 3. / 16;                        ///< Lambda = (1/even - 1/2)(1/odd - 1/2)
  bool single_rate = false;                      ///< odd rate = even rate (BGK)
  Vector3 force{};                               ///< per unit volume
  std::array<std::array<LbmWall, 2>, 3> ends{};  ///< [axis][low, high]
  std::function<std::uint8_t(Index3)> solid;     ///< 0: fluid, n: solid n; empty: all fluid
  std::vector<Vector3> solid_velocity;           ///< of solid n at [n - 1]; missing: at rest
  std::function<LbmInitial(Index3)> initial;     ///< by global cell; empty: at rest
  double speed_limit = 0.5;                      ///< a cell moving so far in a step is trouble
};

/// Scales from lattice units to those of snapshots: a cell is `dx` long, a step takes `dt`.
struct LbmUnits
{
  double dx = 1, dt = 1, density = 1;
  bool si = false;  ///< whether dx, dt and density are metres, seconds and kg/m3, or plain numbers
};

/// Bytes a rank takes for `owned` cells. T = float or double.
template <class T>
HELICITY_EXPORT std::size_t lbm_bytes(LatticeKind lattice, Index3 owned);

/// Lattice Boltzmann flow on the cells of all ranks: AA-pattern streaming in one copy of shifted
/// populations, TRT or BGK collisions, half-way bounce-back on walls at rest or moving, a uniform
/// body force, periodic ends. Variables of snapshots: density, pressure, velocity_x, velocity_y,
/// velocity_z, solid. The same bits on any number of ranks, threads, instruction sets, on CPU and
/// CUDA, and across restarts.
class HELICITY_EXPORT LbmModel : public job::Simulation
{
 public:
  /// Density deviation and velocity of the owned cells on the host, lattice units, i fastest; zero
  /// in solids.
  struct Macroscopic
  {
    std::vector<double> density;
    std::array<std::vector<double>, 3> velocity;
  };
  virtual Macroscopic macroscopic() = 0;
};

/// @tparam T  float or double: type of the populations and of all arithmetic
/// @throws UsageError if the setup makes no sense: rates outside (0, 2), D2Q9 with nk > 1, one end
///   of an axis periodic and the other a wall
template <class T>
HELICITY_EXPORT std::unique_ptr<LbmModel> make_lbm(const LbmSetup& setup, const LbmUnits& units,
                                                   const comm::Communicator& comm,
                                                   const comm::Decomposition& decomposition,
                                                   const Executor& executor,
                                                   comm::Transport transport);

/// Periodic axes of a setup, for its Decomposition.
HELICITY_EXPORT comm::DecompositionOptions decomposition_options(const LbmSetup& setup);

}  // namespace helicity::fluid
