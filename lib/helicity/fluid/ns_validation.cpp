// SPDX-License-Identifier: Apache-2.0
#include <helicity/fluid/detail/cavity_reference.hpp>
#include <helicity/fluid/detail/profile.hpp>
#include <helicity/fluid/ns_case.hpp>
#include <helicity/fluid/ns_validation.hpp>
#include <helicity/job/gather.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string_view>
#include <utility>

namespace helicity::fluid {
namespace {

using detail::Profile;
using job::Gate;

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

/// Where the runs of a validation happen, and what they found.
struct Lab
{
  const comm::Communicator& comm;
  const Executor& executor;
  comm::Transport transport;
  const NsValidation& options;
  std::vector<Gate> gates;
  double divergence = 0;  ///< largest seen, in reference speeds per cell

  std::unique_ptr<NsModel> model(NsCase& config) const
  {
    config.precision = "double";
    resolve(config);
    if (options.progress)
      options.progress(fmt::format("{}, {} x {} x {}", config.name, config.cells[0],
                                   config.cells[1], config.cells[2]));
    const Index3 cells{config.cells[0], config.cells[1], config.cells[2]};
    const bool shared = cells.k >= 2 * comm.size();  // else every rank does all of it
    const comm::Communicator group = shared ? comm : comm::Communicator();
    const comm::Decomposition split(cells, group.size(), decomposition_options(config));
    return make_ns<double>(make_setup(config), group, split, executor, transport);
  }

  std::vector<double> whole(NsModel& m, const std::string& variable) const
  {
    return job::whole_values(m.communicator(), m.decomposition(), m.values(variable));
  }

  NsTotals totals(NsModel& m, double per_divergence)
  {
    const NsTotals t = m.totals();
    divergence = std::max(divergence, t.divergence * per_divergence);
    return t;
  }

