// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

/// Water in the air.
///
/// The density of dynamics.hpp is that of all air and water; contents q are masses of water per
/// mass of both. Theta of dynamics.hpp is rho theta_rho = (rho_dry + rho_vapour Rv / R) theta,
/// theta being T (p00 / p)^(R / cp) with the numbers of dry air, so that p = p00 (R Theta /
/// p00)^gamma holds for moist air without change, and so do the equations of motion.
namespace helicity::weather {

enum Species : int { vapour, cloud, rain, cloud_ice, snow, graupel, species_count };

/// rho q (times G over terrain) of the species of a storm at the times of dynamics.hpp, and what
/// their transport needs. Strides and halos are those of Dynamics.
template <class T>
struct Water
{
  int species = 0;  ///< 0: dry; 2: vapour and cloud; 3: rain too; 6: ice too
  T *start[species_count] = {}, *stage[species_count] = {}, *next[species_count] = {};
  T* content[species_count] = {};                             ///< q of `stage`
  T *flux_u = nullptr, *flux_v = nullptr, *flux_w = nullptr;  ///< means over the acoustic steps
  T* keep = nullptr;    ///< fraction of its outflow that a cell can afford
  T* loss = nullptr;    ///< change of rho by what falls
  T* fallen = nullptr;  ///< on the ground since the start, kg/m2; two dimensions, as level 0
};

}  // namespace helicity::weather
