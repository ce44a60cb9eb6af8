// SPDX-License-Identifier: Apache-2.0
// Rows of the storm model: "ROW ours peer ratio goal", medians of interleaved rounds.
//   storm_rows [--rounds=N] [--threads=N] [--peers=PREFIX] [--reference=FILE] [W1] [W2] [W3] [RATE]
// W1: density current, 512 x 64 cells, float, 300 s of 1 s steps; W2: supercell with Kessler's
// rain, 60 x 60 x 40 cells, float, 100 steps of 6 s; both against CM1 on the same grid with the
// same steps, million cell-steps a CPU second. W3: thermal bubble of miniWeather, 400 x 200 cells,
// double, to 400 s: CPU seconds, and the error of theta' against a run four times as fine, kept in
// FILE. RATE: 240 x 240 x 40 cells, float, dry, all ranks and threads: million cell-steps a second.
#include "storm_peers.hpp"

#include <helicity/comm/decomposition.hpp>
#include <helicity/comm/session.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/simd.hpp>
#include <helicity/core/timer.hpp>
#include <helicity/weather/storm_case.hpp>
#include <helicity/weather/storm_model.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace helicity;

struct Options
{
  int rounds = 3;
  int threads = 1;
  std::string peers, reference;
  std::vector<std::string> rows;
};

Options read_options(int argc, char** argv)
{
  Options options;
  for (int n = 1; n < argc; ++n) {
    const std::string_view all = argv[n];
    const std::string value(all.substr(std::min(all.find('='), all.size() - 1) + 1));
    if (all.starts_with("--rounds="))
      options.rounds = std::max(1, std::atoi(value.c_str()));
    else if (all.starts_with("--threads="))
      options.threads = std::atoi(value.c_str());
    else if (all.starts_with("--peers="))
      options.peers = value;
    else if (all.starts_with("--reference="))
      options.reference = value;
    else
      options.rows.emplace_back(all);
  }
  if (options.rows.empty()) options.rows = {"W1", "W2", "W3"};
  return options;
}

