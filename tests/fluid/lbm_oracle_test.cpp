// SPDX-License-Identifier: Apache-2.0
#include "flow.hpp"

#include <oracle/lattice_boltzmann.hpp>

#include <gtest/gtest.h>

namespace helicity::test {
namespace {

using fluid::LatticeKind;

template <class T>
double largest_difference(const fluid::LbmSetup& setup, int steps)
{
  PlainLatticeBoltzmann plain(setup);
  const auto model = model_of<T>(setup, {}, Cpu{2});
  for (int n = 0; n < steps; ++n) plain.step();
  model->advance(steps);
  const auto ours = model->macroscopic();
  double worst = 0;
  std::size_t at = 0;
  for (Index k = 0; k < setup.cells.k; ++k)
    for (Index j = 0; j < setup.cells.j; ++j)
      for (Index i = 0; i < setup.cells.i; ++i, ++at) {
        const auto theirs = plain.moments({i, j, k});
        worst = std::max(worst, std::fabs(ours.density[at] - theirs[0]));
        for (std::size_t a = 0; a < 3; ++a)
          worst = std::max(worst, std::fabs(ours.velocity[a][at] - theirs[a + 1]));
      }
  return worst;
}

TEST(LbmOracle, planes_agree)
{
  for (const int steps : {0, 1, 2, 3, 41})
    EXPECT_LT(largest_difference<double>(busy_flow(LatticeKind::d2q9, {19, 11, 1}), steps), 2e-15)
        << steps;
}

TEST(LbmOracle, spaces_agree)
{
  for (const int steps : {0, 1, 2, 3, 20})
    EXPECT_LT(largest_difference<double>(busy_flow(LatticeKind::d3q19, {13, 9, 7}), steps), 2e-15)
        << steps;
}

TEST(LbmOracle, one_relaxation_time_agrees)
{
  fluid::LbmSetup setup = busy_flow(LatticeKind::d3q19, {13, 9, 7});
  setup.single_rate = true;
  EXPECT_LT(largest_difference<double>(setup, 15), 2e-15);
}

TEST(LbmOracle, float_agrees_to_its_precision)
{
  EXPECT_LT(largest_difference<float>(busy_flow(LatticeKind::d3q19, {13, 9, 7}), 20), 1e-6);
}

TEST(LbmOracle, a_box_of_walls_with_a_lid_agrees)
{
  fluid::LbmSetup setup;
  setup.cells = {5, 8, 6};
  setup.viscosity = 0.01;
  for (auto& axis : setup.ends) axis[0].wall = axis[1].wall = true;
  setup.ends[1][1].velocity = {0.1, 0, 0.02};
  setup.ends[0][0].velocity = {0, 0.05, 0};
  EXPECT_LT(largest_difference<double>(setup, 30), 2e-15);
}

TEST(LbmOracle, grids_of_one_cell_agree)
{
  for (const Index3 cells :
       {Index3{1, 1, 1}, Index3{1, 7, 1}, Index3{9, 1, 1}, Index3{1, 1, 5}, Index3{2, 2, 2}})
  {
    fluid::LbmSetup setup = busy_flow(LatticeKind::d3q19, cells);
    setup.solid = nullptr;
    if (cells.j == 1) setup.ends = {};
    EXPECT_LT(largest_difference<double>(setup, 7), 2e-15)
        << cells.i << ' ' << cells.j << ' ' << cells.k;
  }
}

}  // namespace
}  // namespace helicity::test
