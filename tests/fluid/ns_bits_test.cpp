// SPDX-License-Identifier: Apache-2.0
// The same bits for all ranks, threads, instruction sets and restarts. Runs on any number of ranks.
#include "flow.hpp"
#include "ns_flow.hpp"

#include <helicity/io/state_file.hpp>
#include <support/align_isa.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace helicity::test {
namespace {

const fluid::NsSetup flows[] = {busy_ns({17, 12, 16}, false), busy_ns({14, 9, 17}, true),
                                busy_ns({20, 1, 16}, false)};

std::vector<std::uint64_t> hashes(fluid::NsModel& model)
{
  std::vector<std::uint64_t> all{model.state_hash()};
  for (int n = 0; n < 3; ++n) {
    model.advance(2);
    all.push_back(model.state_hash());
  }
  return all;
}

template <class T>
void check_ranks()
{
  for (fluid::NsSetup setup : flows) {
    if (setup.ends[0][0].kind == fluid::NsEnd::Kind::periodic) setup.bulk_velocity = 0.4;
    const auto want = hashes(*ns_of<T>(setup, {}, Cpu{1}));
    EXPECT_NE(want.front(), want.back());
    EXPECT_EQ(hashes(*ns_of<T>(setup, world(), Cpu{1})), want);
    EXPECT_EQ(hashes(*ns_of<T>(setup, world(), Cpu{3})), want);
  }
}

TEST(NsBits, do_not_depend_on_ranks)
{
  check_ranks<float>();
  check_ranks<double>();
}

TEST(NsBits, of_a_periodic_box_do_not_depend_on_ranks)
{
  fluid::NsSetup setup = busy_ns({12, 10, 16}, false);
  setup.ends = {};
  setup.faces = fluid::stretched_faces(16, 1.6, 0);
  const auto want = hashes(*ns_of<double>(setup, {}, Cpu{1}));
  EXPECT_EQ(hashes(*ns_of<double>(setup, world(), Cpu{2})), want);
  const auto model = ns_of<double>(setup, world(), Cpu{1});
  model->advance(3);
  EXPECT_LT(model->totals().divergence, 1e-12);
}

TEST(NsBits, do_not_depend_on_threads_and_instruction_sets)
{
  for (const fluid::NsSetup& setup : flows) {
    const auto want = hashes(*ns_of<float>(setup, {}, Cpu{1})),
               want_double = hashes(*ns_of<double>(setup, {}, Cpu{1}));
    for (const std::string& isa : usable_isas()) {
      const IsaLimit limit(isa);
      for (const int threads : {1, 4}) {
        EXPECT_EQ(hashes(*ns_of<float>(setup, {}, Cpu{threads})), want) << isa;
        EXPECT_EQ(hashes(*ns_of<double>(setup, {}, Cpu{threads})), want_double) << isa;
      }
    }
  }
}

TEST(NsBits, survive_a_restart_on_one_rank_of_a_state_of_all)
{
  const SharedFolder folder;
  const std::string path = folder / "state.h5";
  const fluid::NsSetup setup = flows[0];
  const auto whole = ns_of<double>(setup, {}, Cpu{1});
  whole->advance(7);
  const auto first = ns_of<double>(setup, world(), Cpu{1});
  first->advance(3);
  io::StateWriter out(path, world(), first->decomposition());
  first->write_state(out);
  out.commit();
  const auto second = ns_of<double>(setup, {}, Cpu{2});
  io::StateReader in(path, {}, second->decomposition());
  second->read_state(in, 3);
  second->advance(4);
  EXPECT_EQ(second->state_hash(), whole->state_hash());
  world().barrier();
}

}  // namespace
}  // namespace helicity::test
