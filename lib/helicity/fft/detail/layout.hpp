// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fft/view.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace helicity::fft::detail {

/// A view without its type.
struct Layout
{
  std::uintptr_t address = 0;
  std::size_t element_bytes = 0;
  int dimensions = 0;
  std::array<Index, max_dimensions> extent{};
  std::array<Index, max_dimensions> stride{};

  Index count(int d) const { return extent[static_cast<std::size_t>(d)]; }
  Index step(int d) const { return stride[static_cast<std::size_t>(d)]; }
};

template <class T>
Layout layout_of(const View<T>& view)
{
  return {reinterpret_cast<std::uintptr_t>(view.data), sizeof(T), view.dimensions, view.extent,
          view.stride};
}

/// Bytes that elements take, from the address of element 0 on: [first, last).
struct Reach
{
  Index first = 0, last = 0;
};

/// @throws UsageError if there are no or too many dimensions, an extent below 1, a stride of 0 over
///   an extent above 1, or a size beyond 63 bits; `name` is the view's
Reach check_layout(const Layout& layout, const std::string& name);

/// @throws UsageError if two elements may be the same memory: sorted by stride, each stride must
///   step over all that is below it
void check_distinct(const Layout& layout, const std::string& name);

bool overlap(std::uintptr_t a, Reach a_reach, std::uintptr_t b, Reach b_reach);

/// Whether every line along `axis` stays in its place when it is overwritten by its result.
bool lines_stay(const Layout& in, const Layout& out, int axis);

}  // namespace helicity::fft::detail
