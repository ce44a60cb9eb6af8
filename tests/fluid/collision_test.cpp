// SPDX-License-Identifier: Apache-2.0
#include <helicity/fluid/collision.hpp>

#include <gtest/gtest.h>

#include <random>

namespace helicity::fluid {
namespace {

template <class L>
class LatticeTest : public testing::Test
{};
using Lattices = testing::Types<D2Q9, D3Q19>;
TYPED_TEST_SUITE(LatticeTest, Lattices);

TYPED_TEST(LatticeTest, has_the_moments_of_a_gas)
{
  using L = TypeParam;
  double sum = 0, second[3][3] = {}, fourth = 0, mixed = 0;
  for (int i = 0; i < L::q; ++i) {
    sum += L::w[i];
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(L::c[opposite(i)][a], -L::c[i][a]);
      for (int b = 0; b < 3; ++b) second[a][b] += L::w[i] * L::c[i][a] * L::c[i][b];
    }
    fourth += L::w[i] * L::c[i][0] * L::c[i][0] * L::c[i][0] * L::c[i][0];
    mixed += L::w[i] * L::c[i][0] * L::c[i][0] * L::c[i][1] * L::c[i][1];
  }
  EXPECT_NEAR(sum, 1, 1e-15);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      EXPECT_NEAR(second[a][b], a == b && a < L::dimensions ? 1. / 3 : 0, 1e-15);
  EXPECT_NEAR(fourth, 3. / 9, 1e-15);
  EXPECT_NEAR(mixed, 1. / 9, 1e-15);
}

template <class L>
struct Cell
{
  double f[L::q];
};

template <class L>
Cell<L> random_cell(std::mt19937& random)
{
  std::uniform_real_distribution<double> d(-1e-2, 1e-2);
  Cell<L> cell;
  for (double& f : cell.f) f = d(random);
  return cell;
}

TYPED_TEST(LatticeTest, collision_keeps_mass_and_adds_the_force_to_momentum)
{
  using L = TypeParam;
  std::mt19937 random(1);
  for (int n = 0; n < 100; ++n) {
    Relaxation<double> r{1.7, 0.9, {1e-3, -2e-3, L::dimensions == 3 ? 5e-4 : 0}, true};
    Cell<L> cell = random_cell<L>(random);
    const auto before = detail::sums(L{}, cell.f);
    collide<L, true>(cell.f, r);
    const auto after = detail::sums(L{}, cell.f);
    EXPECT_NEAR(after.density, before.density, 1e-16);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(after.u[a], before.u[a] + r.force[a], 1e-16);
  }
}

template <class L, int I>
void set_equilibrium(double (&f)[L::q], const Moments<double>& m)
{
  if constexpr (I < L::q) {
    f[I] = equilibrium<L, I>(m);
    set_equilibrium<L, I + 1>(f, m);
  }
}

TYPED_TEST(LatticeTest, equilibrium_stays_and_has_its_moments)
{
  using L = TypeParam;
  const Moments<double> m{0.02, {0.05, -0.03, L::dimensions == 3 ? 0.04 : 0}};
  Cell<L> cell;
  set_equilibrium<L, 0>(cell.f, m);
  const Relaxation<double> r{1.7, 0.9};
  const auto found = moments<L, false>(cell.f, r);
  EXPECT_NEAR(found.density, m.density, 1e-16);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(found.u[a], m.u[a], 1e-16);
  Cell<L> after = cell;
  collide<L, false>(after.f, r);
  for (int i = 0; i < L::q; ++i) EXPECT_NEAR(after.f[i], cell.f[i], 1e-16);
}

/// Velocity i seen in a mirror across `axis`.
template <class L>
int mirrored(int i, int axis)
{
  for (int m = 0; m < L::q; ++m) {
    bool same = true;
    for (int a = 0; a < 3; ++a) same = same && L::c[m][a] == (a == axis ? -1 : 1) * L::c[i][a];
    if (same) return m;
  }
  return -1;
}

TYPED_TEST(LatticeTest, mirrored_cells_collide_to_mirrored_bits)
{
  using L = TypeParam;
  std::mt19937 random(2);
  for (int axis = 0; axis < L::dimensions; ++axis)
    for (int n = 0; n < 200; ++n) {
      Relaxation<double> r{1.7, 0.9, {1e-3, -2e-3, 5e-4}, true}, rm = r;
      rm.force[axis] = -r.force[axis];
      Cell<L> cell = random_cell<L>(random), mirror;
      for (int i = 0; i < L::q; ++i) mirror.f[mirrored<L>(i, axis)] = cell.f[i];
      collide<L, true>(cell.f, r);
      collide<L, true>(mirror.f, rm);
      for (int i = 0; i < L::q; ++i) EXPECT_EQ(mirror.f[mirrored<L>(i, axis)], cell.f[i]);
    }
}

}  // namespace
}  // namespace helicity::fluid
