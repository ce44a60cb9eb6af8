// SPDX-License-Identifier: Apache-2.0
// Flow around a cylinder in a channel, driven by a force: channel STEPS. No nvcc is needed for
// GPUs.
#include <helicity/comm/session.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/exact_sum.hpp>
#include <helicity/fluid/lbm_model.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace hc = helicity::comm;
namespace hf = helicity::fluid;

void run(const hc::Session& session, int steps)
{
  hf::LbmSetup setup;
  setup.lattice = hf::LatticeKind::d2q9;
  setup.cells = {240, 80, 1};
  setup.viscosity = 0.02;
  setup.force = {2e-6, 0, 0};
  setup.ends[1] = {{{.wall = true}, {.wall = true}}};  // along j; i is periodic
  setup.solid = [](helicity::Index3 cell) {
    const auto x = cell.i - 60, y = cell.j - 42;
    return static_cast<std::uint8_t>(x * x + y * y < 100);
  };

  const hc::Communicator& world = session.world();
  const auto executor = session.executor({});  // a GPU if one answers
  const auto transport = hc::choose_transport(world, executor, hc::TransportRequest::automatic);
  const hc::Decomposition split(setup.cells, world.size(), decomposition_options(setup));
  const auto flow = hf::make_lbm<float>(setup, {}, world, split, executor, transport);

  for (int part = 0; part < 4; ++part) {
    flow->advance(steps / 4);
    const auto m = flow->macroscopic();  // of this rank's cells; zero in solids
    helicity::ExactSum sum;
    for (std::size_t n = 0; n < m.density.size(); ++n)
      sum.add(std::hypot(m.velocity[0][n], m.velocity[1][n]));
    const double mean = world.sum(sum).value() / static_cast<double>(volume(setup.cells));
    if (world.rank() == 0) std::printf("step %d mean speed %.9g\n", (part + 1) * (steps / 4), mean);
  }
}

int main(int argc, char** argv)
{
  const hc::Session session;
  try {
    run(session, argc > 1 ? std::atoi(argv[1]) : 4000);
  } catch (const helicity::Error& error) {
    std::fprintf(stderr, "channel: error: %s\n", error.what());
    session.abort(1);
  }
  return 0;
}