double median(std::vector<double> v)
{
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class T>
std::unique_ptr<weather::StormModel> make(const weather::StormSetup& setup,
                                          const comm::Session& session, const Executor& executor)
{
  const comm::Decomposition split(setup.cells, session.world().size(),
                                  decomposition_options(setup));
  return weather::make_storm<T>(setup, session.world(), split, executor, comm::Transport::host);
}

/// Our run of a row, from nothing to theta' at the end.
template <class T>
bench::PeerStorm run_ours(const weather::StormSetup& setup, std::int64_t steps,
                          const comm::Session& session, const Executor& executor)
{
  bench::PeerStorm storm;
  const double before = cpu_seconds();
  const auto model = make<T>(setup, session, executor);
  model->advance(steps);
  if (model->check()) throw RuntimeFault("our run blew up");
  storm.theta = model->values("theta_perturbation");
  storm.cpu_seconds = cpu_seconds() - before;
  return storm;
}

// --- W1, W2: the same grid and steps ------------------------------------------------------------

using Keys = std::vector<std::pair<std::string, std::string>>;

struct SameGrid
{
  const char* name;
  weather::StormSetup setup;
  std::int64_t steps;
  Keys keys;
};

SameGrid density_current()
{
  weather::StormCase c = weather::storm_case("density-current");
  c.cells = {512, 1, 64};
  c.step = 1;
  resolve(c);
  return {"W1", make_setup(c), 300, {{"dx", "100.0"},    {"dy", "100.0"},    {"dz", "100.0"},
                                     {"ztop", "6400.0"}, {"dtl", "1.0"},     {"imoist", "0"},
                                     {"cm1setup", "0"},  {"idiff", "1"},     {"mdiff", "0"},
                                     {"difforder", "2"}, {"kdiff2", "75.0"}, {"advwenos", "0"},
                                     {"apmasscon", "0"}, {"idiss", "0"},     {"irdamp", "0"},
                                     {"isnd", "1"},      {"iwnd", "0"},      {"iinit", "5"},
                                     {"iorigin", "1"},   {"imove", "0"},     {"wbc", "3"},
                                     {"ebc", "3"},       {"sbc", "1"},       {"nbc", "1"}}};
}

SameGrid supercell()
{
  weather::StormCase c = weather::storm_case("supercell");
  c.cells = {60, 60, 40};
  c.spacing = {1000, 1000, 500};
  c.centre = {30000, 30000, 1400};
  c.step = 6;
  resolve(c);
  return {"W2",
          make_setup(c),
          100,
          {{"dtl", "6.0"}, {"ptype", "1"}, {"cm1setup", "0"}, {"idiff", "0"}, {"irdamp", "1"}}};
}

void run_same_grid(const SameGrid& row, const comm::Session& session, const Executor& executor,
                   const Options& options)
{
  const bench::StormPeers peers(options.peers);
  const double updates =
      1e-6 * static_cast<double>(volume(row.setup.cells)) * static_cast<double>(row.steps);
  std::vector<double> ours, theirs;
  std::array<double, 2> lowest{};
  for (int r = 0; r < options.rounds; ++r) {
    const auto peer =
        peers.run_cm1(row.setup.cells, static_cast<double>(row.steps) * row.setup.step, row.keys);
    const auto mine = run_ours<float>(row.setup, row.steps, session, executor);
    theirs.push_back(updates / peer.cpu_seconds);
    ours.push_back(updates / mine.cpu_seconds);
    lowest = {*std::min_element(mine.theta.begin(), mine.theta.end()),
              *std::min_element(peer.theta.begin(), peer.theta.end())};
  }
  std::printf(
      "%-4s %8.2f %8.2f %6.2f  3.00   M cell-steps per CPU-s, peer CM1 r21.1, "
      "least theta' %.2f and %.2f K, %s\n",
      row.name, median(ours), median(theirs), median(ours) / median(theirs), lowest[0], lowest[1],
      std::string(chosen_isa().name).c_str());
}

// --- W3: the same time at no larger error -------------------------------------------------------

constexpr Index wide = 400, high = 200, finer = 4;
constexpr double bubble_end = 400;

/// Mean of the bubble's theta' over a cell, as miniWeather takes it: three Gauss points an axis.
double bubble(double x, double z, double cell)
{
  constexpr std::array<double, 3> place{-0.3872983346207417, 0, 0.3872983346207417};
  constexpr std::array<double, 3> weight{5. / 18, 8. / 18, 5. / 18};
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      const double r = std::hypot(x + place[a] * cell - 10000, z + place[b] * cell - 2000) / 2000;
      if (r < 1) sum += weight[a] * weight[b] * 1.5 * (1 + std::cos(std::numbers::pi * r));
    }
  return sum;
}

weather::StormSetup bubble_setup(Index refined, double step)
{
  weather::StormSetup s;
  const double cell = 50 / static_cast<double>(refined);
  s.cells = {wide * refined, 1, high * refined};
  s.spacing = {cell, cell, cell};
  s.step = step;
  s.short_steps = 2 * static_cast<int>(std::ceil(step * 347.2 / cell / 0.9 / 2));
  s.constants = {9.8, 287, 1004, 1e5};
  s.theta = [](double) { return 300.0; };
  s.initial = [cell](const weather::GridPoint& p) {
    weather::StormInitial start;
    start.theta = bubble(p.x, p.z, cell);
    start.isochoric = true;
    return start;
  };
  return s;
}

/// theta' of the fine run, averaged over the cells of the row: its left half, mirrored.
std::vector<double> fine_run(const comm::Session& session, const Executor& executor)
{
  weather::StormSetup setup = bubble_setup(finer, 0.25);
  setup.cells.i /= 2;
  setup.periodic[0] = false;
  const auto fine = run_ours<double>(setup, 1600, session, executor).theta;
  std::vector<double> theta(wide * high);
  for (Index k = 0; k < high * finer; ++k)
    for (Index i = 0; i < wide / 2 * finer; ++i) {
      const double part = fine[static_cast<std::size_t>(i + setup.cells.i * k)] / (finer * finer);
      const Index row = wide * (k / finer);
      theta[static_cast<std::size_t>(row + i / finer)] += part;
      theta[static_cast<std::size_t>(row + wide - 1 - i / finer)] += part;
    }
  return theta;
}

