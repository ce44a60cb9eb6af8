// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/grid/reduce_cells.hpp>

namespace helicity::grid::detail {

/// Hash of a cell and its place.
template <class T>
struct HashOf
{
  View3<const T> view;
  Index3 offset, global;
  std::uint64_t base;

  HELICITY_HD std::uint64_t operator()(Index i, Index j, Index k) const
  {
    const Index place = (offset.i + i) + global.i * ((offset.j + j) + global.j * (offset.k + k));
    return hash_cell(bits_of(view(i, j, k)), base + static_cast<std::uint64_t>(place));
  }
};

}  // namespace helicity::grid::detail
