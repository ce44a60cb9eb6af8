// SPDX-License-Identifier: Apache-2.0
#include <helicity/grid/detail/ghost_cell.hpp>
#include <helicity/grid/for_cells.hpp>

namespace helicity::grid::detail {

template <class T>
void write_ghosts(Cuda exec, Box box, const GhostCell<T>& cell)
{
  for_cells(exec, box, cell);
}

template void write_ghosts(Cuda, Box, const GhostCell<float>&);
template void write_ghosts(Cuda, Box, const GhostCell<double>&);

}  // namespace helicity::grid::detail
