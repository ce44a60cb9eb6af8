// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>
#include <helicity/weather/advection.hpp>

#include <cstdint>

/// Kernels of the dry, compressible, nonhydrostatic core: split-explicit Runge-Kutta 3 on an
/// Arakawa C grid, flux form, perturbations from a discretely hydrostatic reference column.
///
///   d rho'  /dt = -div M
///   d Theta'/dt = -div(M theta) + diffusion           Theta = rho theta
///   d M     /dt = -div(M u) - grad p' - g rho' k + f M x k + diffusion + Rayleigh layer
///   p = p00 (R Theta / p00)^gamma
///
/// Over terrain h(x, y) below a lid at H, levels follow the ground: z = zeta + h (1 - zeta / H).
/// All of rho', Theta', M are then multiplied by G = dz/dzeta = 1 - h/H, the vertical mass flux is
/// (W - U dz/dx - V dz/dy) / G, and the pressure gradient along x is G dp'/dx - dz/dx dp'/dzeta.
///
/// M = (U, V, W) = rho (u, v, w); U stands on low-i faces, V on low-j faces, W on low-k faces. A
/// stage freezes the full right-hand sides at the latest state and steps the deviations from it,
/// dp = c dTheta with c = gamma p / Theta, in short acoustic steps: momentum, then density and
/// Theta, vertically implicit, off-centred.
///
/// @see Gal-Chen & Somerville (1975), J. Comput. Phys. 17, 209; Wicker & Skamarock (2002), Mon.
/// Weather Rev. 130, 2088; Klemp, Skamarock & Dudhia (2007),
///   Mon. Weather Rev. 135, 2897
namespace helicity::weather {

/// Halo of all fields across i and j: what the fluxes of the face beyond the last cell reach.
inline constexpr Index halo_width = 4;

/// Terms of the series of (1 + x)^gamma - 1: to rounding for |x| <= trusted_range.
template <class T>
inline constexpr int series_terms = sizeof(T) == 4 ? 12 : 26;
inline constexpr double trusted_range = 0.3;

/// The reference column and what depends on height alone. Entry k belongs to the cells of level k
/// and to their lower faces; entry nk to the upper lid.
template <class T>
struct Level
{
  T rho = 0, theta = 0, density = 0, pressure = 0;  ///< reference; density is rho theta
  T per_density = 0;                                ///< 1 / density
  T theta_face = 0;
  T theta_even = 0, theta_odd = 0;  ///< parts of the flux of the reference theta through the face
  T u = 0, v = 0;                   ///< reference rho times the wind of the start
  T wind_u = 0, wind_v = 0;         ///< that wind
  T steady_u = 0, steady_v = 0;     ///< reference rho times the wind that balances rotation
  T steady_wind_u = 0, steady_wind_v = 0;  ///< that wind
  T decay = 0, decay_face = 0;  ///< slope of the level over that of the ground: 1 - zeta / H
  Index k = 0;
  T damping = 0, damping_face = 0;  ///< rates of the Rayleigh layer, 1/s
  T kx = 0, ky = 0, kz = 0;         ///< K rho / spacing at the centre
  T kx_face = 0, ky_face = 0;       ///< the same at the face
  T kz_face = 0;                    ///< 0 at the lids
  Weights<T> face, centre;          ///< vertical fluxes of cell values and of w
};

/// The five prognostic variables: first cells of fields with common strides.
template <class T>
struct Variables
{
  T* rho = nullptr;    ///< rho'
  T* theta = nullptr;  ///< Theta'
  T* u = nullptr;      ///< U
  T* v = nullptr;      ///< V
  T* w = nullptr;      ///< W; 0 at both lids
};

/// Fields that terrain needs: the reference at every cell, and the slope of the ground. Those of
/// two dimensions are addressed as level 0 is.
template <class T>
struct Terrain
{
  const T *rho = nullptr, *density = nullptr;            ///< reference, times G
  const T *theta = nullptr, *pressure = nullptr;         ///< reference
  T* full_theta = nullptr;                               ///< theta
  T* flux_up = nullptr;                                  ///< vertical mass flux on low-k faces
  const T* per_jacobian = nullptr;                       ///< 1 / G, two dimensions
  const T *jacobian_u = nullptr, *jacobian_v = nullptr;  ///< G on low-i and low-j faces
  const T *slope_u = nullptr, *slope_v = nullptr;        ///< dh/dx and dh/dy there
  /// dh/dx and dh/dy of cells, by the differences that advection along i and j makes, without which
  /// levels that ripple make waves (Klemp, Skamarock & Fuhrer 2003, Mon. Weather Rev. 131, 1229).
  const T *slope_x = nullptr, *slope_y = nullptr;
};

/// All that the kernels of a stage need. Pointers are to cell (0, 0, 0) of fields with the same
/// strides and a halo of {halo_width, halo_width or 0, 1}.
template <class T>
struct Dynamics
{
  Index3 cells;
  Index sj = 0, sk = 0;  ///< sj = 0 in a slab, one cell deep along j: differences vanish there
  bool slab = false;     ///< skip what vanishes
  bool hilly = false;    ///< there is terrain
  bool has_v = true;     ///< false: a slab whose V is 0 for ever
  bool wall_low_i = false, wall_high_i = false, wall_low_j = false, wall_high_j = false;
  bool open[4] = {};  ///< low and high end of i, of j are open (open_sides.hpp); walls as well
  const Level<T>* level = nullptr;  ///< nk + 1 of them