std::vector<double> reference(const comm::Session& session, const Executor& executor,
                              const std::string& file)
{
  std::vector<double> theta(wide * high);
  const auto bytes = static_cast<std::streamsize>(theta.size() * sizeof(double));
  std::ifstream in(file, std::ios::binary);
  if (in && in.read(reinterpret_cast<char*>(theta.data()), bytes)) return theta;
  theta = fine_run(session, executor);
  if (!file.empty())
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(theta.data()), bytes);
  return theta;
}

double rms_difference(const std::vector<double>& a, const std::vector<double>& b)
{
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += (a[n] - b[n]) * (a[n] - b[n]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

void run_bubble(const comm::Session& session, const Executor& executor, const Options& options)
{
  constexpr double step = 2;
  const bench::StormPeers peers(options.peers);
  const weather::StormSetup setup = bubble_setup(1, step);
  std::vector<double> ours, theirs;
  std::array<std::vector<double>, 2> theta;
  for (int r = 0; r < options.rounds; ++r) {
    const auto peer = peers.run_miniweather();
    const auto mine = run_ours<double>(setup, std::llround(bubble_end / step), session, executor);
    theirs.push_back(peer.cpu_seconds);
    ours.push_back(mine.cpu_seconds);
    theta = {mine.theta, peer.theta};
  }
  const std::vector<double> exact = reference(session, executor, options.reference);
  std::printf(
      "W3   %8.2f %8.2f %6.2f  3.00   CPU s to %g s, peer miniWeather, steps of %g s in %d, "
      "rms error of theta' %.2e and %.2e K, %s\n",
      median(ours), median(theirs), median(theirs) / median(ours), bubble_end, step,
      setup.short_steps, rms_difference(theta[0], exact), rms_difference(theta[1], exact),
      std::string(chosen_isa().name).c_str());
}

// --- RATE ---------------------------------------------------------------------------------------

void run_rate(const comm::Session& session, const Executor& executor, const Options& options)
{
  constexpr int steps = 4;
  weather::StormCase c = weather::storm_case("custom");
  c.cells = {240, 240, 40};
  c.spacing = {500, 500, 500};
  c.initial = "bubble";
  c.excess = 2;
  c.centre = {60000, 60000, 3000};
  c.radii = {10000, 10000, 2000};
  c.step = 3;
  c.short_steps = 6;
  resolve(c);
  const comm::Communicator& world = session.world();
  const weather::StormSetup setup = make_setup(c);
  const auto model = make<float>(setup, session, executor);
  model->advance(1);
  std::vector<double> rates;
  for (int r = 0; r < options.rounds; ++r) {
    world.barrier();
    const Timer timer;
    model->advance(steps);
    rates.push_back(1e-6 * static_cast<double>(volume(setup.cells)) * steps /
                    world.max(timer.seconds()));
  }
  const auto [messages, bytes] = model->traffic_per_step();
  if (world.rank() != 0) return;
  std::printf(
      "RATE %8.2f   M cell-steps a second, %d ranks x %d threads, %g messages and %.2f MB a "
      "step from a rank, %s\n",
      median(rates), world.size(), std::get<Cpu>(executor).threads, messages, bytes / 1e6,
      std::string(chosen_isa().name).c_str());
}

void run_row(const std::string& row, const comm::Session& session, const Executor& executor,
             const Options& options)
{
  if (row == "W1")
    run_same_grid(density_current(), session, executor, options);
  else if (row == "W2")
    run_same_grid(supercell(), session, executor, options);
  else if (row == "W3")
    run_bubble(session, executor, options);
  else if (row == "RATE")
    run_rate(session, executor, options);
  else
    throw UsageError("there is no row '" + row + "': W1, W2, W3, RATE");
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
  int code = 0;
  for (const std::string& row : options.rows) try
    {
      run_row(row, session, executor, options);
    } catch (const Error& e) {
      std::fprintf(stderr, "storm_rows: error: %s: %s\n", row.c_str(), e.what());
      code = dynamic_cast<const UsageError*>(&e) != nullptr ? 2 : 1;
    }
  return code;
}
