// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/dynamics.hpp>

/// What eddies smaller than a cell, the ground and the large scale do to the air: added to the
/// right-hand sides of dynamics.hpp.
///
///   d rho u_i /dt = d tau_ij / dx_j,   tau_ij = 2 rho K (S_ij - delta_ij S_kk / 3),
///   d rho q   /dt = d/dx_j (rho K_h dq/dx_j),   q = theta or a content.
///
/// Two thirds of the subgrid energy, the rest of the trace of tau, are left to the pressure. Over
/// terrain all derivatives are those at constant height or along the vertical. Smagorinsky:
///   K = (c l)^2 sqrt(max(0, 2 S_ij S_ij - N^2 / Pr)),   K_h = K / Pr.
/// Subgrid energy e, a variable of its own that the wind carries (Deardorff 1980, Boundary-Layer
/// Meteorol. 18, 495; K and s of each length l, sources by that of up):
///   K = 0.1 s sqrt(e),   K_h = (1 + 2 s / l) K,   s = min(l, 0.76 sqrt(e) / N) in stable air,
///   de/dt = 2 K S_ij S_ij - K_h N^2 - (0.19 + 0.51 s / l) e^1.5 / s + 1/rho div (2 rho K grad e).
///
/// @see Lilly (1962), Tellus 14, 148; Smagorinsky (1963), Mon. Weather Rev. 91, 99
namespace helicity::weather {

enum class Closure : int { none, constant, smagorinsky, energy };

/// Lowering and sources of the large scale at the centres of a level.
template <class T>
struct Forced
{
  T lowering = 0;  ///< vertical velocity that advects theta, u and v, m/s
  T heating = 0;   ///< of theta, K/s
};

/// What air next to the ground loses to it.
template <class T>
struct Ground
{
  T drag = 0;      ///< stress over rho |u| u
  T friction = 0;  ///< u*, instead of drag: stress rho u*^2 against the wind, m/s
  T heat = 0;      ///< flux of theta, K m/s
  T exchange = 0;  ///< of theta: exchange |u| (theta of ground - theta)
  T theta = 0;     ///< of the ground, K
};

/// Fields as those of Dynamics. Deformations become stresses; both stand at centres (xx, yy, zz)
/// and on edges: xy between low-i and low-j faces, xz and yz between those and low-k faces.
template <class T>
struct Mixing
{
  Closure closure = Closure::none;
  bool separate = false;               ///< lengths across and up are not the same
  bool departure = false;              ///< theta: only what departs from the reference is mixed
  T square_across = 0, square_up = 0;  ///< (c l)^2; constant: K
  T most_across = 0, most_up = 0;      ///< largest K that the step is stable with
  T per_prandtl = 1;
  T length_across = 0, length_up = 0;  ///< l, of energy
  T least_energy = 0;                  ///< e stays at it or above, m2/s2
  Ground<T> ground;
  const Forced<T>* forced = nullptr;  ///< by level; null: nothing

  T *xx = nullptr, *yy = nullptr, *zz = nullptr, *xy = nullptr, *xz = nullptr, *yz = nullptr;
  T *k_across = nullptr, *k_up = nullptr;        ///< rho K (times G over terrain)
  T *heat_across = nullptr, *heat_up = nullptr;  ///< rho K_h
  const T* energy_start = nullptr;               ///< e at the beginning of the step, with halo
  const T* energy = nullptr;                     ///< at d.stage, with halo
  T* energy_source = nullptr;                    ///< de/dt but for what the wind carries
  T* energy_next = nullptr;
  Variables<T> rate;  ///< tendencies; of rho there is none
};

/// Tendencies of momentum and theta into m.rate, and rho K with a halo of one cell, at d.stage.
/// @pre diagnose was called
/// @note this and the following: asynchronous on CUDA, T is float or double
template <class T>
HELICITY_EXPORT void evaluate_mixing(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m);
template <class T>
HELICITY_EXPORT void evaluate_mixing(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m);

/// energy_next = energy_start + step (what the wind carries at d.stage + energy_source).
/// @param step  length of the stage   @pre evaluate_mixing was called with the same numbers
template <class T>
HELICITY_EXPORT void carry_energy(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m, T step);
template <class T>
HELICITY_EXPORT void carry_energy(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m, T step);

/// to = energy_next on the owned cells.
template <class T>
HELICITY_EXPORT void keep_energy(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m, T* to);
template <class T>
HELICITY_EXPORT void keep_energy(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m, T* to);

/// d.rate += m.rate. @pre prepare_stage and evaluate_mixing were called
template <class T>
HELICITY_EXPORT void add_mixing(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m);
template <class T>
HELICITY_EXPORT void add_mixing(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m);

/// rate of rho q (times G) on the owned cells: mixing of q, and `flux` from the ground, in units of
/// q m/s. q has a halo of one cell. @pre evaluate_mixing was called
template <class T>
HELICITY_EXPORT void mix_content(Cpu exec, const Dynamics<T>& d, const Mixing<T>& m, const T* q,
                                 T flux, T* rate);
template <class T>
HELICITY_EXPORT void mix_content(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m, const T* q,
                                 T flux, T* rate);

}  // namespace helicity::weather
