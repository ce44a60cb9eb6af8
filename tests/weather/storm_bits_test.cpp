// SPDX-License-Identifier: Apache-2.0
// The same bits for all ranks, arrangements, threads, instruction sets and restarts. Runs on any
// number of ranks.
#include "storm.hpp"

#include <helicity/io/state_file.hpp>
#include <support/align_isa.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace helicity::test {
namespace {

constexpr Index3 slab{47, 1, 12}, space{23, 17, 9};

std::vector<std::uint64_t> hashes(weather::StormModel& model)
{
  std::vector<std::uint64_t> all;
  for (int n = 0; n < 3; ++n) {
    all.push_back(model.state_hash());
    model.advance(2);
  }
  all.push_back(model.state_hash());
  return all;
}

template <class T>
std::vector<std::uint64_t> plain_hashes(const weather::StormSetup& setup)
{
  return hashes(*model_of<T>(setup, {}, Cpu{1}));
}

/// All arrangements of n ranks along two axes that leave every rank enough cells.
std::vector<Index3> arrangements(int n, Index3 cells)
{
  std::vector<Index3> all;
  for (Index a = 1; a <= n; ++a)
    if (n % a == 0 && cells.i / a >= 5 && (n == a || cells.j / (n / a) >= 5))
      all.push_back({a, n / a, 1});
  return all;
}

template <class T>
void check_arrangements(const weather::StormSetup& setup)
{
  const auto want = plain_hashes<T>(setup);
  EXPECT_NE(want.front(), want.back());
  for (const Index3 ranks : arrangements(world().size(), setup.cells))
    EXPECT_EQ(hashes(*model_of<T>(setup, world(), Cpu{1}, ranks)), want)
        << ranks.i << " x " << ranks.j;
}

/// Other ends and no Coriolis force.
weather::StormSetup turned(Index3 cells)
{
  weather::StormSetup s = busy_storm(cells);
  s.periodic = {true, cells.j == 1};
  s.coriolis = 0;
  return s;
}

TEST(StormBits, do_not_depend_on_ranks)
{
  check_arrangements<float>(busy_storm(space));
  check_arrangements<double>(turned(space));
  check_arrangements<double>(busy_storm(slab));
  check_arrangements<float>(turned(slab));
  check_arrangements<float>(hilly_storm(space));
  check_arrangements<double>(hilly_storm(slab));
  check_arrangements<float>(mixed(busy_storm(space), true));
  check_arrangements<double>(mixed(hilly_storm(space), false));
  check_arrangements<float>(energetic(hilly_storm(space)));
  check_arrangements<float>(open_storm(busy_storm(space)));
  check_arrangements<double>(open_storm(hilly_storm(space), false));
  check_arrangements<double>(open_storm(hilly_storm(slab)));
  weather::StormSetup along = open_storm(busy_storm(space));  // periodic along the open faces
  along.periodic[1] = true;
  along.open[1] = {};
  along.beta = 0;
  check_arrangements<float>(along);
}

TEST(StormBits, of_water_do_not_depend_on_ranks)
{
  check_arrangements<float>(wet(busy_storm(space), 6));
  check_arrangements<double>(wet(turned(slab)));
  check_arrangements<float>(raining(hilly_storm(space)));
  check_arrangements<float>(raining(turned(space), weather::Scheme::klemp_wilhelmson));
  check_arrangements<double>(raining(hilly_storm(slab), weather::Scheme::condensation));
  check_arrangements<float>(raining(open_storm(busy_storm(space), false)));
  check_arrangements<double>(raining(open_storm(hilly_storm(slab))));
  check_arrangements<float>(raining(busy_storm(space), weather::Scheme::ice));
}

TEST(StormBits, of_water_do_not_depend_on_threads_and_instruction_sets)
{
  for (const weather::StormSetup& setup :
       {wet(busy_storm(slab), 6), raining(busy_storm(space)), raining(turned({301, 1, 7})),
        raining(turned(space), weather::Scheme::klemp_wilhelmson), raining(hilly_storm(slab)),
        raining(hilly_storm(space), weather::Scheme::ice)})
  {
    const auto want = plain_hashes<float>(setup), want_double = plain_hashes<double>(setup);
    for (const std::string& isa : usable_isas()) {
      const IsaLimit limit(isa);
      for (const int threads : {1, 3}) {
        EXPECT_EQ(hashes(*model_of<float>(setup, {}, Cpu{threads})), want) << isa;
        EXPECT_EQ(hashes(*model_of<double>(setup, {}, Cpu{threads})), want_double) << isa;
      }
    }
  }
}

TEST(StormBits, do_not_depend_on_threads_and_instruction_sets)
{
  for (const weather::StormSetup& setup :
       {busy_storm(slab), busy_storm(space), turned(slab), turned(space), busy_storm({301, 1, 7}),
        hilly_storm(slab), hilly_storm(space), open_storm(hilly_storm(space)),
        mixed(busy_storm(slab), false), mixed(busy_storm(space), true),
        mixed(hilly_storm(slab), true), mixed(hilly_storm(space), false),
        energetic(busy_storm(space)), energetic(hilly_storm(slab))})
  {
    const auto want = plain_hashes<float>(setup), want_double = plain_hashes<double>(setup);
    for (const std::string& isa : usable_isas()) {
      const IsaLimit limit(isa);
      for (const int threads : {1, 2, 5}) {
        EXPECT_EQ(hashes(*model_of<float>(setup, {}, Cpu{threads})), want) << isa;
        EXPECT_EQ(hashes(*model_of<double>(setup, {}, Cpu{threads})), want_double) << isa;
      }
    }
  }
}

TEST(StormBits, survive_a_restart_on_one_rank_of_a_state_of_all)
{
  const SharedFolder folder;
  const std::string path = folder / "state.h5";
  const weather::StormSetup setup = raining(open_storm(busy_storm(space)));
  const auto whole = model_of<float>(setup, {}, Cpu{1});
  whole->advance(9);
  const auto first = model_of<float>(setup, world(), Cpu{1});
  first->advance(5);
  io::StateWriter out(path, world(), first->decomposition());
  first->write_state(out);
  out.commit();

  const auto second = model_of<float>(setup, {}, Cpu{2});
  io::StateReader in(path, {}, second->decomposition());
  second->read_state(in, 5);
  EXPECT_EQ(second->clock().step, 5);
  second->advance(4);
  EXPECT_EQ(second->state_hash(), whole->state_hash());
  first->advance(4);  // writing left it as it was
  EXPECT_EQ(first->state_hash(), whole->state_hash());
  world().barrier();
}

TEST(StormBits, reading_on_ranks_leaves_the_state_and_its_sums_alone)
{
  const weather::StormSetup setup = raining(hilly_storm(space));
  const auto plain = model_of<double>(setup, {}, Cpu{1});
  const auto split = model_of<double>(setup, world(), Cpu{1});
  for (int n = 0; n < 2; ++n) {
    const auto a = plain->totals(), b = split->totals();
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(a.theta, b.theta);
    EXPECT_EQ(a.energy, b.energy);
    EXPECT_EQ(a.water, b.water);
    EXPECT_EQ(a.fallen, b.fallen);
    plain->advance(3);
    split->advance(3);
  }
  EXPECT_EQ(plain->state_hash(), split->state_hash());
}

}  // namespace
}  // namespace helicity::test
