// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

#include <array>
#include <initializer_list>
#include <type_traits>

namespace helicity::fft {

inline constexpr int max_dimensions = 6;

/// Strided numbers in host or device memory: dimension 0 is the fastest in a dense view. Passed by
/// value; owns nothing.
template <class T>
struct View
{
  T* data = nullptr;
  int dimensions = 0;
  std::array<Index, max_dimensions> extent{};
  std::array<Index, max_dimensions> stride{};  ///< in elements of T; may be negative

  /// The same numbers, read only.
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) operator View<U>() const
  {
    return {data, dimensions, extent, stride};
  }
};

/// Numbers without gaps, the first extent the fastest. More than six extents are left off, which
/// make_plan refuses.
template <class T>
View<T> dense(T* data, std::initializer_list<Index> extents)
{
  View<T> view{data, static_cast<int>(extents.size()), {}, {}};
  Index stride = 1;
  int d = 0;
  for (const Index n : extents) {
    if (d == max_dimensions) break;
    view.extent[static_cast<std::size_t>(d)] = n;
    view.stride[static_cast<std::size_t>(d)] = stride;
    stride *= n;
    ++d;
  }
  return view;
}

/// The cells of a field's view, without its halo.
template <class T>
View<T> view_of(View3<T> cells)
{
  return {cells.origin, 3, {cells.ni, cells.nj, cells.nk}, {1, cells.sj, cells.sk}};
}

}  // namespace helicity::fft
