// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>
#include <helicity/weather/dynamics.hpp>

#include <cstdint>

/// Water in the air.
///
/// The density of dynamics.hpp is that of all air and water; contents q are masses of water per
/// mass of both. Theta of dynamics.hpp is rho theta_rho = (rho_dry + rho_vapour Rv / R) theta,
/// theta being T (p00 / p)^(R / cp) with the numbers of dry air, so that p = p00 (R Theta /
/// p00)^gamma holds for moist air without change, and so do the equations of motion; but
///   D theta_rho / Dt = -X theta_rho div u,   X = Rm / cvm - R cpm / (cp cvm),
/// with gas constant and heat capacities of the mixture, makes dp/dt = -p cpm / cvm div u.
///
/// Each stage of the Runge-Kutta scheme moves water by the mean F of the mass fluxes of its
/// acoustic steps, for which rho_new = rho_start - dt div F to rounding:
///   (rho q)_new = (rho q)_start - dt div(F q_stage - K rho grad q_stage),
/// so that a constant content stays constant. In the last stage what leaves a cell through all its
/// faces is scaled so that it is not more than there was: no content turns negative, nothing is
/// clipped, and the sum of water stays to rounding. (Where more than all of a cell leaves it in a
/// step, a constant content does not stay constant. In a slab nothing counts that leaves along j.)
///
/// @see Bryan & Fritsch (2002), Mon. Weather Rev. 130, 2917; Klemp, Skamarock & Dudhia (2007), Mon.
///   Weather Rev. 135, 2897; Smolarkiewicz (1989), Mon. Weather Rev. 117, 2626; Skamarock (2006),
///   Mon. Weather Rev. 134, 2241
namespace helicity::weather {

enum Species : int { vapour, cloud, rain, cloud_ice, snow, graupel, species_count };

/// Numbers of dry air, and by how much those of water exceed them; heats at constant volume.
template <class T>
struct Mixture
{
  T gas = 0, heat = 0, heat_pressure = 0;  ///< R, cv, cp
  T gas_vapour = 0;                        ///< Rv
  T vapour = 0, liquid = 0, ice = 0;       ///< cvv, cl, ci, less cv
};

/// rho q (times G over terrain) of the species of a storm at the times of dynamics.hpp, and what
/// their transport needs. Strides and halos are those of Dynamics.
template <class T>
struct Water
{
  int species = 0;  ///< 0: dry; 2: vapour and cloud; 3: rain too; 6: ice too
  T *start[species_count] = {}, *stage[species_count] = {}, *next[species_count] = {};
  T* content[species_count] = {};  ///< q of `stage`
  T* keep[species_count] = {};     ///< fraction of its outflow that a cell can afford
  T* loss = nullptr;               ///< change of rho by what falls
  T* fallen = nullptr;  ///< on the ground since the start, kg/m2; two dimensions, as level 0
  Mixture<T> mixture;
  T step = 0;         ///< of the stage
  T per_count = 0;    ///< 1 / acoustic steps of the stage
  bool weno = false;  ///< fifth order WENO, but next to the lids; else as theta
};

/// q of `stage`, over its halo.
/// @note this and the following: asynchronous on CUDA, T is float or double
template <class T>
HELICITY_EXPORT void find_contents(Cpu exec, const Dynamics<T>& d, const Water<T>& w);
template <class T>
HELICITY_EXPORT void find_contents(Cuda exec, const Dynamics<T>& d, const Water<T>& w);

/// Adds -X Theta div u to the rate of Theta. @pre velocities and contents
template <class T>
HELICITY_EXPORT void add_expansion(Cpu exec, const Dynamics<T>& d, const Water<T>& w);
template <class T>
HELICITY_EXPORT void add_expansion(Cuda exec, const Dynamics<T>& d, const Water<T>& w);

/// Makes mean mass fluxes of the sums in flux_u, flux_v, flux_w of Dynamics: on the faces of the
/// owned cells; over terrain flux_w becomes that through levels. @pre finish_stage is yet to come
template <class T>
HELICITY_EXPORT void average_fluxes(Cpu exec, const Dynamics<T>& d, const Water<T>& w);
template <class T>
HELICITY_EXPORT void average_fluxes(Cuda exec, const Dynamics<T>& d, const Water<T>& w);

/// keep on the owned cells; 1 on those next to them.
template <class T>
HELICITY_EXPORT void limit_outflow(Cpu exec, const Dynamics<T>& d, const Water<T>& w);
template <class T>
HELICITY_EXPORT void limit_outflow(Cuda exec, const Dynamics<T>& d, const Water<T>& w);

/// `next` on the owned cells. @param limited  by keep, with a halo of one cell
template <class T>
HELICITY_EXPORT void move_water(Cpu exec, const Dynamics<T>& d, const Water<T>& w, bool limited);
template <class T>
HELICITY_EXPORT void move_water(Cuda exec, const Dynamics<T>& d, const Water<T>& w, bool limited);

/// First cell in global order whose water in `start` is not finite or negative: its linear index in
/// `global`, or -1.
template <class T>
HELICITY_EXPORT std::int64_t first_bad_water(Cpu exec, const Dynamics<T>& d, const Water<T>& w,
                                             Index3 offset, Index3 global);
template <class T>
HELICITY_EXPORT std::int64_t first_bad_water(Cuda exec, const Dynamics<T>& d, const Water<T>& w,
                                             Index3 offset, Index3 global);

}  // namespace helicity::weather
