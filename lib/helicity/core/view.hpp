// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <type_traits>

namespace helicity {

/// Cell index or count, signed: halos have negative indices.
using Index = std::ptrdiff_t;

/// Three indices or counts, i the fastest in memory.
struct Index3
{
  Index i = 0, j = 0, k = 0;

  HELICITY_HD constexpr Index operator[](int axis) const
  {
    return axis == 0 ? i : axis == 1 ? j : k;
  }
  HELICITY_HD constexpr Index& operator[](int axis) { return axis == 0 ? i : axis == 1 ? j : k; }

  friend constexpr bool operator==(const Index3&, const Index3&) = default;
};

HELICITY_HD constexpr Index3 operator+(Index3 a, Index3 b)
{
  return {a.i + b.i, a.j + b.j, a.k + b.k};
}
HELICITY_HD constexpr Index3 operator-(Index3 a, Index3 b)
{
  return {a.i - b.i, a.j - b.j, a.k - b.k};
}

/// Product of the three.
HELICITY_HD constexpr Index volume(Index3 n) { return n.i * n.j * n.k; }

/// Strided view of cells in host or device memory, passed by value. Indices may leave
/// [0, ni) x [0, nj) x [0, nk) as far as the memory behind has a halo.
template <class T>
struct View3
{
  T* origin = nullptr;  ///< cell (0, 0, 0)
  Index ni = 0, nj = 0, nk = 0;
  Index sj = 0, sk = 0;  ///< strides in elements; 1 along i

  HELICITY_HD T& operator()(Index i, Index j, Index k) const { return origin[i + j * sj + k * sk]; }
  HELICITY_HD T& operator[](Index3 c) const { return (*this)(c.i, c.j, c.k); }

  /// The same cells, read only.
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) HELICITY_HD operator View3<U>() const
  {
    return {origin, ni, nj, nk, sj, sk};
  }
};

}  // namespace helicity
