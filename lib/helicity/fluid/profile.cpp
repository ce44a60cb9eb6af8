// SPDX-License-Identifier: Apache-2.0
#include <helicity/fluid/detail/profile.hpp>

#include <algorithm>
#include <cstddef>

namespace helicity::fluid::detail {

double Profile::place(int node) const
{
  const int n = static_cast<int>(values.size());
  return node == 0 ? 0 : node == n + 1 ? 1 : (node - 0.5) / n;
}

double Profile::value(int node) const
{
  const int n = static_cast<int>(values.size());
  return node == 0 ? low : node == n + 1 ? high : values[static_cast<std::size_t>(node - 1)];
}

double Profile::at(double x) const
{
  const int last = static_cast<int>(values.size()) + 1;
  int below = 0;
  while (below < last - 1 && place(below + 1) <= x) ++below;
  const int first = std::clamp(below - 1, 0, last - 3);
  double sum = 0;
  for (int a = first; a < first + 4; ++a) {
    double weight = 1;
    for (int b = first; b < first + 4; ++b)
      if (b != a) weight *= (x - place(b)) / (place(a) - place(b));
    sum += weight * value(a);
  }
  return sum;
}

double Profile::extremum(int sign) const
{
  const int n = static_cast<int>(values.size());
  int best = 1;
  for (int m = 2; m <= n; ++m)
    if (sign * value(m) > sign * value(best)) best = m;
  const int middle = std::clamp(best, 2, n - 1);  // equally spaced neighbours
  const double a = value(middle - 1), b = value(middle), c = value(middle + 1);
  const double curvature = a - 2 * b + c, slope = (c - a) / 2;
  if (best != middle || curvature == 0) return value(best);
  return b - slope * slope / (2 * curvature);
}

}  // namespace helicity::fluid::detail