  Terrain<T> terrain;      ///< of hilly ground
  Variables<T> start;      ///< at the beginning of the step, with halo
  Variables<T> stage;      ///< latest state, with halo
  Variables<T> next;       ///< what the stage makes
  Variables<T> rate;       ///< right-hand sides at `stage`
  Variables<T> deviation;  ///< of the acoustic steps from `stage`

  T *u = nullptr, *v = nullptr, *w = nullptr;  ///< velocities of `stage`
  T* theta = nullptr;                          ///< theta - reference theta
  T* pressure = nullptr;                       ///< p'
  T* stiffness = nullptr;                      ///< c = gamma p / Theta
  T* push = nullptr;                           ///< c times the damped deviation of Theta
  T* pivot = nullptr;                          ///< 1 / pivot of the tridiagonal sweep; 0 at the lid
  /// Sums of the deviations of U, V, W over the acoustic steps, where water needs them; else null.
  T *flux_u = nullptr, *flux_v = nullptr, *flux_w = nullptr;

  T per_dx = 0, per_dy = 0, per_dz = 0;
  T gravity = 0, coriolis = 0, gamma = 0;  ///< coriolis: f in the middle along y
  T damping = 0;                           ///< of divergence
  T ahead = 0;             ///< weight (1 + eps) / 2 of the new time in vertical averages
  T beta = 0;              ///< df/dy times half a cell
  Index twice_middle = 0;  ///< twice the first row, less the rows of the whole grid
  T phase_speed = 0;       ///< of waves that leave through open ends
  T short_step = 0;        ///< of the acoustic steps of this stage
  bool first = true;       ///< the next acoustic step is the stage's first: sums begin anew
  bool last = false;       ///< the next acoustic step is the stage's last, and makes `next`
  Weights<T> across;       ///< of horizontal fluxes
  T series[series_terms<T>] = {};

  HELICITY_HD Index at(Index i, Index j, Index k) const { return i + j * sj + k * sk; }
};

/// Velocities, theta, p' and c of `stage`, over its halo.
/// @note this and the following: asynchronous on CUDA, T is float or double
template <class T>
HELICITY_EXPORT void diagnose(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void diagnose(Cuda exec, const Dynamics<T>& d);

/// Right-hand sides at `stage`, on the owned cells and the faces at both their ends; deviations
/// start - stage; push, with a halo of one cell; the matrix of the vertical sweep.
template <class T>
HELICITY_EXPORT void prepare_stage(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void prepare_stage(Cuda exec, const Dynamics<T>& d);

/// First half of an acoustic step: U and V on the faces of the owned cells. Reads the halo of push.
template <class T>
HELICITY_EXPORT void step_horizontal(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void step_horizontal(Cuda exec, const Dynamics<T>& d);

/// Second half: W, Theta and rho of the owned columns, and push; in the last step of a stage,
/// next = stage + deviation.
template <class T>
HELICITY_EXPORT void step_columns(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void step_columns(Cuda exec, const Dynamics<T>& d);

/// next = stage + deviation on the owned cells, where no acoustic step was the last
/// (Dynamics::last).
template <class T>
HELICITY_EXPORT void finish_stage(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void finish_stage(Cuda exec, const Dynamics<T>& d);

/// Velocities at the centres of the owned cells into `deviation`, from u, v, w.
template <class T>
HELICITY_EXPORT void centre_velocities(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void centre_velocities(Cuda exec, const Dynamics<T>& d);

/// What makes a cell bad.
struct HealthLimits
{
  double courant_x = 0, courant_y = 0, courant_z = 0;  ///< step / spacing
  double courant = 1;                                  ///< largest sum of Courant numbers
};

/// First cell in global order of `start` that is not finite, whose Theta or density is further than
/// trusted_range from the reference, or that is too fast: its linear index in `global`, or -1.
template <class T>
HELICITY_EXPORT std::int64_t first_bad_cell(Cpu exec, const Dynamics<T>& d, Index3 offset,
                                            Index3 global, const HealthLimits& limits);
template <class T>
HELICITY_EXPORT std::int64_t first_bad_cell(Cuda exec, const Dynamics<T>& d, Index3 offset,
                                            Index3 global, const HealthLimits& limits);

}  // namespace helicity::weather
