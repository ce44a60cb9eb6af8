// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fluid/detail/ns_points.hpp>

namespace helicity::fluid {

/// Place of a bad cell in the global order.
template <class T>
struct NsBadPlace
{
  NsStep<T> s;
  Index3 offset, global;
  T step, limit;
  std::int64_t none;

  HELICITY_HD std::int64_t operator()(Index i, Index j, Index k) const
  {
    if (!detail::is_bad(s, s.level[k], s.at(i, j, k), step, limit)) return none;
    return (offset.i + i) + global.i * ((offset.j + j) + global.j * (offset.k + k));
  }
};

/// |div stage| of a cell.
template <class T>
struct NsDivergenceSize
{
  NsStep<T> s;

  HELICITY_HD double operator()(Index i, Index j, Index k) const
  {
    return static_cast<double>(
        detail::magnitude(detail::divergence(s, s.level[k], s.stage, s.at(i, j, k))));
  }
};

}  // namespace helicity::fluid
