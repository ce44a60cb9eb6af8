// SPDX-License-Identifier: Apache-2.0
#include <helicity/grid/detail/hash_of.hpp>
#include <helicity/grid/hash.hpp>

namespace helicity::grid {

using detail::HashOf;

template <class T>
std::uint64_t hash_view(Cpu exec, View3<const T> view, Index3 offset, Index3 global,
                        std::uint64_t base)
{
  return reduce_cells<WrappingSum>(exec, box_of(Index3{view.ni, view.nj, view.nk}),
                                   HashOf<T>{view, offset, global, base});
}

template std::uint64_t hash_view(Cpu, View3<const float>, Index3, Index3, std::uint64_t);
template std::uint64_t hash_view(Cpu, View3<const double>, Index3, Index3, std::uint64_t);

}  // namespace helicity::grid
