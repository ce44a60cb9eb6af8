// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/grid/box.hpp>

#include <array>
#include <string>
#include <vector>

namespace helicity::comm {

struct DecompositionOptions
{
  Index3 ranks{0, 0, 0};           ///< ranks along each axis; 0: chosen
  std::array<bool, 3> periodic{};  ///< axes whose ends meet
  Index3 least{1, 1, 1};           ///< cells every rank must own along each axis that is split
};

/// Splits global cells [0, cells) into one box per rank, on a Cartesian arrangement of ranks, i the
/// fastest. Boxes along an axis differ by one cell at most, the larger ones first.
class HELICITY_EXPORT Decomposition
{
 public:
  Decomposition() = default;

  /// Chooses the arrangement with the fewest bytes through faces, cuts across i weighing double
  /// (their faces are strided); ties go to more ranks along k, then j.
  /// @throws UsageError if options.ranks does not multiply to `ranks`, or a rank would own fewer
  ///   than options.least cells; the text names the nearest rank counts that work
  Decomposition(Index3 cells, int ranks, const DecompositionOptions& options = {});

  Index3 cells() const { return cells_; }
  Index3 ranks() const { return ranks_; }
  int size() const { return static_cast<int>(volume(ranks_)); }
  bool periodic(int axis) const { return options_.periodic[static_cast<std::size_t>(axis)]; }

  Index3 coordinates(int rank) const;
  grid::Box box(int rank) const;  ///< global cells that a rank owns

  /// Rank in direction {-1, 0, 1}^3 from `rank`, itself where a periodic axis is not split; -1
  /// beyond an end that is not periodic.
  int neighbour(int rank, Index3 direction) const;

  /// "2 x 1 x 4".
  std::string describe() const;

 private:
  Index3 cells_{1, 1, 1}, ranks_{1, 1, 1};
  DecompositionOptions options_;
};

/// Rank counts up to `most` for which Decomposition finds an arrangement, ascending.
HELICITY_EXPORT std::vector<int> good_rank_counts(Index3 cells, const DecompositionOptions& options,
                                                  int most);

}  // namespace helicity::comm
