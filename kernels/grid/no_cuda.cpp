// SPDX-License-Identifier: Apache-2.0
// What grid asks of CUDA, in a library built without it.
#include <helicity/core/error.hpp>
#include <helicity/grid/detail/ghost_cell.hpp>

namespace helicity::grid::detail {

template <class T>
void write_ghosts(Cuda, Box, const GhostCell<T>&)
{
  throw RuntimeFault("a boundary on a device: Helicity was built without CUDA");
}

template void write_ghosts(Cuda, Box, const GhostCell<float>&);
template void write_ghosts(Cuda, Box, const GhostCell<double>&);

}  // namespace helicity::grid::detail
