// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/fluid/lattice.hpp>
#include <helicity/fluid/lbm_model.hpp>
#include <helicity/fluid/lbm_step.hpp>
#include <helicity/grid/box.hpp>
#include <helicity/grid/field.hpp>

#include <cstdint>
#include <vector>

namespace helicity::fluid {

/// What solids and walls mean for one rank.
template <class T>
struct LbmGeometry
{
  grid::Field<std::uint8_t> flags;  ///< host; halo of 1; 0 fluid, 1 solid or beyond a wall
  std::vector<RowRun> runs;         ///< fluid of the owned cells; empty if all is fluid
  std::vector<LinkRun<T>> links;    ///< ordered by place
  bool has_solids = false;          ///< owned solid cells
  Index fluid_cells = 0;            ///< owned
};

/// Finds fluid runs and wall links of the cells `owned` (global box). A link that leaves through a
/// corner of several walls meets the slowest of them, equally slow ones with their mean velocity.
template <class T>
LbmGeometry<T> make_geometry(const LbmSetup& setup, grid::Box owned, const Populations<T>& layout);

}  // namespace helicity::fluid
