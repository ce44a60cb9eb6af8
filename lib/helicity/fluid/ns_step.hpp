// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

#include <cstdint>

/// Kernels of incompressible flow on a staggered grid that may be stretched along k:
///
///   du/dt = -div(u u) - grad p + nu lap u + force + lift b,     div u = 0
///   db/dt = -div(u b) + kappa lap b
///
/// p is pressure over density. Second order in space; the convective terms conserve kinetic energy
/// (Harlow & Welch 1965; Verstappen & Veldman 2003, J. Comput. Phys. 187, 343). Time: low-storage
/// Runge-Kutta 3 (Spalart, Moser & Rogers 1991, J. Comput. Phys. 96, 297), each of whose substages
/// ends with a projection of the velocity.
namespace helicity::fluid {

/// What stretching changes, of the cell of a level and its low face.
template <class T>
struct NsLevel
{
  T per_dz = 0;            ///< 1 / thickness
  T per_gap = 0;           ///< 1 / distance of the centres about the low face
  T below = 0, above = 0;  ///< shares of the two cells in the volume about the low face; sum 1
};

/// Fields with common strides, pointers to cell (0, 0, 0). u, v, w on low-i, low-j, low-k faces.
template <class T>
struct NsFields
{
  T *u = nullptr, *v = nullptr, *w = nullptr;
  T* scalar = nullptr;  ///< b at centres; null: there is none
};

/// All that a substage needs. Along an axis of one cell the stride is 0, so that differences
/// vanish. `stage` has a halo of one cell.
template <class T>
struct NsStep
{
  Index3 cells;
  Index sj = 0, sk = 0;
  bool has_v = true, has_w = true;
  bool wall_low_i = false, wall_low_j = false, wall_low_k = false;  ///< normal velocity stands
  const NsLevel<T>* level = nullptr;                                ///< entries -1 to nk

  NsFields<T> stage;       ///< velocity and scalar at the start of the substage, with halo
  NsFields<T> next;        ///< after it
  NsFields<T> rate;        ///< right-hand side, less grad p, of this substage and the last one
  T* pressure = nullptr;   ///< with halo
  T* potential = nullptr;  ///< of the projection, with halo

  T per_dx = 0, per_dy = 0;
  T viscosity = 0, diffusivity = 0;
  T force_x = 0, force_y = 0, force_z = 0;
  T lift_x = 0, lift_y = 0, lift_z = 0;
  T step_now = 0, step_before = 0, step = 0;  ///< gamma dt, zeta dt, their sum

  HELICITY_HD Index at(Index i, Index j, Index k) const { return i + j * sj + k * sk; }
};

/// Weights gamma and zeta of a substage.
struct NsWeights
{
  double now, before;
};
inline constexpr NsWeights ns_weights[3] = {{8. / 15, 0}, {5. / 12, -17. / 60}, {3. / 4, -5. / 12}};

/// next = stage + step_now rate + step_before (rate of the substage before) - step grad p on the
/// owned cells; rate.
/// @note this and the following: asynchronous on CUDA; T is float or double
template <class T>
HELICITY_EXPORT void ns_advance(Cpu exec, const NsStep<T>& s);
template <class T>
HELICITY_EXPORT void ns_advance(Cuda exec, const NsStep<T>& s);

/// out = div next / step on the owned cells, with strides of its own. Reads next's halo.
template <class T>
HELICITY_EXPORT void ns_divergence(Cpu exec, const NsStep<T>& s, View3<T> out);
template <class T>
HELICITY_EXPORT void ns_divergence(Cuda exec, const NsStep<T>& s, View3<T> out);

/// next -= step grad potential, pressure += potential, on the owned cells.
template <class T>
HELICITY_EXPORT void ns_correct(Cpu exec, const NsStep<T>& s);
template <class T>
HELICITY_EXPORT void ns_correct(Cuda exec, const NsStep<T>& s);

/// First cell in global order of `stage` that is not finite or whose sum of Courant numbers is
/// above `limit`: its linear index in `global`, or -1. @param step  length of a step
template <class T>
HELICITY_EXPORT std::int64_t ns_first_bad_cell(Cpu exec, const NsStep<T>& s, Index3 offset,
                                               Index3 global, T step, T limit);
template <class T>
HELICITY_EXPORT std::int64_t ns_first_bad_cell(Cuda exec, const NsStep<T>& s, Index3 offset,
                                               Index3 global, T step, T limit);

/// Largest |div stage| of the owned cells.
template <class T>
HELICITY_EXPORT double ns_largest_divergence(Cpu exec, const NsStep<T>& s);
template <class T>
HELICITY_EXPORT double ns_largest_divergence(Cuda exec, const NsStep<T>& s);

}  // namespace helicity::fluid
