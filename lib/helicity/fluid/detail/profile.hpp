// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace helicity::fluid::detail {

/// Values along a line of unit length: at its ends, and at the centres of n equal cells between.
struct Profile
{
  double low = 0, high = 0;    ///< at 0 and 1
  std::vector<double> values;  ///< at (m + 1/2) / n

  /// Cubic interpolation in the four nearest points. @pre at least 4 points
  double at(double place) const;

  /// Least (sign < 0) or greatest value, from the parabola through the extreme point and its
  /// neighbours.
  double extremum(int sign) const;

 private:
  double place(int node) const;
  double value(int node) const;
};

}  // namespace helicity::fluid::detail
