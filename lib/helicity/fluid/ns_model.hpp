// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/comm/transport.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/job/simulation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helicity::fluid {

/// What flow does at one end of an axis.
struct NsEnd
{
  enum class Kind : std::uint8_t {
    periodic,
    wall,     ///< no slip: the velocity there is `velocity`
    symmetry  ///< nothing through it, no friction along it
  };
  Kind kind = Kind::periodic;
  std::array<double, 3> velocity{};
  std::optional<double> scalar;  ///< held there; else nothing flows through
};

/// Incompressible flow of density 1 in the box [0, length), 1 to 3 dimensions: an axis of one
/// cell is one along which nothing changes. SI or any other consistent units.
struct NsSetup
{
  Index3 cells{1, 1, 1};
  std::array<double, 2> spacing{1, 1};  ///< along i and j
  std::vector<double> faces{0, 1};      ///< of cells along k, ascending: cells.k + 1 of them
  double step = 0.01;
  double viscosity = 0;
  std::array<double, 3> force{};  ///< per mass, uniform
  bool has_scalar = false;        ///< carried, diffused, and lifting
  double diffusivity = 0;
  std::array<double, 3> lift{};         ///< force per mass and unit of the scalar
  std::optional<double> bulk_velocity;  ///< mean along i, kept by a uniform force
  std::array<std::array<NsEnd, 2>, 3> ends{};
  std::function<std::array<double, 3>(double x, double y, double z)> velocity;  ///< at the start
  std::function<double(double x, double y, double z)> scalar;
  double courant_limit = 1.7;  ///< a cell with a larger sum of Courant numbers is trouble
};

/// Means over the volume.
struct NsTotals
{
  std::array<double, 3> velocity{};
  double energy = 0;  ///< kinetic, of faces
  double scalar = 0;
  double divergence = 0;  ///< largest
  double force = 0;       ///< mean uniform force along i of the last step
};

/// Incompressible Navier-Stokes on a staggered grid: see ns_step.hpp; the projection is exact for
/// the same differences (fft::Poisson). Ranks share levels along k. Variables of snapshots:
/// velocity_x, velocity_y, velocity_z (at centres), pressure (over density), scalar. The same bits
/// on any number of ranks, threads and instruction sets, and across restarts.
class HELICITY_EXPORT NsModel : public job::Simulation
{
 public:
  /// Owned cells of a variable on the host, i fastest; besides those of snapshots u, v, w: the
  /// velocities on the low faces.
  virtual std::vector<double> values(const std::string& variable) = 0;

  virtual NsTotals totals() = 0;

  /// Heights of the centres of all levels.
  virtual const std::vector<double>& centres() const = 0;
};

/// Bytes a rank takes for `owned` cells.
template <class T>
HELICITY_EXPORT std::size_t ns_bytes(const NsSetup& setup, Index3 owned);

/// Memory traffic of a step, bytes per cell, if every pass reads and writes its fields once.
template <class T>
HELICITY_EXPORT double ns_traffic(const NsSetup& setup);

/// @tparam T  float or double: type of the state and of all arithmetic
/// @throws UsageError if the setup makes no sense, naming what
template <class T>
HELICITY_EXPORT std::unique_ptr<NsModel> make_ns(const NsSetup& setup,
                                                 const comm::Communicator& comm,
                                                 const comm::Decomposition& decomposition,
                                                 const Executor& executor,
                                                 comm::Transport transport);

/// Ranks along k only, and the periodic axes.
HELICITY_EXPORT comm::DecompositionOptions decomposition_options(const NsSetup& setup);

/// Faces of a channel of height h that is finer at its walls:
///   z = h (1 + tanh(a (2 n / cells - 1)) / tanh(a)) / 2, a > 0; a = 0: uniform.
HELICITY_EXPORT std::vector<double> stretched_faces(Index cells, double height, double a);

}  // namespace helicity::fluid
