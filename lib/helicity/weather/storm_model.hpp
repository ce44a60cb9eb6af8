// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/comm/transport.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/job/simulation.hpp>
#include <helicity/weather/column.hpp>
#include <helicity/weather/microphysics.hpp>
#include <helicity/weather/mixing.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helicity::weather {

/// Start of the air at a point, added to the reference column.
struct StormInitial
{
  double theta = 0;  ///< K, at the pressure of the column; of moist air theta_rho (water.hpp)
  std::array<double, 3> velocity{};  ///< m/s, added to the wind
  bool isochoric = false;            ///< theta is added at the density of the column instead
  double vapour = 0, cloud = 0;      ///< contents added to those of the column
};

/// A point of the grid: in metres from the low corner, and as twice its index (odd: centres).
struct GridPoint
{
  double x = 0, y = 0, z = 0;
  Index3 twice;
};

/// Eddies smaller than a cell. Tendencies are evaluated once in a step, K is kept below what a
/// step is stable with: a quarter of spacing^2 / step, shared by the axes.
struct StormMixing
{
  Closure closure =
      Closure::none;          ///< or smagorinsky, energy; a constant K is StormSetup::diffusivity
  double coefficient = 0.18;  ///< c
  double prandtl = 1. / 3;
  /// false: K of (dx dy dz)^(1/3), in a slab (dx dz)^(1/2); true: K of sqrt(dx dy) across (stresses
  /// and fluxes among x and y), of dz up.
  bool separate = false;
  double energy_start = 1e-3, energy_least = 1e-6;  ///< of energy, m2/s2
};

/// What the ground does to the lowest cells. At most one of drag, friction and roughness.
struct StormSurface
{
  double drag = 0;       ///< coefficient: stress over rho |u| u
  double friction = 0;   ///< velocity u*, m/s: stress rho u*^2
  double roughness = 0;  ///< m, of the log law of neutral air: drag (0.4 / log(z / roughness))^2
  double heat = 0;       ///< flux of theta, K m/s
  double exchange = 0;   ///< coefficient of heat: flux exchange |u| (theta of the ground - theta)
  double theta = 0;      ///< of the ground, K
};

/// Large scale by height, over flat ground; empty: none.
struct StormForcing
{
  std::function<double(double z)> lowering;  ///< velocity that advects theta, u, v upwind, m/s
  std::function<double(double z)> heating;   ///< of theta, K/s
  /// Wind in balance with the Coriolis force, instead of that of the start.
  std::function<std::pair<double, double>(double z)> geostrophic;
};

/// A storm. SI units.
struct StormSetup
{
  Index3 cells{1, 1, 1};  ///< one cell along j: a slab, in which nothing depends on y
  std::array<double, 3> spacing{100, 100, 100};
  double step = 1;      ///< length of a step
  int short_steps = 6;  ///< acoustic steps in one, even
  Constants constants;
  double surface_pressure = 1e5;
  std::function<double(double z)> theta;  ///< of the column; theta_rho of a moist one (water.hpp)
  std::function<std::pair<double, double>(double z)> wind;  ///< u, v at the start; empty: calm
  std::function<StormInitial(const GridPoint&)> initial;    ///< empty: nothing is added
  /// Height of the ground; empty: flat. Levels follow it (Gal-Chen & Somerville 1975).
  std::function<double(double x, double y)> terrain;
  std::array<bool, 2> periodic{true, true};   ///< along x, y; else symmetry planes or open ends
  std::array<std::array<bool, 2>, 2> open{};  ///< low and high end along x, y; not periodic
  double phase_speed = 30;                    ///< of waves that leave through open ends, m/s
  int order_across = 5, order_up = 5;         ///< of advection, 1 to 6
  double diffusivity = 0;                     ///< of momentum and theta, m2/s
  StormMixing mixing;
  StormSurface surface;
  StormForcing forcing;
  double coriolis = 0;  ///< f in the middle along y, of the departure from the wind of the start
  double beta = 0;      ///< df/dy, 1/(m s); y is not periodic
  double damping_base = 0, damping_rate = 0;  ///< Rayleigh layer: height, m; rate at the top, 1/s
  double divergence_damping = 0.1;
  double off_centring = 0.2;   ///< of the vertical averages, 0 to 1
  double courant_limit = 1.4;  ///< a cell with a larger sum of Courant numbers is trouble

  int species = 0;  ///< of water that is carried: 0, or as Water has it
  /// What happens to it, with species_of(scheme) species; empty: it is carried and no more.
  std::optional<Scheme> scheme;
  std::function<double(double z)> vapour, cloud;  ///< contents of the column; empty: 0
  MoistConstants water;
  bool weno = false;  ///< water is carried by WENO5 instead of order_across and order_up

  /// On CUDA, one rank: steps are recorded as graphs, on a stream of their own where the executor
  /// has the default one. The bits are the same.
  bool recorded = true;
};

/// Sums over the whole domain.
struct StormTotals
{
  double mass = 0;     ///< of air and water, kg
  double theta = 0;    ///< of rho theta, K kg
  double energy = 0;   ///< kinetic, internal (thermodynamics.hpp) and potential, less that of the
                       ///< column, J
  double kinetic = 0;  ///< J
  double water = 0;    ///< in the air, kg
  double fallen = 0;   ///< on the ground since the start, kg
};

/// Compressible, nonhydrostatic air on the cells of all ranks, dry or with water. Variables of
/// snapshots: theta_perturbation, velocity_x, velocity_y, velocity_z (at centres),
/// pressure_perturbation, density_perturbation, height (of centres, over terrain); of water vapour,
/// cloud_water, rain_water, cloud_ice, snow, graupel (contents, those there are), rain (fallen on
/// the ground under the cell, at all levels). theta is that of the air, without the weight of
/// water. The same bits on any number of ranks,
/// threads, instruction sets, on CPU and CUDA, and across restarts.
class HELICITY_EXPORT StormModel : public job::Simulation
{
 public:
  virtual const Column& column() const = 0;

  /// Owned cells of a variable on the host, i fastest; besides those of snapshots u, v, w: the
  /// velocities on the low faces.
  virtual std::vector<double> values(const std::string& variable) = 0;

  virtual StormTotals totals() = 0;

  /// Messages and bytes that this rank sends in a step.
  virtual std::pair<double, double> traffic_per_step() const = 0;
};

/// Bytes a rank takes for `owned` cells. T = float or double.
template <class T>
HELICITY_EXPORT std::size_t storm_bytes(Index3 owned, const StormSetup& setup);

/// Memory traffic of a step, bytes per cell, if every pass reads and writes its fields once.
template <class T>
HELICITY_EXPORT double storm_traffic(const StormSetup& setup);

/// @tparam T  float or double: type of the state and of all arithmetic
/// @throws UsageError if the setup makes no sense, naming what; as hydrostatic_column
template <class T>
HELICITY_EXPORT std::unique_ptr<StormModel> make_storm(const StormSetup& setup,
                                                       const comm::Communicator& comm,
                                                       const comm::Decomposition& decomposition,
                                                       const Executor& executor,
                                                       comm::Transport transport);

/// Acoustic steps in each of the three stages of a step.
HELICITY_EXPORT std::array<int, 3> short_steps_of_stages(int short_steps);

/// Periodic axes and least cells of a setup, for its Decomposition; columns are never split.
HELICITY_EXPORT comm::DecompositionOptions decomposition_options(const StormSetup& setup);

}  // namespace helicity::weather
