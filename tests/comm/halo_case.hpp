// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/halo.hpp>
#include <helicity/core/exec.hpp>

#include <array>
#include <vector>

namespace helicity::test {

/// An exchange of whole halos that is checked cell by cell.
struct HaloCase
{
  Index3 cells;
  Index3 ranks;  ///< 0: chosen
  std::array<bool, 3> periodic{};
  Index3 width{1, 1, 1};
  Index3 margin;  ///< halo cells of the fields beyond `width`
  int components = 1;
};

/// Arrangements of the ranks of this run, widths, odd sizes and periodic axes that together reach
/// every path.
std::vector<HaloCase> halo_cases(int ranks);

/// Fields of floats, doubles and 16-bit integers, filled with functions of the global cell, in one
/// exchange; each cell of the halos is compared: those that a neighbour owns, corners too, those
/// beyond an end of the domain and those past `width`, which must be as they were.
void check_halo(const HaloCase& c, const Executor& executor, comm::Transport transport);

/// The other way round: halos are sent, and owned cells receive.
void check_reverse(const Executor& executor, comm::Transport transport);

/// Many rounds with other numbers each, two exchanges under way at the same time.
void check_rounds(const Executor& executor, comm::Transport transport);

}  // namespace helicity::test
