// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/microphysics.hpp>
#include <weather/dry_rows.hpp>

namespace helicity::weather {

/// The loops of moist_physics and keep_velocities that are built once per instruction set.
template <class T>
struct MoistLoops
{
  /// Columns of a tile, of halos too.
  void (*change_tile)(const Dynamics<T>& d, const Water<T>& w, const Microphysics<T>& m, Tile tile);
  /// Momenta on the low faces of the cells of a row, of halos too.
  void (*keep_row)(const Dynamics<T>& d, const Water<T>& w, Index j, Index k);
};

HELICITY_PER_ISA(const MoistLoops<float>& moist_loops_float();
                 const MoistLoops<double>& moist_loops_double();)

}  // namespace helicity::weather
