// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/dynamics.hpp>
#include <support/isa.hpp>

namespace helicity::weather {

/// Cells [first, last) of row j, over all levels.
struct Tile
{
  Index j = 0, first = 0, last = 0;
};

inline constexpr Index tile_width = 256;  ///< of a tile, at most

/// The loops that are built once per instruction set. Those over a tile take faces at its low ends;
/// the last tile of a row, those at the end of the row too, and the last row those at its high
/// side.
template <class T>
struct DryLoops
{
  void (*diagnose_row)(const Dynamics<T>& d, Index j, Index k);
  void (*prepare_tile)(const Dynamics<T>& d, Tile tile);
  void (*step_horizontal)(const Dynamics<T>& d, Tile tile);
  void (*step_columns)(const Dynamics<T>& d, Tile tile);
};

HELICITY_PER_ISA(const DryLoops<float>& dry_loops_float();
                 const DryLoops<double>& dry_loops_double();)

}  // namespace helicity::weather
