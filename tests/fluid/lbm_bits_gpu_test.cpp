// SPDX-License-Identifier: Apache-2.0
// CUDA gives the bits of the CPU, on any number of ranks.
#include "flow.hpp"

#include <helicity/comm/transport.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/version.hpp>
#include <helicity/io/state_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace helicity::test {
namespace {

using fluid::LatticeKind;

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
void check(const fluid::LbmSetup& setup)
{
  const auto cpu = model_of<T>(setup, {}, Cpu{1});
  const Executor executor = device();
  const auto cuda =
      model_of<T>(setup, world(), executor, {0, 0, 0},
                  comm::choose_transport(world(), executor, comm::TransportRequest::automatic));
  EXPECT_EQ(cuda->state_hash(), cpu->state_hash());
  for (const int steps : {1, 1, 4, 3}) {
    cpu->advance(steps);
    cuda->advance(steps);
    EXPECT_EQ(cuda->state_hash(), cpu->state_hash());
  }
  EXPECT_FALSE(cuda->check().has_value());
}

TEST(LbmGpu, has_the_bits_of_the_cpu)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  check<float>(busy_flow(LatticeKind::d3q19, {37, 13, 11}));
  check<double>(busy_flow(LatticeKind::d3q19, {19, 13, 11}));
  check<float>(busy_flow(LatticeKind::d2q9, {133, 23, 1}));
  check<double>(busy_flow(LatticeKind::d2q9, {41, 23, 1}));
}

TEST(LbmGpu, without_bodies_and_force_too)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  fluid::LbmSetup setup = busy_flow(LatticeKind::d3q19, {33, 12, 10});
  setup.solid = nullptr;
  setup.force = {};
  check<float>(setup);
  setup.ends = {};
  check<float>(setup);
}

TEST(LbmGpu, finds_trouble_where_the_cpu_does)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  fluid::LbmSetup setup = busy_flow(LatticeKind::d3q19, {19, 13, 11});
  setup.viscosity = 1e-6;
  setup.speed_limit = 0.2;
  setup.ends[1][1].velocity = {0.6, 0, 0};
  const auto cpu = model_of<float>(setup, {}, Cpu{1});
  const auto cuda = model_of<float>(setup, world(), device(), {0, 0, 0}, comm::Transport::staged);
  cpu->advance(5);
  cuda->advance(5);
  const auto a = cpu->check(), b = cuda->check();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->cell, b->cell);
  EXPECT_EQ(a->problem, b->problem);
  EXPECT_EQ(a->local, b->local);
}

TEST(LbmGpu, states_move_between_devices)
{
  if (no_device()) GTEST_SKIP() << "no CUDA device";
  if (!has_hdf5()) GTEST_SKIP() << "no HDF5";
  const SharedFolder folder;
  const std::string path = folder / "state.h5";
  const fluid::LbmSetup setup = busy_flow(LatticeKind::d3q19, {19, 13, 11});
  const auto cuda = model_of<float>(setup, world(), device(), {0, 0, 0}, comm::Transport::staged);
  const auto cpu = model_of<float>(setup, world(), Cpu{1});
  cuda->advance(3);
  io::StateWriter out(path, world(), cuda->decomposition());
  cuda->write_state(out);
  out.commit();
  io::StateReader in(path, world(), cpu->decomposition());
  cpu->read_state(in, 3);
  cpu->advance(4);
  cuda->advance(4);
  EXPECT_EQ(cpu->state_hash(), cuda->state_hash());
}

}  // namespace
}  // namespace helicity::test
