// SPDX-License-Identifier: Apache-2.0
// Rows of the lattice Boltzmann solver: "ROW ours limit ratio goal", medians of interleaved rounds.
//   lbm_rows [--rounds=N] [--cells=N] [L1] [L1d]    on one rank (two threads) or several
// L1: D3Q19 float, N^3 cells, body of water at rest in a periodic box; L1d: double. The limit is
// the STREAM triad of the same run over the least traffic of an update: all populations read and
// written once, and a byte (153 and 305 bytes).
#include <helicity/comm/session.hpp>
#include <helicity/core/simd.hpp>
#include <helicity/core/timer.hpp>
#include <helicity/fluid/lbm_model.hpp>
#include <helicity/job/driver.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace helicity;

struct Options
{
  int rounds = 7;
  Index cells = 256;
  int threads = 0;
  std::vector<std::string> rows;
};

Options read_options(int argc, char** argv)
{
  Options options;
  for (int n = 1; n < argc; ++n) {
    const std::string_view text = argv[n];
    const auto number = [&] { return std::atoi(argv[n] + text.find('=') + 1); };
    if (text.starts_with("--rounds="))
      options.rounds = number();
    else if (text.starts_with("--cells="))
      options.cells = number();
    else if (text.starts_with("--threads="))
      options.threads = number();
    else
      options.rows.emplace_back(text);
  }
  if (options.rows.empty()) options.rows = {"L1", "L1d"};
  return options;
}

double median(std::vector<double> v)
{
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

template <class T>
std::unique_ptr<fluid::LbmModel> make(const comm::Session& session, const Executor& executor,
                                      Index n)
{
  fluid::LbmSetup setup;
  setup.cells = {n, n, n};
  setup.viscosity = 0.01;
  const comm::Decomposition split(setup.cells, session.world().size(),
                                  decomposition_options(setup));
  return fluid::make_lbm<T>(setup, {}, session.world(), split, executor, comm::Transport::host);
}

/// Million updates a second of all ranks.
double measure(fluid::LbmModel& model, const comm::Communicator& world, Index n)
{
  constexpr int steps = 10;
  world.barrier();
  const Timer timer;
  model.advance(steps);
  const double seconds = world.max(timer.seconds());
  return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) * steps /
         seconds / 1e6;
}

template <class T>
void run_row(const comm::Session& session, const Executor& executor, const Options& options,
             const char* name)
{
  const comm::Communicator& world = session.world();
  const auto model = make<T>(session, executor, options.cells);
  model->advance(4);
  std::vector<double> ours, limits;
  for (int r = 0; r < options.rounds; ++r) {
    limits.push_back(world.size() * job::measure_bandwidth(world, executor) / (38 * sizeof(T) + 1) /
                     1e6);
    ours.push_back(measure(*model, world, options.cells));
  }
  if (world.rank() != 0) return;
  std::printf("%-4s %8.1f %8.1f %6.2f  0.60   MLUPS, %d ranks x %d threads, %s, triad %.1f GB/s\n",
              name, median(ours), median(limits), median(ours) / median(limits), world.size(),
              std::get<Cpu>(executor).threads, std::string(chosen_isa().name).c_str(),
              median(limits) * (38 * sizeof(T) + 1) / 1e3);
}

}  // namespace

int main(int argc, char** argv)
{
  const comm::Session session(argc, argv);
  limit_isa_from_environment();
  const Options options = read_options(argc, argv);
  Exec exec;
  exec.device = Device::cpu;
  exec.threads = options.threads;
  const Executor executor = session.executor(exec);
  for (const std::string& row : options.rows) {
    if (row == "L1") run_row<float>(session, executor, options, "L1");
    if (row == "L1d") run_row<double>(session, executor, options, "L1d");
  }
}