  void add(std::string name, std::string quantity, double value, double target, double tolerance)
  {
    gates.push_back(
        {std::move(name), std::move(quantity), value, target, tolerance, job::Test::within});
  }
  void at_least(std::string name, std::string quantity, double value, double target)
  {
    gates.push_back({std::move(name), std::move(quantity), value, target, 0, job::Test::at_least});
  }
  void at_most(std::string name, std::string quantity, double value, double target)
  {
    gates.push_back({std::move(name), std::move(quantity), value, target, 0, job::Test::at_most});
  }
};

// --- channels -----------------------------------------------------------------------------------

/// Largest error of u(z) in a channel of height 1 at time `end`.
template <class Exact>
double channel_error(Lab& lab, NsCase c, std::int64_t n, double stretching, Exact exact)
{
  c.cells = {4, 1, n};
  c.stretching = stretching;
  c.courant = 1.5;
  const auto model = lab.model(c);
  model->advance(c.steps);
  const std::vector<double> u = lab.whole(*model, "u");
  double worst = 0;
  for (Index k = 0; k < n; ++k)
    worst = std::max(worst, std::fabs(u[at(4 * k)] - exact(model->centres()[at(k)])));
  return worst;
}

void couette(Lab& lab)
{
  NsCase c;
  c.name = "couette";
  c.ends = {"periodic", "periodic", "wall"};
  c.wall_velocity[2][1] = {1, 0, 0};
  c.reynolds = 1;
  c.end = 4;
  for (const double stretching : {0., 1.5})
    lab.at_most(fmt::format("couette, 16 cells, stretching {}", stretching), "u, largest error",
                channel_error(lab, c, 16, stretching, [](double z) { return z; }), 1e-12);
}

void poiseuille(Lab& lab)
{
  const auto parabola = [](double z) { return 4 * z * (1 - z); };
  for (const double stretching : {0., 1.5}) {
    NsCase c = ns_case("poiseuille");
    c.end = 20;
    const double coarse = channel_error(lab, c, 16, stretching, parabola);
    const double fine = channel_error(lab, c, 32, stretching, parabola);
    const std::string name = fmt::format("poiseuille, 16 to 32 cells, stretching {}", stretching);
    lab.at_least(name, "order of convergence", std::log2(coarse / fine), 1.9);
    lab.at_most(name, "u, largest error", fine, 3e-3);
  }
}

// --- Taylor-Green vortices ----------------------------------------------------------------------

struct Decay
{
  double error, rate;
};

/// Relative error of u and the decay of energy over 4 nu, in a plane whose axes are i and `other`.
Decay taylor_green_decay(Lab& lab, std::int64_t n)
{
  NsCase c = ns_case("taylor-green-2d");
  c.cells = {n, n, 1};
  c.reynolds = 10;
  c.end = 2;
  c.courant = 0.5;
  const auto model = lab.model(c);
  const double start = lab.totals(*model, 0).energy;
  model->advance(c.steps);
  const double time = static_cast<double>(c.steps) * c.step,
               h = c.length[0] / static_cast<double>(n);
  const double end = lab.totals(*model, h).energy;
  const std::vector<double> u = lab.whole(*model, "u");
  double error = 0, norm = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const double exact = std::exp(-2 * c.viscosity * time) *
                           std::cos(static_cast<double>(i) * h) *
                           std::sin((static_cast<double>(j) + 0.5) * h);
      const double off = u[at(i + n * j)] - exact;
      error += off * off;
      norm += exact * exact;
    }
  return {std::sqrt(error / norm), std::log(start / end) / (4 * c.viscosity * time)};
}

void taylor_green_2d(Lab& lab)
{
  const std::int64_t n = lab.options.quick ? 64 : 128;
  const Decay coarse = taylor_green_decay(lab, n / 2), fine = taylor_green_decay(lab, n);
  const std::string name = fmt::format("taylor-green-2d, {} x {}", n, n);
  lab.at_least(fmt::format("taylor-green-2d, {} to {} cells", n / 2, n), "order of convergence",
               std::log2(coarse.error / fine.error), 1.95);
  lab.at_most(name, "u, relative L2 error", fine.error, 2e-3);
  lab.add(name, "decay of energy over 4 nu", fine.rate, 1, 1e-3);
}

/// Second order: the peak of -dE/dt comes and goes near that of spectral runs.
void taylor_green_3d(Lab& lab)
{
  if (lab.options.quick) return;
  NsCase c = ns_case("taylor-green-3d");
  const std::int64_t n = 128;
  c.cells = {n, n, n};
  c.courant = 1.4;
  const auto model = lab.model(c);
  double before = lab.totals(*model, 0).energy, peak = 0, time_of_peak = 0;
  const std::int64_t every = std::llround(0.1 / c.step);
  const double interval = static_cast<double>(every) * c.step;
  for (std::int64_t done = 0; done + every <= c.steps; done += every) {
    model->advance(every);
    const double energy = lab.totals(*model, c.length[0] / static_cast<double>(n)).energy;
    const double rate = (before - energy) / interval;
    if (rate > peak) {
      peak = rate;
      time_of_peak = model->clock().time() - interval / 2;
    }
    before = energy;
  }
  const std::string name = fmt::format("taylor-green-3d, {}^3, second order", n);
  lab.add(name, "time of the peak of -dE/dt", time_of_peak, 8.97, 0.5);
  lab.add(name, "peak of -dE/dt", peak, 0.012857528, 0.15 * 0.012857528);
}

// --- shear layers -------------------------------------------------------------------------------

void shear_layer(Lab& lab)
{
  NsCase c = ns_case("shear-layer");
  const std::int64_t n = lab.options.quick ? 128 : 256;
  c.cells = {n, n, 1};
  const auto model = lab.model(c);
  double before = lab.totals(*model, 0).energy, rise = 0;
  for (int part = 0; part < 10; ++part) {
    model->advance((part + 1) * c.steps / 10 - part * c.steps / 10);
    const double energy = lab.totals(*model, 1. / static_cast<double>(n)).energy;
    rise = std::max(rise, energy - before);
    before = energy;
  }
  const std::string name = fmt::format("shear-layer, {} x {}, thin", n, n);
  lab.at_most(name, "largest rise of energy in a tenth", rise, 0);
  const NsTotals end = model->totals();
  lab.add(name, "mean of u", end.velocity[0], 0, 1e-12);
}

// --- cavities -----------------------------------------------------------------------------------

struct CavityLines
{
  Profile u, v;  ///< u on x = 1/2, v on y = 1/2
};

/// Of n x n cells, n even: faces lie on the middle.
CavityLines centre_lines(Lab& lab, NsModel& model, Index n)
{
  const std::vector<double> u = lab.whole(model, "u"), v = lab.whole(model, "v");
  CavityLines lines{{0, 1, {}}, {0, 0, {}}};
  for (Index m = 0; m < n; ++m) {
    lines.u.values.push_back(u[at(n / 2 + n * m)]);
    lines.v.values.push_back(v[at(m + n * (n / 2))]);
  }
  return lines;
}

/// Runs until the centre lines change by less than 1e-7 in a turn, at most 400 turns.
CavityLines steady_cavity(Lab& lab, std::int64_t n, double reynolds)
{
  NsCase c = ns_case("cavity");
  c.cells = {n, n, 1};
  c.reynolds = reynolds;
  c.courant = 1.6;
  const auto model = lab.model(c);
  const auto turn = std::llround(1 / c.step);
  CavityLines lines = centre_lines(lab, *model, n);
  for (int turns = 1; turns <= 400; ++turns) {
    model->advance(turn);
    CavityLines next = centre_lines(lab, *model, n);
    double change = 0;
    for (Index m = 0; m < n; ++m)
      change = std::max({change, std::fabs(next.u.values[at(m)] - lines.u.values[at(m)]),
                         std::fabs(next.v.values[at(m)] - lines.v.values[at(m)])});
    lines = std::move(next);
    if (change < 1e-7 && turns > 5) break;
  }
  lab.totals(*model, 1. / static_cast<double>(n));
  return lines;
}

/// Extrema against converged ones on n x n cells, and the order from the grids before.
void cavity_gates(Lab& lab, std::vector<std::int64_t> grids, double reynolds,
                  const detail::CavityExtrema& target, double tolerance)
{
  const std::array<double, 3> want{target.u_min, target.v_max, target.v_min};
  constexpr std::string_view names[] = {"least u on x = 1/2", "greatest v on y = 1/2",
                                        "least v on y = 1/2"};
  std::vector<std::array<double, 3>> found;
  for (const std::int64_t n : grids) {
    const CavityLines lines = steady_cavity(lab, n, reynolds);
    found.push_back({lines.u.extremum(-1), lines.v.extremum(1), lines.v.extremum(-1)});
  }
  const std::string name =
      fmt::format("cavity Re {}, {} x {}", reynolds, grids.back(), grids.back());
  double order = 0;
  for (std::size_t x = 0; x < 3; ++x) {
    lab.add(name, std::string(names[x]), found.back()[x], want[x], tolerance * std::fabs(want[x]));
    order += std::log2(std::fabs((found[0][x] - want[x]) / (found[1][x] - want[x]))) / 3;
  }
  lab.at_least(fmt::format("cavity Re {}, {} to {} cells", reynolds, grids[0], grids[1]),
               "order of convergence of the extrema", order, 1.8);
}

void cavity(Lab& lab)
{
  if (lab.options.quick) return cavity_gates(lab, {32, 64}, 100, detail::converged_re100, 0.006);
  cavity_gates(lab, {64, 128}, 100, detail::converged_re100, 0.005);
  cavity_gates(lab, {64, 128, 256}, 1000, detail::botella_peyret_re1000, 0.005);
}

struct Convection
{
  double nusselt, u_max, w_max;
};

Convection heated_cavity_at(Lab& lab, double rayleigh, std::int64_t n)
{
  NsCase c = ns_case("heated-cavity");
  c.cells = {n, 1, n};
  c.lift = {0, 0, 0.71 * rayleigh};
  c.speed = 0.3 * std::sqrt(0.71 * rayleigh);
  c.end = 0.4;
  const auto model = lab.model(c);
  model->advance(c.steps);
  const std::vector<double> u = lab.whole(*model, "u"), w = lab.whole(*model, "w"),
                            b = lab.whole(*model, "scalar");
  Convection found{};
  Profile up{0, 0, {}}, across{0, 0, {}};
  for (Index k = 0; k < n; ++k) {
    across.values.push_back(u[at(n / 2 + n * k)]);
    found.nusselt += (0.5 - b[at(n * k)]) * 2;  // slope at the warm wall, cells of 1/n, 1/n of it
  }
  for (Index i = 0; i < n; ++i) up.values.push_back(w[at(i + n * (n / 2))]);
  found.u_max = across.extremum(1);
  found.w_max = up.extremum(1);
  return found;
}

void heated_cavity(Lab& lab)
{
  struct Target
  {
    double rayleigh, nusselt, u_max, w_max;
    std::int64_t cells;
  };
  const std::vector<Target> all{{1e3, 1.118, 3.649, 3.697, 32},
                                {1e4, 2.243, 16.178, 19.617, 64},
                                {1e5, 4.519, 34.73, 68.59, 128}};
  for (const Target& t : all) {
    if (lab.options.quick && t.rayleigh > 1e3) break;
    const Convection found = heated_cavity_at(lab, t.rayleigh, t.cells);
    const std::string name = fmt::format("heated-cavity Ra {:.0e}, {}^2", t.rayleigh, t.cells);
    lab.add(name, "mean Nusselt number", found.nusselt, t.nusselt, 0.01 * t.nusselt);
    lab.add(name, "greatest u on x = 1/2", found.u_max, t.u_max, 0.01 * t.u_max);
    lab.add(name, "greatest w on z = 1/2", found.w_max, t.w_max, 0.01 * t.w_max);
  }
}

struct Part
{
  std::string_view name;
  void (*run)(Lab&);
};

constexpr Part parts[] = {{"couette", couette},
                          {"poiseuille", poiseuille},
                          {"taylor-green-2d", taylor_green_2d},
                          {"taylor-green-3d", taylor_green_3d},
                          {"shear-layer", shear_layer},
                          {"cavity", cavity},
                          {"heated-cavity", heated_cavity}};

}  // namespace

std::vector<Gate> validate_ns(const comm::Communicator& comm, const Executor& executor,
                              comm::Transport transport, const NsValidation& options)
{
  Lab lab{comm, executor, transport, options, {}};
  job::run_parts(parts, options.cases, [&](const Part& part) { part.run(lab); });
  lab.at_most("all of these", "largest divergence, speeds per cell", lab.divergence, 1e-12);
  return lab.gates;
}

}  // namespace helicity::fluid
