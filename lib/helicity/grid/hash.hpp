// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

#include <cstdint>

namespace helicity::grid {

/// Sum of hash_cell over the cells of a view; place = base + global linear index. T is float or
/// double.
/// @param offset  global index of the view's first cell
template <class T>
HELICITY_EXPORT std::uint64_t hash_view(Cpu exec, View3<const T> view, Index3 offset, Index3 global,
                                        std::uint64_t base);
template <class T>
HELICITY_EXPORT std::uint64_t hash_view(Cuda exec, View3<const T> view, Index3 offset,
                                        Index3 global, std::uint64_t base);

}  // namespace helicity::grid
