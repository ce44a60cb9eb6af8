// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/error.hpp>
#include <helicity/fluid/detail/cavity_reference.hpp>
#include <helicity/fluid/detail/profile.hpp>
#include <helicity/fluid/lbm_case.hpp>
#include <helicity/fluid/lbm_model.hpp>
#include <helicity/fluid/lbm_validation.hpp>
#include <helicity/job/gather.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <string_view>
#include <utility>

namespace helicity::fluid {
namespace {

using detail::Profile;
using job::Gate;
using Velocity = std::array<std::vector<double>, 3>;

/// Where the runs of a validation happen, and what they found.
struct Lab
{
  const comm::Communicator& comm;
  const Executor& executor;
  comm::Transport transport;
  const LbmValidation& options;
  std::vector<Gate> gates;

  void tell(const std::string& what) const
  {
    if (options.progress) options.progress(what);
  }

  std::unique_ptr<LbmModel> model(LbmCase config) const
  {
    config.precision = "double";
    resolve(config);
    const comm::Decomposition decomposition({config.cells[0], config.cells[1], config.cells[2]},
                                            comm.size(), decomposition_options(config));
    return make_lbm<double>(make_setup(config), {}, comm, decomposition, executor, transport);
  }
};

/// Velocities of all cells on every rank, lattice units.
Velocity whole_velocity(LbmModel& model)
{
  const LbmModel::Macroscopic mine = model.macroscopic();
  Velocity all;
  for (std::size_t x = 0; x < 3; ++x)
    all[x] = job::whole_values(model.communicator(), model.decomposition(), mine.velocity[x]);
  return all;
}

// --- lid-driven cavity ------------------------------------------------------------------------

struct CavityLines
{
  Profile u, v;  ///< u on x = 1/2, v on y = 1/2, in lid speeds
};

CavityLines centre_lines(LbmModel& model, double lid)
{
  const Velocity w = whole_velocity(model);
  const Index n = model.decomposition().cells().i;
  const auto at = [&](std::size_t x, Index i, Index j) {
    return w[x][static_cast<std::size_t>(i + n * j)];
  };
  const Index a = (n - 1) / 2, b = n / 2;  // the middle lies between two cells, or in one
  CavityLines lines{{0, 1, {}}, {0, 0, {}}};
  for (Index m = 0; m < n; ++m) {
    lines.u.values.push_back((at(0, a, m) + at(0, b, m)) / 2 / lid);
    lines.v.values.push_back((at(1, m, a) + at(1, m, b)) / 2 / lid);
  }
  return lines;
}

double largest_change(const CavityLines& a, const CavityLines& b)
{
  double change = 0;
  for (std::size_t m = 0; m < a.u.values.size(); ++m)
    change = std::max({change, std::fabs(a.u.values[m] - b.u.values[m]),
                       std::fabs(a.v.values[m] - b.v.values[m])});
  return change;
}

/// Runs until the centre lines change by less than 1e-7 lid speeds in one length / speed, at most
/// 400 of these.
CavityLines steady_cavity(Lab& lab, std::int64_t n, double reynolds, double lattice_speed)
{
  lab.tell(fmt::format("cavity, Re {}, {} x {}", reynolds, n, n));
  LbmCase c = lbm_case("cavity");
  c.cells = {n, n, 1};
  c.reynolds = reynolds;
  c.lattice_speed = lattice_speed;
  const auto model = lab.model(c);
  const auto turn = std::llround(static_cast<double>(n) / lattice_speed);
  CavityLines lines = centre_lines(*model, lattice_speed);
  for (int turns = 1; turns <= 400; ++turns) {
    model->advance(turn);
    CavityLines next = centre_lines(*model, lattice_speed);
    const double change = largest_change(lines, next);
    lines = std::move(next);
    if (change < 1e-7 && turns > 5) break;
  }
  return lines;
}

double deviation(const Profile& profile, std::span<const detail::ProfilePoint> points,
                 std::size_t re)
{
  double worst = 0;
  for (const auto& p : points)
    worst = std::max(worst, std::fabs(profile.at(p.place) - p.velocity[re]));
  return worst;
}

void ghia_gates(Lab& lab, std::int64_t n, std::size_t re, double tolerance)
{
  constexpr double reynolds[] = {100, 400, 1000};
  const CavityLines lines = steady_cavity(lab, n, reynolds[re], 0.1);
  const std::string name = fmt::format("cavity Re {}, {} x {}", reynolds[re], n, n);
  lab.gates.push_back({name, "u on x = 1/2, largest deviation from Ghia et al.",
                       deviation(lines.u, detail::ghia_u, re), tolerance, 0, job::Test::at_most});
  lab.gates.push_back({name, "v on y = 1/2, largest deviation from Ghia et al.",
                       deviation(lines.v, detail::ghia_v, re), tolerance, 0, job::Test::at_most});
}

std::array<double, 3> extrema(const CavityLines& lines)
{
  return {lines.u.extremum(-1), lines.v.extremum(1), lines.v.extremum(-1)};
}

/// Extrema against converged ones, and the order between grids n/4, n/2, n from their errors.
void extremum_gates(Lab& lab, std::int64_t n, double reynolds, const detail::CavityExtrema& target,
                    double tolerance)
{
  const std::array<double, 3> want{target.u_min, target.v_max, target.v_min};
  constexpr std::string_view names[] = {"least u on x = 1/2", "greatest v on y = 1/2",
                                        "least v on y = 1/2"};
  std::array<std::array<double, 3>, 3> found;
  for (std::size_t g = 0; g < 3; ++g) {
    // Diffusive scaling: the Mach number falls with the cell.
    const std::int64_t cells = n >> (2 - g);
    const double speed = 0.05 * static_cast<double>(n) / static_cast<double>(cells);
    found[g] = extrema(steady_cavity(lab, cells, reynolds, std::min(speed, 0.2)));
  }
  const std::string name = fmt::format("cavity Re {}, {} x {}", reynolds, n, n);
  double order = 0;
  for (std::size_t x = 0; x < 3; ++x) {
    lab.gates.push_back({name, std::string(names[x]), found[2][x], want[x],
                         tolerance * std::fabs(want[x]), job::Test::within});
    order += std::log2(std::fabs((found[0][x] - want[x]) / (found[1][x] - want[x]))) / 3;
  }
  lab.gates.push_back({fmt::format("cavity Re {}, {} to {} cells", reynolds, n / 4, n / 2),
                       "order of convergence of the extrema", order, 1.8, 0, job::Test::at_least});
}

void cavity(Lab& lab)
{
  if (lab.options.quick) {
    ghia_gates(lab, 64, 0, 0.012);
    return;
  }
  ghia_gates(lab, 128, 0, 0.012);
  ghia_gates(lab, 128, 1, 0.012);
  ghia_gates(lab, 128, 2, 0.02);
  extremum_gates(lab, 256, 100, detail::converged_re100, 0.005);
  extremum_gates(lab, 256, 1000, detail::botella_peyret_re1000, 0.005);
}

// --- Taylor-Green vortices --------------------------------------------------------------------

/// Relative L2 error of the velocity, and the decay rate of the kinetic energy over 4 nu, after one
/// e-folding of the velocity.
std::pair<double, double> taylor_green_error(Lab& lab, const std::string& lattice, std::int64_t n)
{
  lab.tell(fmt::format("taylor-green, {}, {} x {}", lattice, n, n));
  LbmCase c = lbm_case("taylor-green");
  c.cells = {n, n, 1};
  c.lattice = lattice;
  c.lattice_speed = 0.02 * 32 / static_cast<double>(n);  // diffusive scaling: step ~ cell^2
  const auto model = lab.model(c);
  const double k = 2 * std::numbers::pi / static_cast<double>(n);
  const double nu = c.lattice_speed / k / c.reynolds;
  const auto steps = std::llround(1 / (2 * nu * k * k));
  model->advance(steps);
  const Velocity w = whole_velocity(*model);

  const double u = c.lattice_speed * std::exp(-2 * nu * k * k * static_cast<double>(steps));
  double error = 0, norm = 0, energy = 0;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = k * (static_cast<double>(i) + 0.5), y = k * (static_cast<double>(j) + 0.5);
      const auto at = static_cast<std::size_t>(i + n * j);
      const double ex = u * std::cos(x) * std::sin(y), ey = -u * std::sin(x) * std::cos(y);
      error += (w[0][at] - ex) * (w[0][at] - ex) + (w[1][at] - ey) * (w[1][at] - ey);
      norm += ex * ex + ey * ey;
      energy += w[0][at] * w[0][at] + w[1][at] * w[1][at];
    }
  const double start = 0.5 * c.lattice_speed * c.lattice_speed * static_cast<double>(n * n);
  const double rate = std::log(start / energy) / (4 * nu * k * k * static_cast<double>(steps));
  return {std::sqrt(error / norm), rate};
}

void taylor_green(Lab& lab)
{
  const std::int64_t finest = lab.options.quick ? 64 : 128;
  for (const char* lattice : {"d2q9", "d3q19"}) {
    const auto [coarse, coarse_rate] = taylor_green_error(lab, lattice, finest / 2);
    const auto [fine, rate] = taylor_green_error(lab, lattice, finest);
    const std::string name = fmt::format("taylor-green {}, {} x {}", lattice, finest, finest);
    lab.gates.push_back({name, "velocity, relative L2 error", fine, 2e-3, 0, job::Test::at_most});
    lab.gates.push_back({name, "decay of energy over 4 nu", rate, 1, 2e-3, job::Test::within});
    lab.gates.push_back(
        {fmt::format("taylor-green {}, {} to {} cells", lattice, finest / 2, finest),
         "order of convergence", std::log2(coarse / fine), 1.9, 0, job::Test::at_least});
  }
}

// --- channels ---------------------------------------------------------------------------------

/// Largest deviation of u(y) from an exact profile in [0, 1], relative to the reference speed.
template <class Exact>
double channel_error(LbmModel& model, double speed, Exact exact)
{
  const Velocity w = whole_velocity(model);
  const Index3 n = model.decomposition().cells();
  double worst = 0;
  for (Index j = 0; j < n.j; ++j)
    for (Index i = 0; i < n.i; ++i) {
      const double y = (static_cast<double>(j) + 0.5) / static_cast<double>(n.j);
      const double u = w[0][static_cast<std::size_t>(i + n.i * j)] / speed;
      worst = std::max(worst, std::fabs(u - exact(y)));
    }
  return worst;
}

/// A channel of n cells run to its steady state: 40 diffusion times of its half width.
std::unique_ptr<LbmModel> steady_channel(Lab& lab, LbmCase c, double rate_time)
{
  lab.tell(fmt::format("{}, {}, tau {}", c.name, c.collision, rate_time));
  const auto n = static_cast<double>(c.cells[1]);
  const double nu = (rate_time - 0.5) / 3;
  c.reynolds = c.lattice_speed * n / nu;
  auto model = lab.model(c);
  model->advance(std::llround(4 * n * n / nu));
  return model;
}

LbmCase channel_case(const char* name, const char* lattice, const char* collision)
{
  LbmCase c = lbm_case(name);
  c.cells = {4, 16, 1};
  c.lattice = lattice;
  c.collision = collision;
  c.lattice_speed = 0.01;
  return c;
}

void poiseuille(Lab& lab)
{
  const auto parabola = [](double y) { return 4 * y * (1 - y); };
  for (const char* lattice : {"d2q9", "d3q19"})
    for (const double tau : {0.6, 0.8, 1.5}) {
      const auto model = steady_channel(lab, channel_case("poiseuille", lattice, "trt"), tau);
      lab.gates.push_back({fmt::format("poiseuille {}, trt, tau {}", lattice, tau),
                           "u, largest relative error", channel_error(*model, 0.01, parabola),
                           1e-12, 0, job::Test::at_most});
    }
  // One relaxation time slips at the wall, by an amount that grows with viscosity.
  const auto model = steady_channel(lab, channel_case("poiseuille", "d2q9", "srt"), 1.5);
  lab.gates.push_back({"poiseuille d2q9, srt, tau 1.5", "slip that trt does not have",
                       channel_error(*model, 0.01, parabola), 1e-3, 0, job::Test::at_least});
}

void couette(Lab& lab)
{
  for (const char* lattice : {"d2q9", "d3q19"}) {
    const auto model = steady_channel(lab, channel_case("couette", lattice, "trt"), 0.8);
    lab.gates.push_back(
        {fmt::format("couette {}, trt, tau 0.8", lattice), "u, largest relative error",
         channel_error(*model, 0.01, [](double y) { return y; }), 1e-12, 0, job::Test::at_most});
  }
}

/// Plates at rest, fluid set going by a force: the transient series, at a time when the centre has
/// two fifths of its final speed.
void start_up(Lab& lab)
{
  const std::int64_t n = lab.options.quick ? 32 : 64;
  LbmCase c = channel_case("poiseuille", "d2q9", "trt");
  c.cells = {4, n, 1};
  const double height = static_cast<double>(n), nu = 0.1;
  c.reynolds = c.lattice_speed * height / nu;
  lab.tell("poiseuille, start-up");
  const auto model = lab.model(c);
  const auto steps = std::llround(0.05 * height * height / nu);
  model->advance(steps);
  const double t = static_cast<double>(steps) * nu / (height * height);
  const auto series = [t](double y) {
    double u = 0;
    for (int m = 1; m < 200; m += 2) {
      const double a = m * std::numbers::pi;
      u += 32 / (a * a * a) * std::sin(a * y) * (1 - std::exp(-a * a * t));
    }
    return u;
  };
  lab.gates.push_back({fmt::format("poiseuille d2q9, start-up, {} cells", n),
                       "u at nu t / H^2 = 0.05, largest error", channel_error(*model, 0.01, series),
                       1e-3, 0, job::Test::at_most});
}

struct Part
{
  std::string_view name;
  void (*run)(Lab&);
};

constexpr Part parts[] = {{"couette", couette},
                          {"poiseuille", poiseuille},
                          {"poiseuille", start_up},
                          {"taylor-green", taylor_green},
                          {"cavity", cavity}};

}  // namespace

std::vector<Gate> validate_lbm(const comm::Communicator& comm, const Executor& executor,
                               comm::Transport transport, const LbmValidation& options)
{
  Lab lab{comm, executor, transport, options, {}};
  job::run_parts(parts, options.cases, [&](const Part& part) { part.run(lab); });
  return lab.gates;
}

}  // namespace helicity::fluid
