// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>

namespace helicity::grid {

/// Cells lo <= (i, j, k) < hi; empty if hi <= lo on an axis.
struct Box
{
  Index3 lo, hi;

  HELICITY_HD constexpr bool empty() const { return hi.i <= lo.i || hi.j <= lo.j || hi.k <= lo.k; }
  HELICITY_HD constexpr Index3 size() const { return empty() ? Index3{} : hi - lo; }
  HELICITY_HD constexpr Index cells() const { return volume(size()); }
  HELICITY_HD constexpr bool contains(Index3 c) const
  {
    return c.i >= lo.i && c.i < hi.i && c.j >= lo.j && c.j < hi.j && c.k >= lo.k && c.k < hi.k;
  }

  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// Cells [0, n).
HELICITY_HD constexpr Box box_of(Index3 n) { return {{0, 0, 0}, n}; }

/// Cells in both.
HELICITY_HD constexpr Box intersect(Box a, Box b)
{
  Box c;
  for (int x = 0; x < 3; ++x) {
    c.lo[x] = a.lo[x] > b.lo[x] ? a.lo[x] : b.lo[x];
    c.hi[x] = a.hi[x] < b.hi[x] ? a.hi[x] : b.hi[x];
  }
  return c;
}

/// The box with `by` more cells on both sides of each axis (fewer if negative).
HELICITY_HD constexpr Box grown(Box a, Index3 by) { return {a.lo - by, a.hi + by}; }

/// The box moved by `by` cells.
HELICITY_HD constexpr Box shifted(Box a, Index3 by) { return {a.lo + by, a.hi + by}; }

}  // namespace helicity::grid
