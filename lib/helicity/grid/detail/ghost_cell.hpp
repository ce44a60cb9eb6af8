// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/view.hpp>
#include <helicity/grid/box.hpp>

namespace helicity::grid::detail {

/// What a ghost value is made of.
enum class GhostRule { fixed, copied, mirrored, negated };

/// Writes one ghost value: the fixed one, that at index `place` along the axis, or the one that
/// mirrors it (index place - index; negated: taken from `value`).
template <class T>
struct GhostCell
{
  View3<T> cells;
  int axis = 0;
  GhostRule rule = GhostRule::fixed;
  Index place = 0;
  T value = 0;

  HELICITY_HD void operator()(Index i, Index j, Index k) const
  {
    const Index3 here{i, j, k};
    Index3 there = here;
    there[axis] = rule == GhostRule::copied ? place : place - here[axis];
    if (rule == GhostRule::fixed)
      cells[here] = value;
    else if (rule == GhostRule::negated)
      cells[here] = value - cells[there];
    else
      cells[here] = cells[there];
  }
};

/// for_cells with it, compiled for both devices.
template <class T>
void write_ghosts(Cpu exec, Box box, const GhostCell<T>& cell);
template <class T>
void write_ghosts(Cuda exec, Box box, const GhostCell<T>& cell);

}  // namespace helicity::grid::detail
