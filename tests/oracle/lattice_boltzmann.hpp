// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fluid/lbm_model.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace helicity::test {

/// Lattice Boltzmann as the textbooks write it: two copies of unshifted populations, streaming by
/// pulling, one cell after the other, in long double. Nothing is shared with the library but the
/// description of the flow.
class PlainLatticeBoltzmann
{
 public:
  explicit PlainLatticeBoltzmann(const fluid::LbmSetup& setup);

  void step();

  /// Density deviation and velocity of a cell.
  std::array<double, 4> moments(Index3 cell) const;

 private:
  struct Link
  {
    int c[3];
    long double w;
  };

  struct Wall
  {
    bool solid = false;
    fluid::Vector3 velocity{};
  };

  std::size_t at(Index3 cell) const;
  Index3 wrap(Index3 cell) const;
  Wall wall_at(Index3 cell) const;
  void collide(std::size_t cell);
  long double pull(Index3 cell, std::size_t i) const;
  std::size_t reverse(std::size_t i) const;

  fluid::LbmSetup setup_;
  std::vector<Link> links_;
  std::vector<std::vector<long double>> f_, post_;
};

}  // namespace helicity::test
