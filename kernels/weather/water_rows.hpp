// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/water.hpp>
#include <support/isa.hpp>
#include <weather/dry_rows.hpp>

namespace helicity::weather {

/// Loops of water that are built once per instruction set.
template <class T>
struct WaterLoops
{
  void (*contents)(const Dynamics<T>& d, const Water<T>& w, Index j, Index k);  ///< with halo
  void (*expand)(const Dynamics<T>& d, const Water<T>& w, Tile tile);
  void (*average_across)(const Dynamics<T>& d, const Water<T>& w, Tile tile);
  void (*average_up)(const Dynamics<T>& d, const Water<T>& w, Tile tile);  ///< after all of those
  void (*limit)(const Dynamics<T>& d, const Water<T>& w, Tile tile);
  void (*move)(const Dynamics<T>& d, const Water<T>& w, Tile tile, bool limited);
};

HELICITY_PER_ISA(const WaterLoops<float>& water_loops_float();
                 const WaterLoops<double>& water_loops_double();)

}  // namespace helicity::weather
