// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/gather.hpp>
#include <helicity/weather/storm_case.hpp>
#include <helicity/weather/storm_model.hpp>
#include <helicity/weather/storm_validation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <numbers>
#include <string_view>
#include <utility>

namespace helicity::weather {
namespace {

using job::Gate;
using job::Test;

/// A storm at its end, on the whole grid of every rank; faces of w and u, centres of theta.
struct Result
{
  Index3 cells;
  double dx = 0, dz = 0;
  std::vector<double> theta, u, w;
  std::vector<double> theta_e;  ///< wet equivalent potential temperature of moist air, K
  StormTotals before, after;
  bool wraps = true;  ///< periodic along x

  double at(const std::vector<double>& v, Index i, Index k) const
  {
    return v[static_cast<std::size_t>(i + cells.i * cells.j * k)];
  }
};

double lowest(const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }
double highest(const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }

/// Where the runs of a validation happen, and what they found.
struct Lab
{
  const comm::Communicator& comm;
  const Executor& executor;
  comm::Transport transport;
  const StormValidation& options;
  std::vector<Gate> gates;

  Result run(StormCase config) const;

  void within(const std::string& name, std::string what, double value, double target,
              double tolerance)
  {
    gates.push_back({name, std::move(what), value, target, tolerance, Test::within});
  }

