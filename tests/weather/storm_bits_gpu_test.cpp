// SPDX-License-Identifier: Apache-2.0
// CUDA gives the bits of the CPU, on any number of ranks.
#include "storm.hpp"

#include <helicity/comm/transport.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/version.hpp>
#include <helicity/io/state_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace helicity::test {
namespace {

Executor device()
{
  Exec exec;
  exec.device = Device::cuda;
  return session().executor(exec, {.share_gpu = true});
}

bool no_device() { return device_count() == 0; }

bool has_hdf5()
{
  const auto features = build_info().features;
  return std::ranges::any_of(features,
                             [](const Feature& f) { return f.name == "hdf5" && f.enabled; });
}

template <class T>
void check(const weather::StormSetup& setup)
{
  const auto cpu = model_of<T>(setup, {}, Cpu{1});
  const Executor executor = device();
  const auto cuda =
      model_of<T>(setup, world(), executor, {0, 0, 1},
                  comm::choose_transport(world(), executor, comm::TransportRequest::automatic));
  EXPECT_EQ(cuda->state_hash(), cpu->state_hash());
  for (const int steps : {1, 2}) {
    cpu->advance(steps);
    cuda->advance(steps);
    EXPECT_EQ(cuda->state_hash(), cpu->state_hash());
  }
  EXPECT_FALSE(cuda->check().has_value());
  const auto a = cpu->totals(), b = cuda->totals();
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.water, b.water);
}

TEST(StormGpu, slabs_have_the_bits_of_the_cpu)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  check<float>(busy_storm({47, 1, 12}));
  weather::StormSetup setup = busy_storm({47, 1, 7});
  setup.coriolis = 0;
  setup.periodic[0] = true;
  check<double>(setup);
}

/// Recorded steps (of one rank) and those that are not; also after a state is read.
TEST(StormGpu, recorded_steps_are_the_same)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  weather::StormSetup setup = raining(hilly_storm({21, 13, 7}));
  const auto model = [&](bool recorded) {
    setup.recorded = recorded;
    const Executor executor = device();
    return model_of<float>(
        setup, world(), executor, {0, 0, 1},
        comm::choose_transport(world(), executor, comm::TransportRequest::automatic));
  };
  const auto queued = model(false), replayed = model(true);
  for (const int steps : {1, 3, 4}) {
    queued->advance(steps);
    replayed->advance(steps);
    EXPECT_EQ(replayed->state_hash(), queued->state_hash());
    EXPECT_EQ(replayed->totals().energy, queued->totals().energy);
    EXPECT_EQ(replayed->values("theta_perturbation"), queued->values("theta_perturbation"));
  }
}

TEST(StormGpu, spaces_have_the_bits_of_the_cpu)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  check<float>(busy_storm({21, 13, 7}));
  weather::StormSetup setup = busy_storm({21, 13, 6});
  setup.periodic = {true, false};
  check<double>(setup);
}

TEST(StormGpu, hills_have_the_bits_of_the_cpu)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  check<float>(hilly_storm({21, 13, 7}));
  check<double>(hilly_storm({47, 1, 7}));
}

TEST(StormGpu, water_has_the_bits_of_the_cpu)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  check<float>(raining(busy_storm({21, 13, 7})));
  check<float>(wet(busy_storm({47, 1, 12}), 3));
  check<double>(raining(hilly_storm({47, 1, 7}), weather::Scheme::condensation));
  check<float>(raining(hilly_storm({21, 13, 6}), weather::Scheme::klemp_wilhelmson));
  check<float>(raining(busy_storm({47, 1, 12}), weather::Scheme::ice));
}

TEST(StormGpu, open_sides_have_the_bits_of_the_cpu)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  check<float>(open_storm(busy_storm({21, 13, 7})));
  check<double>(open_storm(hilly_storm({21, 13, 6}), false));
  check<float>(open_storm(hilly_storm({47, 1, 7})));
  check<float>(raining(open_storm(hilly_storm({21, 13, 6}))));
}

TEST(StormGpu, mixing_has_the_bits_of_the_cpu)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  check<float>(mixed(busy_storm({21, 13, 7}), true));
  check<double>(mixed(hilly_storm({21, 13, 6}), false));
  check<float>(mixed(hilly_storm({47, 1, 7}), true));
  check<float>(energetic(hilly_storm({17, 13, 6})));
}

TEST(StormGpu, finds_trouble_where_the_cpu_does)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  weather::StormSetup setup = busy_storm({21, 13, 7});
  setup.courant_limit = 0.12;
  const auto cpu = model_of<float>(setup, {}, Cpu{1});
  const auto cuda = model_of<float>(setup, world(), device(), {0, 0, 1}, comm::Transport::staged);
  const auto a = cpu->check(), b = cuda->check();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->cell, b->cell);
  EXPECT_EQ(a->problem, b->problem);
  EXPECT_EQ(a->local, b->local);
}

TEST(StormGpu, states_move_between_devices)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  if (!has_hdf5()) GTEST_SKIP() << "no HDF5";
  const SharedFolder folder;
  const std::string path = folder / "state.h5";
  const weather::StormSetup setup = raining(busy_storm({21, 13, 6}));
  const auto cuda = model_of<float>(setup, world(), device(), {0, 0, 1}, comm::Transport::staged);
  const auto cpu = model_of<float>(setup, world(), Cpu{1});
  cuda->advance(1);
  io::StateWriter out(path, world(), cuda->decomposition());
  cuda->write_state(out);
  out.commit();
  io::StateReader in(path, world(), cpu->decomposition());
  cpu->read_state(in, 1);
  cpu->advance(1);
  cuda->advance(1);
  EXPECT_EQ(cpu->state_hash(), cuda->state_hash());
}

}  // namespace
}  // namespace helicity::test
