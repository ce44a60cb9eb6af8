// SPDX-License-Identifier: Apache-2.0
// Heat spreads in a box: a stencil of your own on Helicity's fields, halos, sums and restart files.
//     heat STEPS OUTPUT.h5 [RESTART.h5]        or        mpirun -n 3 heat STEPS OUTPUT.h5
#include <helicity/comm/halo.hpp>
#include <helicity/comm/session.hpp>
#include <helicity/core/error.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/grid/shell.hpp>
#include <helicity/io/state_file.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace hc = helicity::comm;
namespace hg = helicity::grid;
using helicity::Executor;
using helicity::Index;
using helicity::Index3;
using helicity::View3;

/// The temperature at one time, and the exchange that fills its halo.
struct Level
{
  hg::Field<double> theta;
  hc::HaloExchange halo;
};

/// One step: the heat equation, explicit, with `c` = diffusivity * dt / dx^2.
void step(const Executor& executor, Level& now, Level& next, const hg::Shell& cells, double c)
{
  const View3<const double> t = now.theta.view();
  const View3<double> out = next.theta.view();
  const auto stencil = [=] HELICITY_LAMBDA(Index i, Index j, Index k) {
    const double around = (t(i - 1, j, k) + t(i + 1, j, k)) + (t(i, j - 1, k) + t(i, j + 1, k)) +
                          (t(i, j, k - 1) + t(i, j, k + 1));
    out(i, j, k) = t(i, j, k) + c * (around - 6 * t(i, j, k));
  };
  auto flight = now.halo.start();  // halos travel while the inner cells are computed
  hg::for_cells(executor, cells.inner, stencil);
  flight.finish();
  for (const hg::Box& layer : cells.outer) hg::for_cells(executor, layer, stencil);
}

/// Zero, but for a hot ball off the middle.
void set_initial(const Executor& executor, hg::Field<double>& theta)
{
  const View3<double> t = theta.view();
  const Index3 offset = theta.shape().offset;
  hg::for_cells(executor, theta.owned(), [=] HELICITY_LAMBDA(Index i, Index j, Index k) {
    const Index x = offset.i + i - 20, y = offset.j + j - 16, z = offset.k + k - 10;
    t(i, j, k) = x * x + y * y + z * z < 64 ? 1 : 0;
  });
}

/// Total heat and a hash of all cells: the same on any number of ranks, threads, CPU and GPU.
void report(const hc::Communicator& world, const Executor& executor, const hg::Field<double>& theta,
            Index3 n, std::int64_t step)
{
  const View3<const double> t = theta.view();
  const Index3 offset = theta.shape().offset;
  const auto heat = world.sum(
      hg::sum_cells(executor, theta.owned(),
                    [=] HELICITY_LAMBDA(Index i, Index j, Index k) { return t(i, j, k); }));
  const auto hash = world.sum(hg::reduce_cells<hg::WrappingSum>(
      executor, theta.owned(), [=] HELICITY_LAMBDA(Index i, Index j, Index k) {
        const Index place = offset.i + i + n.i * (offset.j + j + n.j * (offset.k + k));
        return hg::hash_cell(hg::bits_of(t(i, j, k)), static_cast<std::uint64_t>(place));
      }));
  if (world.rank() == 0)
    std::printf("step %" PRId64 " heat %.17g hash %016" PRIx64 "\n", step, heat.value(), hash);
}

void run(const hc::Session& session, int steps, const char* output, const char* restart)
{
  const hc::Communicator& world = session.world();
  const Executor executor = session.executor({.device = hg::loop_device});
  const auto transport = hc::choose_transport(world, executor, hc::TransportRequest::automatic);
  const Index3 n{50, 40, 30};
  const hc::Decomposition split(n, world.size(), {.periodic = {true, true, false}});
  const hg::Box mine = split.box(world.rank());

  const auto make_level = [&] {  // fields start as zeros: so stay the halos beyond both ends of k
    Level level{{{.cells = mine.size(), .halo = {1, 1, 1}, .offset = mine.lo}, executor},
                {world, split, executor, transport}};
    level.halo.add(level.theta, {1, 1, 1});
    level.halo.commit();
    return level;
  };
  Level now = make_level(), next = make_level();

  std::int64_t first = 0;
  if (restart != nullptr) {
    helicity::io::StateReader in(restart, world, split);
    first = in.attribute<std::int64_t>("step");
    in.read("theta", now.theta);
  } else {
    set_initial(executor, now.theta);
  }

  const hg::Sides all{{{true, true}, {true, true}, {true, true}}};
  const hg::Shell cells = hg::peel(now.theta.owned(), all);
  for (int s = 0; s < steps; ++s) {
    step(executor, now, next, cells, 0.125);
    std::swap(now, next);
  }

  if (world.rank() == 0)
    std::printf("%s ranks on %s\n", split.describe().c_str(),
                now.theta.on_device() ? "GPUs" : "CPUs");
  report(world, executor, now.theta, n, first + steps);
  helicity::io::StateWriter out(output, world, split);
  out.attribute("step", first + steps);
  out.write("theta", now.theta);
  out.commit();
}

int main(int argc, char** argv)
{
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "usage: heat STEPS OUTPUT.h5 [RESTART.h5]\n");
    return 2;
  }
  const hc::Session session;  // MPI from here to the end, if a launcher started this process
  try {
    run(session, std::atoi(argv[1]), argv[2], argc > 3 ? argv[3] : nullptr);
  } catch (const helicity::Error& error) {
    std::fprintf(stderr, "heat: error: %s\n", error.what());
    session.abort(1);
  }
  return 0;
}
