// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/grid/box.hpp>

#include <array>
#include <vector>

namespace helicity::grid {

/// Sides of a box: [axis][low, high].
using Sides = std::array<std::array<bool, 2>, 3>;

/// A box in two parts: cells within some layers of its sides, and the rest.
struct Shell
{
  Box inner;
  std::vector<Box> outer;  ///< disjoint
};

/// Peels `width` layers off the given sides of a box, those normal to k first, so that most of the
/// shell has whole rows. What is inner needs nothing from beyond these sides, if its stencil
/// reaches no further than `width`.
inline Shell peel(Box box, const Sides& sides, Index width = 1)
{
  Shell shell{box, {}};
  for (int axis = 2; axis >= 0; --axis)
    for (int side = 0; side < 2; ++side) {
      if (!sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)]) continue;
      Box layer = shell.inner;
      const Index left = layer.hi[axis] - layer.lo[axis];
      const Index depth = width < left ? width : left;
      if (depth < 1) continue;
      if (side == 0)
        layer.hi[axis] = shell.inner.lo[axis] += depth;
      else
        layer.lo[axis] = shell.inner.hi[axis] -= depth;
      shell.outer.push_back(layer);
    }
  return shell;
}

}  // namespace helicity::grid
