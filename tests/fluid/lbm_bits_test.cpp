// SPDX-License-Identifier: Apache-2.0
// The same bits for all ranks, arrangements, threads, instruction sets, devices and restarts. Runs
// on any number of ranks.
#include "flow.hpp"

#include <helicity/core/device.hpp>
#include <helicity/io/state_file.hpp>
#include <support/align_isa.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace helicity::test {
namespace {

using fluid::LatticeKind;

constexpr int steps_each = 3;  // odd: both layouts are read
constexpr int readings = 4;

std::vector<std::uint64_t> hashes(fluid::LbmModel& model)
{
  std::vector<std::uint64_t> all;
  for (int n = 0; n < readings; ++n) {
    all.push_back(model.state_hash());
    model.advance(steps_each);
  }
  all.push_back(model.state_hash());
  return all;
}

fluid::LbmSetup flow(LatticeKind lattice)
{
  return busy_flow(lattice, lattice == LatticeKind::d2q9 ? Index3{41, 23, 1} : Index3{19, 13, 11});
}

template <class T>
std::vector<std::uint64_t> plain_hashes(LatticeKind lattice)
{
  return hashes(*model_of<T>(flow(lattice), {}, Cpu{1}));
}

/// All arrangements of n ranks along three axes that leave every rank some cells.
std::vector<Index3> arrangements(int n, Index3 cells)
{
  std::vector<Index3> all;
  for (Index a = 1; a <= n; ++a)
    for (Index b = 1; a * b <= n; ++b)
      if (n % (a * b) == 0 && a <= cells.i && b <= cells.j && n / (a * b) <= cells.k)
        all.push_back({a, b, n / (a * b)});
  return all;
}

template <class T>
void check_arrangements(LatticeKind lattice)
{
  const auto want = plain_hashes<T>(lattice);
  EXPECT_NE(want.front(), want.back());
  for (const Index3 ranks : arrangements(world().size(), flow(lattice).cells))
    EXPECT_EQ(hashes(*model_of<T>(flow(lattice), world(), Cpu{1}, ranks)), want)
        << ranks.i << " x " << ranks.j << " x " << ranks.k;
}

TEST(LbmBits, do_not_depend_on_ranks)
{
  check_arrangements<float>(LatticeKind::d3q19);
  check_arrangements<double>(LatticeKind::d3q19);
  check_arrangements<float>(LatticeKind::d2q9);
}

TEST(LbmBits, do_not_depend_on_threads_and_instruction_sets)
{
  for (const LatticeKind lattice : {LatticeKind::d2q9, LatticeKind::d3q19}) {
    const auto want = plain_hashes<float>(lattice), want_double = plain_hashes<double>(lattice);
    for (const std::string& isa : usable_isas()) {
      const IsaLimit limit(isa);
      for (const int threads : {1, 2, 5}) {
        EXPECT_EQ(hashes(*model_of<float>(flow(lattice), {}, Cpu{threads})), want) << isa;
        EXPECT_EQ(hashes(*model_of<double>(flow(lattice), {}, Cpu{threads})), want_double) << isa;
      }
    }
  }
}

TEST(LbmBits, survive_a_restart_on_one_rank_of_a_state_of_all)
{
  const SharedFolder folder;
  const std::string path = folder / "state.h5";
  for (const int before : {4, 5}) {
    const auto whole = model_of<float>(flow(LatticeKind::d3q19), {}, Cpu{1});
    whole->advance(before + 6);
    const auto first = model_of<float>(flow(LatticeKind::d3q19), world(), Cpu{1});
    first->advance(before);
    io::StateWriter out(path, world(), first->decomposition());
    first->write_state(out);
    out.commit();

    const auto second = model_of<float>(flow(LatticeKind::d3q19), {}, Cpu{2});
    io::StateReader in(path, {}, second->decomposition());
    second->read_state(in, before);
    EXPECT_EQ(second->clock().step, before);
    second->advance(6);
    EXPECT_EQ(second->state_hash(), whole->state_hash());
    first->advance(6);  // writing left it as it was
    EXPECT_EQ(first->state_hash(), whole->state_hash());
    world().barrier();
  }
}

/// Hash of the velocities of all cells seen in a mirror or shifted: cell c of the one is map(c) of
/// the other.
template <class Map>
bool same_velocities(fluid::LbmModel& a, fluid::LbmModel& b, Map map, int mirror_axis)
{
  const auto va = a.macroscopic(), vb = b.macroscopic();
  const Index3 n = a.decomposition().cells();
  const auto at = [n](Index3 c) { return static_cast<std::size_t>(c.i + n.i * (c.j + n.j * c.k)); };
  bool same = true;
  for (Index k = 0; k < n.k; ++k)
    for (Index j = 0; j < n.j; ++j)
      for (Index i = 0; i < n.i; ++i) {
        const std::size_t p = at({i, j, k}), q = at(map(Index3{i, j, k}));
        same = same && va.density[p] == vb.density[q];
        for (int x = 0; x < 3; ++x) {
          const double v = vb.velocity[static_cast<std::size_t>(x)][q];
          same = same && va.velocity[static_cast<std::size_t>(x)][p] == (x == mirror_axis ? -v : v);
        }
      }
  return same;
}

fluid::LbmSetup moved(const fluid::LbmSetup& setup, const std::function<Index3(Index3)>& from,
                      int mirror)
{
  fluid::LbmSetup s = setup;
  s.solid = [f = setup.solid, from](Index3 c) { return f(from(c)); };
  s.initial = [f = setup.initial, from, mirror](Index3 c) {
    fluid::LbmInitial v = f(from(c));
    if (mirror < 0) return v;
    v.velocity[static_cast<std::size_t>(mirror)] *= -1;
    constexpr int off[3][2] = {{3, 4}, {3, 5}, {4, 5}};  // shear components that change sign
    for (const int e : off[mirror]) v.strain[static_cast<std::size_t>(e)] *= -1;
    return v;
  };
  if (mirror < 0) return s;
  const auto m = static_cast<std::size_t>(mirror);
  s.force[m] *= -1;
  for (auto& v : s.solid_velocity) v[m] *= -1;
  std::swap(s.ends[m][0], s.ends[m][1]);
  for (auto& axis : s.ends)
    for (auto& end : axis) end.velocity[m] *= -1;
  return s;
}

TEST(LbmBits, mirrored_flows_are_mirror_images)
{
  const fluid::LbmSetup setup = flow(LatticeKind::d3q19);
  for (int axis = 0; axis < 3; ++axis) {
    const auto map = [&](Index3 c) {
      c[axis] = setup.cells[axis] - 1 - c[axis];
      return c;
    };
    const auto a = model_of<double>(setup, {}, Cpu{1});
    const auto b = model_of<double>(moved(setup, map, axis), {}, Cpu{1});
    a->advance(9);
    b->advance(9);
    EXPECT_TRUE(same_velocities(*a, *b, map, axis)) << axis;
  }
}

TEST(LbmBits, a_flow_shifted_along_a_periodic_axis_is_the_same)
{
  const fluid::LbmSetup setup = flow(LatticeKind::d3q19);
  for (const int axis : {0, 2}) {
    const auto to = [&](Index3 c) { return c[axis] = (c[axis] + 4) % setup.cells[axis], c; };
    const auto from = [&](Index3 c) {
      return c[axis] = (c[axis] + setup.cells[axis] - 4) % setup.cells[axis], c;
    };
    const auto a = model_of<float>(setup, {}, Cpu{1});
    const auto b = model_of<float>(moved(setup, from, -1), {}, Cpu{1});
    a->advance(9);
    b->advance(9);
    EXPECT_TRUE(same_velocities(*a, *b, to, -1)) << axis;
  }
}

}  // namespace
}  // namespace helicity::test