  void at_most(const std::string& name, std::string what, double value, double most)
  {
    gates.push_back({name, std::move(what), value, most, 0, Test::at_most});
  }
};

/// A variable of all cells on every rank.
std::vector<double> whole(StormModel& model, const std::string& variable)
{
  return job::whole_values(model.communicator(), model.decomposition(), model.values(variable));
}

/// theta_e of all cells. @pre a flat storm of vapour and cloud
std::vector<double> equivalent_theta(StormModel& model, const StormCase& c)
{
  const auto theta = whole(model, "theta_perturbation"), p = whole(model, "pressure_perturbation"),
             steam = whole(model, "vapour"), drops = whole(model, "cloud_water");
  const StormSetup s = make_setup(c);
  const MoistAir<double> air = moist_air<double>(c.air, c.water_air);
  const Column& column = model.column();
  const std::size_t level = theta.size() / column.theta.size();
  std::vector<double> values;
  for (std::size_t n = 0; n < theta.size(); ++n) {
    const std::size_t k = n / level;
    const double z = (static_cast<double>(k) + 0.5) * c.spacing[2], q = s.vapour(z);
    const double share = 1 - q - s.cloud(z) + q / air.ratio;
    const double pressure = column.pressure[k] + p[n], dry = 1 - steam[n] - drops[n];
    const double temperature = (column.theta[k] / share + theta[n]) * exner(pressure, c.air);
    values.push_back(equivalent_temperature(air, temperature, pressure, steam[n] / dry,
                                            (steam[n] + drops[n]) / dry, c.air.reference_pressure));
  }
  return values;
}

Result Lab::run(StormCase config) const
{
  if (options.progress)
    options.progress(fmt::format("{}, {} x {} x {} cells", config.name, config.cells[0],
                                 config.cells[1], config.cells[2]));
  config.precision = "double";
  resolve(config);
  const Index3 cells{config.cells[0], config.cells[1], config.cells[2]};
  const comm::Decomposition split(cells, comm.size(), decomposition_options(config));
  const auto model = make_storm<double>(make_setup(config), comm, split, executor, transport);
  Result r{cells, config.spacing[0], config.spacing[2], {}, {}, {}, {}, model->totals(), {}};
  model->advance(config.steps);
  if (const auto trouble = model->check())
    throw RuntimeFault(
        fmt::format("{} blew up: {} {}", config.name, trouble->variable, trouble->problem));
  r.after = model->totals();
  r.wraps = config.ends[0] == "periodic";
  r.theta = whole(*model, "theta_perturbation");
  r.u = whole(*model, "u");
  r.w = whole(*model, "w");
  if (config.water == "condensation") r.theta_e = equivalent_theta(*model, config);
  return r;
}

/// A named case with cells of another size in the same domain.
StormCase refined(std::string_view name, double spacing)
{
  StormCase c = storm_case(name);
  for (const std::size_t a : {0u, 2u}) {
    c.cells[a] = std::llround(static_cast<double>(c.cells[a]) * c.spacing[a] / spacing);
    c.spacing[a] = spacing;
  }
  c.spacing[1] = spacing;
  return c;
}

// --- rest -------------------------------------------------------------------------------------

void rest(Lab& lab)
{
  StormCase c = storm_case("custom");
  c.cells = {48, 40, 20};
  c.spacing = {1000, 1000, 500};
  c.column = "isothermal";
  c.diffusivity = 75;
  c.layer_base = 6000;
  c.layer_rate = 0.01;
  c.end = 600;
  const Result r = lab.run(c);
  lab.at_most("rest, isothermal", "largest |w|, m/s", std::max(highest(r.w), -lowest(r.w)), 0);
}

void rest_over_hills(Lab& lab)
{
  StormCase c = storm_case("schar");
  c.cells[0] = 200;
  c.hill_centre = {50000, 0};
  c.wind_velocity = {0, 0};
  c.steps = 0;
  c.end = 200;
  const Result r = lab.run(c);
  lab.at_most("rest over the hills of schar", "largest |w|, m/s",
              std::max(highest(r.w), -lowest(r.w)), 0);
}

// --- density current --------------------------------------------------------------------------

/// Farthest place where theta' crosses -1 K in the lowest cells.
double front(const Result& r)
{
  double x = 0;
  for (Index i = 0; i + 1 < r.cells.i; ++i) {
    const double a = r.at(r.theta, i, 0), b = r.at(r.theta, i + 1, 0);
    if (a <= -1 && b > -1) x = (static_cast<double>(i) + 0.5 + (-1 - a) / (b - a)) * r.dx;
  }
  return x;
}

void mass_gates(Lab& lab, const std::string& name, const Result& r)
{
  lab.at_most(name, "relative change of mass", std::fabs(r.after.mass / r.before.mass - 1), 1e-14);
  lab.at_most(name, "relative change of rho theta", std::fabs(r.after.theta / r.before.theta - 1),
              1e-14);
}

void density_current_gates(Lab& lab, double spacing)
{
  const Result r = lab.run(refined("density-current", spacing));
  const std::string name = fmt::format("density-current, {:g} m", spacing);
  if (spacing >= 100) {
    lab.within(name, "front, m", front(r), 15700, 200);
    lab.within(name, "least theta', K", lowest(r.theta), -9.85, 0.65);
  } else {
    lab.within(name, "front, m", front(r), 15540, 100);
    lab.within(name, "least theta', K", lowest(r.theta), -9.8, 0.3);
  }
  lab.at_most(name, "greatest theta', K", highest(r.theta), 0.15);
  lab.within(name, "greatest u, m/s", highest(r.u), 36.46, 1.6);
  lab.within(name, "least w, m/s", lowest(r.w), -15.95, 0.4);
  mass_gates(lab, name, r);
}

void density_current(Lab& lab)
{
  density_current_gates(lab, 100);
  if (lab.options.quick) return;
  density_current_gates(lab, 50);
  density_current_gates(lab, 25);
}

// --- dry bubble -------------------------------------------------------------------------------

/// Largest difference between theta' and its mirror image.
double asymmetry(const Result& r)
{
  double worst = 0;
  for (Index k = 0; k < r.cells.k; ++k)
    for (Index i = 0; i < r.cells.i; ++i)
      worst = std::max(worst, std::fabs(r.at(r.theta, i, k) - r.at(r.theta, r.cells.i - 1 - i, k)));
  return worst;
}

void bubble_dry(Lab& lab)
{
  const Result r = lab.run(refined("bubble-dry", 100));
  const std::string name = "bubble-dry, 100 m";
  lab.within(name, "greatest w, m/s", highest(r.w), 14.5, 0.4);
  lab.within(name, "least w, m/s", lowest(r.w), -8.58, 0.25);
  lab.within(name, "greatest theta', K", highest(r.theta), 2.07, 0.1);
  lab.within(name, "least theta', K", lowest(r.theta), -0.144, 0.03);
  lab.at_most(name, "difference from its mirror image, K", asymmetry(r), 0);
  lab.at_most(name, "change of energy over kinetic energy",
              std::fabs(r.after.energy - r.before.energy) / r.after.kinetic, 0.05);
  mass_gates(lab, name, r);
}

// --- moist bubble -----------------------------------------------------------------------------

void bubble_moist(Lab& lab)
{
  const StormCase c = refined("bubble-moist", 100);
  const Result r = lab.run(c);
  const std::string name = "bubble-moist, 100 m";
  const double dry = r.before.mass - r.before.water, now = r.after.mass - r.after.water;
  lab.within(name, "greatest w, m/s", highest(r.w), 15.71, 0.5);
  lab.within(name, "least w, m/s", lowest(r.w), -9.93, 0.5);
  lab.within(name, "greatest theta_e', K", highest(r.theta_e) - c.equivalent_theta, 4.1, 0.3);
  lab.within(name, "least theta_e', K", lowest(r.theta_e) - c.equivalent_theta, -0.31, 0.15);
  lab.at_most(name, "difference from its mirror image, K", asymmetry(r), 0);
  lab.at_most(name, "relative change of dry mass", std::fabs(now / dry - 1), 1e-14);
  lab.at_most(name, "relative change of water", std::fabs(r.after.water / r.before.water - 1),
              1e-14);
  lab.at_most(name, "change of energy over kinetic energy",
              std::fabs(r.after.energy - r.before.energy) / r.after.kinetic, 0.05);
}

// --- gravity wave -----------------------------------------------------------------------------

/// theta' at mid height, between the levels next to it.
std::vector<double> mid_height(const Result& r)
{
  std::vector<double> line;
  const Index k = r.cells.k / 2;
  for (Index i = 0; i < r.cells.i; ++i)
    line.push_back((r.at(r.theta, i, k - 1) + r.at(r.theta, i, k)) / 2);
  return line;
}

void gravity_wave_gates(Lab& lab, double spacing)
{
  const Result r = lab.run(refined("gravity-wave", spacing));
  const std::string name = fmt::format("gravity-wave, {:g} m", spacing);
  const std::vector<double> line = mid_height(r);
  lab.within(name, "greatest theta', mK", 1e3 * highest(r.theta), 2.808, 0.08);
  lab.within(name, "least theta', mK", 1e3 * lowest(r.theta), -1.526, 0.05);
  lab.within(name, "greatest theta' at 5 km, mK", 1e3 * highest(line), 2.73, 0.09);
  lab.within(name, "least theta' at 5 km, mK", 1e3 * lowest(line), -1.43, 0.09);
  lab.within(name, "greatest w, mm/s", 1e3 * highest(r.w), 2.65, 0.1);
  lab.within(name, "least w, mm/s", 1e3 * lowest(r.w), -2.40, 0.1);
  lab.within(name, "greatest u - 20 m/s, mm/s", 1e3 * (highest(r.u) - 20), 11, 0.6);
  mass_gates(lab, name, r);
}

void gravity_wave(Lab& lab)
{
  gravity_wave_gates(lab, 500);
  if (!lab.options.quick) gravity_wave_gates(lab, 250);
}

// --- mountain waves ---------------------------------------------------------------------------

/// Vertical flux of momentum rho u'w through a level near height z, N per metre of ridge.
double momentum_flux(const Result& r, const Column& column, double z)
{
  const auto k = static_cast<Index>(z / r.dz);
  double mean = 0, flux = 0;
  for (Index i = 0; i < r.cells.i; ++i) mean += r.at(r.u, i, k) / static_cast<double>(r.cells.i);
  for (Index i = 0; i < r.cells.i; ++i) {
    const Index next = i + 1 < r.cells.i ? i + 1 : r.wraps ? 0 : i;
    const double u = (r.at(r.u, i, k) + r.at(r.u, next, k)) / 2 - mean;
    flux += u * (r.at(r.w, i, k) + r.at(r.w, i, k + 1)) / 2;
  }
  return flux * r.dx * column.rho[static_cast<std::size_t>(k)];
}

Column column_of(const StormCase& c)
{
  const StormSetup s = make_setup(c);
  return hydrostatic_column(s.theta, s.cells.k, s.spacing[2], s.surface_pressure, s.constants);
}

/// A tenth of the published height, so that linear theory holds; drag goes with its square.
void schar(Lab& lab)
{
  if (lab.options.quick) return;
  StormCase c = storm_case("schar");
  c.hill_height /= 10;
  c.end = 18000;
  const Result r = lab.run(c);
  const Column column = column_of(c);
  const std::string name = "schar, a tenth as high";
  for (const double z : {3000., 5000., 8000.})
    lab.within(name, fmt::format("100 times momentum flux at {:g} km, N/m", z / 1000),
               100 * momentum_flux(r, column, z), -1818.7, 91);
  const auto level = [&](double z) {  // faces of w, scaled by the square root of density
    const Index k = std::llround(z / r.dz), n = r.cells.i;
    const auto* first = &r.w[static_cast<std::size_t>(n * k)];
    const auto [low, high] = std::minmax_element(first, first + n);
    const double s = std::sqrt(column.rho[static_cast<std::size_t>(k)] / column.rho[0]);
    return std::pair(10 * s * *low, 10 * s * *high);
  };
  const auto [low, high] = level(4200);
  lab.within(name, "greatest w at 4.2 km, reduced, m/s", high, 0.314, 0.05);
  lab.within(name, "least w at 4.2 km, reduced, m/s", low, -0.126, 0.05);
}

void hydrostatic_gates(Lab& lab, const StormCase& c, const std::string& name,
                       std::initializer_list<double> heights)
{
  const Result r = lab.run(c);
  const Column column = column_of(c);
  const double frequency = c.air.gravity / std::sqrt(c.air.heat * c.temperature);
  const double rho = c.surface_pressure / (c.air.gas * c.temperature);
  const double drag = 3.14159265358979 / 4 * rho * frequency * c.wind_velocity[0];
  for (const double z : heights)
    lab.within(name, fmt::format("momentum flux at {:g} km, N/m", z / 1000),
               momentum_flux(r, column, z), -drag, 0.05 * drag);
}

/// In its box, and between open sides in half of it.
void mountain_hydrostatic(Lab& lab)
{
  if (lab.options.quick) return;
  StormCase c = storm_case("mountain-hydrostatic");
  hydrostatic_gates(lab, c, "mountain-hydrostatic", {4000, 8000, 12000});
  c.ends[0] = "open";
  c.cells[0] /= 2;
  c.hill_centre[0] /= 2;
  hydrostatic_gates(lab, c, "mountain-hydrostatic, open", {4000, 8000, 10000});
}

/// Linear drag of a ridge h / (1 + x^2 / a^2) in air of constant frequency and wind, N per metre:
/// pi rho U times the integral of k sqrt(N^2 - k^2 U^2) (h a e^(-k a))^2 up to k = N / U, by
/// Simpson's rule in the angle arcsin(k U / N).
double ridge_drag(const StormCase& c, double rho)
{
  constexpr int steps = 1000;
  const double wind = c.wind_velocity[0], n = c.frequency, a = c.hill_width, h = c.hill_height;
  const double half_pi = std::numbers::pi / 2;
  double sum = 0;
  for (int m = 0; m <= steps; ++m) {
    const double angle = half_pi * m / steps, s = std::sin(angle), q = std::cos(angle);
    const double weight = m == 0 || m == steps ? 1 : m % 2 == 1 ? 4 : 2;
    sum += weight * s * q * q * std::exp(-2 * a * n / wind * s);
  }
  const double integral = sum * half_pi / steps / 3;
  return std::numbers::pi * rho * n * n * n / wind * h * h * a * a * integral;
}

/// The flux wavers from level to level while slow waves leave: its mean is held to the drag.
void mountain_nonhydrostatic(Lab& lab)
{
  if (lab.options.quick) return;
  const StormCase c = storm_case("mountain-nonhydrostatic");
  const Result r = lab.run(c);
  const Column column = column_of(c);
  const double surface = c.theta * exner(c.surface_pressure, c.air);
  const double drag = ridge_drag(c, c.surface_pressure / (c.air.gas * surface));
  double sum = 0;
  for (int km = 2; km <= 12; ++km) sum += momentum_flux(r, column, 1000. * km);
  lab.within("mountain-nonhydrostatic", "mean momentum flux from 2 to 12 km, N/m", sum / 11, -drag,
             0.05 * drag);
}

// --- thunderstorms ------------------------------------------------------------------------------

/// Updrafts at a level: local maxima of w above `least`, each the greatest within `apart` cells.
std::vector<Index3> updrafts(const std::vector<double>& w, Index3 n, Index k, double least,
                             Index apart)
{
  const auto at = [&](Index i, Index j) {
    return w[static_cast<std::size_t>(i + n.i * (j + n.j * k))];
  };
  std::vector<Index3> found;
  for (Index j = apart; j + apart < n.j; ++j)
    for (Index i = apart; i + apart < n.i; ++i) {
      bool greatest = at(i, j) > least;
      for (Index b = j - apart; greatest && b <= j + apart; ++b)
        for (Index a = i - apart; greatest && a <= i + apart; ++a)
          greatest = at(a, b) < at(i, j) || (a == i && b == j);
      if (greatest) found.push_back({i, j, k});
    }
  return found;
}

/// The storm of Weisman & Klemp (1982) in the wind of a quarter circle: first peak, and the split.
void supercell(Lab& lab)
{
  if (lab.options.quick) return;
  StormCase c = storm_case("supercell");
  resolve(c);
  if (lab.options.progress) lab.options.progress("supercell, 120 x 120 x 40 cells, 70 min");
  const Index3 n{c.cells[0], c.cells[1], c.cells[2]};
  const comm::Decomposition split(n, lab.comm.size(), decomposition_options(c));
  const auto model = make_storm<float>(make_setup(c), lab.comm, split, lab.executor, lab.transport);
  const auto per_minute = static_cast<std::int64_t>(std::llround(60 / c.step));
  double first_peak = 0;
  for (int minute = 1; minute <= 70; ++minute) {
    model->advance(per_minute);
    if (minute < 20 || minute > 35) continue;
    const std::vector<double> w = model->values("w");
    first_peak = std::max(first_peak, lab.comm.max(*std::max_element(w.begin(), w.end())));
  }
  const std::string name = "supercell, 1 km";
  lab.within(name, "greatest w from 20 to 35 min, m/s", first_peak, 37.5, 7.5);
  const Index level = 10;  // 5 km
  const std::vector<Index3> found = updrafts(whole(*model, "w"), n, level, 12, 4);
  double apart = 0;
  for (const Index3 a : found)
    for (const Index3 b : found)
      apart = std::max(apart, std::hypot(static_cast<double>(a.i - b.i) * c.spacing[0],
                                         static_cast<double>(a.j - b.j) * c.spacing[1]));
  lab.within(name, "distance of the storms at 5 km after 70 min, km", apart / 1000, 25, 15);
}

struct Part
{
  std::string_view name;
  void (*run)(Lab&);
};

constexpr Part parts[] = {{"rest", rest},
                          {"rest", rest_over_hills},
                          {"density-current", density_current},
                          {"bubble-dry", bubble_dry},
                          {"bubble-moist", bubble_moist},
                          {"gravity-wave", gravity_wave},
                          {"mountain-hydrostatic", mountain_hydrostatic},
                          {"mountain-nonhydrostatic", mountain_nonhydrostatic},
                          {"schar", schar},
                          {"supercell", supercell}};

}  // namespace

std::vector<Gate> validate_storm(const comm::Communicator& comm, const Executor& executor,
                                 comm::Transport transport, const StormValidation& options)
{
  Lab lab{comm, executor, transport, options, {}};
  job::run_parts(parts, options.cases, [&](const Part& part) { part.run(lab); });
  return lab.gates;
}

}  // namespace helicity::weather
