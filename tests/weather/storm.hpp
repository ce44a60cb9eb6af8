// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <comm/mpi_main.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/weather/storm_model.hpp>
#include <support/temporary.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace helicity::test {

/// A storm with everything: wind, an uneven start, diffusion, Coriolis force, a Rayleigh layer;
/// symmetry planes along x, periodic along y.
inline weather::StormSetup busy_storm(Index3 cells)
{
  weather::StormSetup s;
  s.cells = cells;
  s.spacing = {200, 250, 150};
  s.step = 1.5;
  s.theta = [](double z) { return 300 * std::exp(1e-4 * z / 9.81); };
  s.wind = [](double z) { return std::pair(6 + 0.002 * z, -3.0); };
  s.initial = [](const weather::GridPoint& p) {
    const auto i = static_cast<double>(p.twice.i) / 2, j = static_cast<double>(p.twice.j) / 2,
               k = static_cast<double>(p.twice.k) / 2;
    weather::StormInitial v;
    v.theta = 2 * std::sin(0.9 * i + 0.3 * j * k);
    v.velocity = {3 * std::sin(0.7 * i + k), 2 * std::cos(1.1 * j), std::sin(i * j)};
    return v;
  };
  s.periodic = {false, true};
  s.diffusivity = 60;
  s.coriolis = 1e-3;
  s.damping_base = 0.6 * static_cast<double>(cells.k) * s.spacing[2];
  s.damping_rate = 0.02;
  return s;
}

/// The same over two hills, without diffusion.
inline weather::StormSetup hilly_storm(Index3 cells)
{
  weather::StormSetup s = busy_storm(cells);
  s.diffusivity = 0;
  const double x0 = 0.4 * static_cast<double>(cells.i) * s.spacing[0],
               y0 = 0.3 * static_cast<double>(cells.j) * s.spacing[1];
  const bool slab = cells.j == 1;
  s.terrain = [=](double x, double y) {
    const double a = (x - x0) / 700, b = slab ? 0 : (y - y0) / 800, c = (x - 1.7 * x0) / 500;
    return 180 / (1 + a * a + b * b) + 90 / (1 + c * c);
  };
  return s;
}

/// With water that is carried and no more: much vapour, a few drops with sharp edges.
inline weather::StormSetup wet(weather::StormSetup s, int species = 2)
{
  s.species = species;
  s.vapour = [](double z) { return 0.012 * std::exp(-z / 900); };
  s.cloud = [](double z) { return z > 300 && z < 600 ? 0.002 : 0; };
  s.initial = [f = s.initial](const weather::GridPoint& p) {
    weather::StormInitial v = f(p);
    const auto i = static_cast<double>(p.twice.i), j = static_cast<double>(p.twice.j),
               k = static_cast<double>(p.twice.k);
    v.vapour = 0.003 * std::sin(0.4 * i + 0.7 * j) * std::cos(k);
    v.cloud = std::sin(i * (1 + j) + k) > 0.3 ? 0.001 : -1;  // less than nothing: none
    return v;
  };
  return s;
}

/// With clouds and rain that come and go.
inline weather::StormSetup raining(weather::StormSetup s,
                                   weather::Scheme scheme = weather::Scheme::kessler)
{
  s = wet(s, species_of(scheme));
  s.scheme = scheme;
  s.vapour = [](double z) { return 0.02 * std::exp(-z / 2000); };
  s.weno = scheme == weather::Scheme::klemp_wilhelmson;
  return s;
}

/// The same with open ends: all, or the low one along x and the high one along y.
inline weather::StormSetup open_storm(weather::StormSetup s, bool all = true)
{
  s.periodic = {false, s.cells.j == 1};
  s.open[0] = {true, all};
  if (s.cells.j > 1) s.open[1] = {all, true};
  if (s.cells.j > 1) s.beta = 1e-7;
  return s;
}

/// A storm, flat or hilly, with eddies and ground that drags and warms; over flat ground with
/// lowering and heating too.
inline weather::StormSetup mixed(weather::StormSetup s, bool separate)
{
  s.diffusivity = 0;
  s.mixing.closure = weather::Closure::smagorinsky;
  s.mixing.separate = separate;
  s.surface.drag = separate ? 2e-3 : 0;
  s.surface.friction = separate ? 0 : 0.3;
  s.surface.exchange = 1e-3;
  s.surface.theta = 306;
  if (s.terrain) return s;
  s.forcing.lowering = [](double z) { return -1e-5 * z; };
  s.forcing.heating = [](double z) { return 2e-5 - 1e-8 * z; };
  return s;
}

/// The same with subgrid energy.
inline weather::StormSetup energetic(weather::StormSetup s)
{
  s = mixed(s, true);
  s.mixing.closure = weather::Closure::energy;
  s.mixing.energy_start = 0.2;
  return s;
}

/// A folder of all ranks, removed when all have left.
class SharedFolder
{
 public:
  SharedFolder()
  {
    if (world().rank() == 0) folder_.emplace();
    path_ = world().broadcast(folder_ ? folder_->path().string() : std::string());
  }
  ~SharedFolder() { world().barrier(); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::optional<TemporaryFolder> folder_;
  std::string path_;
};

/// The storm on all ranks of a group, arranged as asked (0: chosen).
template <class T>
std::unique_ptr<weather::StormModel> model_of(const weather::StormSetup& setup,
                                              const comm::Communicator& group,
                                              const Executor& executor, Index3 ranks = {0, 0, 1},
                                              comm::Transport transport = comm::Transport::host)
{
  comm::DecompositionOptions options = weather::decomposition_options(setup);
  options.ranks = ranks;
  return weather::make_storm<T>(setup, group, {setup.cells, group.size(), options}, executor,
                                transport);
}

}  // namespace helicity::test
