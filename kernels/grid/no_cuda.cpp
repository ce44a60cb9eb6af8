// SPDX-License-Identifier: Apache-2.0
// What grid asks of CUDA, in a library built without it.
#include <helicity/core/error.hpp>
#include <helicity/grid/detail/ghost_cell.hpp>
#include <helicity/grid/hash.hpp>

namespace helicity::grid::detail {

template <class T>
void write_ghosts(Cuda, Box, const GhostCell<T>&)
{
  throw RuntimeFault("a boundary on a device: Helicity was built without CUDA");
}

template void write_ghosts(Cuda, Box, const GhostCell<float>&);
template void write_ghosts(Cuda, Box, const GhostCell<double>&);

}  // namespace helicity::grid::detail

namespace helicity::grid {

template <class T>
std::uint64_t hash_view(Cuda, View3<const T>, Index3, Index3, std::uint64_t)
{
  throw RuntimeFault("a hash on a device: Helicity was built without CUDA");
}

template std::uint64_t hash_view(Cuda, View3<const float>, Index3, Index3, std::uint64_t);
template std::uint64_t hash_view(Cuda, View3<const double>, Index3, Index3, std::uint64_t);

}  // namespace helicity::grid
