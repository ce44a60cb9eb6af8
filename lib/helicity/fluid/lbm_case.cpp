// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/fluid/lbm_case.hpp>
#include <helicity/io/state_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace helicity::fluid {
namespace {

constexpr std::string_view axis_names[] = {"x", "y", "z"};

/// Axis that `length` is measured along: across the channel or the cavity; x where nothing is.
std::size_t reference_axis(const LbmCase& c) { return c.ends[1] == "wall" ? 1 : 0; }

double reference_length(const LbmCase& c)
{
  // The Taylor-Green box is 2 pi lengths long, its vortices one.
  return c.initial == "taylor-green" ? 2 * std::numbers::pi * c.length : c.length;
}

std::size_t axis_of(std::string_view name)
{
  return static_cast<std::size_t>(std::find(std::begin(axis_names), std::end(axis_names), name) -
                                  std::begin(axis_names));
}

void check_speeds(const LbmCase& c)
{
  const auto check = [&](const std::array<double, 3>& u, const std::string& key) {
    const double speed = std::hypot(u[0], u[1], u[2]) * c.step / c.spacing;
    if (speed > c.speed_limit)
      throw UsageError(fmt::format(
          "{}: {:.3g} cells a step is above health.speed_limit {:.3g}: shorten the step", key,
          speed, c.speed_limit));
  };
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t side = 0; side < 2; ++side)
      check(c.wall_velocity[a][side],
            fmt::format("boundary.{}_{}_velocity", axis_names[a], side == 0 ? "low" : "high"));
  check(c.initial_velocity, "initial.velocity");
}

/// Lattice units of a velocity.
Vector3 to_lattice(const LbmCase& c, const std::array<double, 3>& u)
{
  const double s = c.step / c.spacing;
  return {u[0] * s, u[1] * s, u[2] * s};
}

bool inside(const LbmSolid& solid, const std::array<double, 3>& x)
{
  if (solid.shape == "box") {
    for (std::size_t a = 0; a < 3; ++a)
      if (x[a] < solid.low[a] || x[a] > solid.high[a]) return false;
    return true;
  }
  double d2 = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (solid.shape != "cylinder" || a != axis_of(solid.axis))
      d2 += (x[a] - solid.centre[a]) * (x[a] - solid.centre[a]);
  return d2 <= solid.radius * solid.radius;
}

std::uint8_t solid_of(const std::vector<LbmSolid>& solids, const std::array<double, 3>& x)
{
  for (std::size_t n = 0; n < solids.size(); ++n)
    if (inside(solids[n], x)) return static_cast<std::uint8_t>(n + 1);
  return 0;
}

/// Bodies first, then the mask: its non-zero cells are at rest, as solid 255.
std::function<std::uint8_t(Index3)> solid_function(const LbmCase& c)
{
  if (c.solids.size() > 254) throw UsageError("there may be at most 254 [[solid]] tables");
  if (c.solids.empty() && c.mask_file.empty()) return nullptr;
  const Index3 n{c.cells[0], c.cells[1], c.cells[2]};
  std::shared_ptr<const std::vector<std::uint8_t>> mask;
  if (!c.mask_file.empty()) {
    mask = std::make_shared<const std::vector<std::uint8_t>>(io::read_mask(
        c.mask_file, c.mask_dataset, comm::Communicator(), comm::Decomposition(n, 1)));
  }
  return [solids = c.solids, dx = c.spacing, mask, n](Index3 cell) -> std::uint8_t {
    const std::array<double, 3> x{(static_cast<double>(cell.i) + 0.5) * dx,
                                  (static_cast<double>(cell.j) + 0.5) * dx,
                                  (static_cast<double>(cell.k) + 0.5) * dx};
    if (const std::uint8_t id = solid_of(solids, x)) return id;
    if (mask && (*mask)[static_cast<std::size_t>(cell.i + n.i * (cell.j + n.j * cell.k))] != 0)
      return 255;
    return 0;
  };
}

/// 2-D Taylor-Green vortices, with the pressure and strain rate of the exact solution.
LbmInitial taylor_green(Index3 cell, double kx, double ky, double u)
{
  const double x = kx * (static_cast<double>(cell.i) + 0.5),
               y = ky * (static_cast<double>(cell.j) + 0.5);
  LbmInitial s;
  s.velocity = {u * std::cos(x) * std::sin(y), -u * std::sin(x) * std::cos(y), 0};
  s.density = -0.75 * u * u * (std::cos(2 * x) + std::cos(2 * y));
  s.strain[0] = -u * kx * std::sin(x) * std::sin(y);
  s.strain[1] = u * ky * std::sin(x) * std::sin(y);
  return s;
}

std::function<LbmInitial(Index3)> initial_function(const LbmCase& c)
{
  if (c.initial == "taylor-green") {
    const double k = 2 * std::numbers::pi / static_cast<double>(c.cells[0]);
    const double u = c.speed * c.step / c.spacing;
    return [=](Index3 cell) { return taylor_green(cell, k, k, u); };
  }
  if (c.initial == "uniform")
    return [u = to_lattice(c, c.initial_velocity)](Index3) {
      LbmInitial s;
      s.velocity = u;
      return s;
    };
  return nullptr;
}

}  // namespace

void resolve(LbmCase& c)
{
  constexpr double most_cells = 281474976710656.0;  // 2^48: indices of populations fit 64 bits
  const double cells = static_cast<double>(c.cells[0]) * static_cast<double>(c.cells[1]) *
                       static_cast<double>(c.cells[2]);
  if (cells > most_cells)
    throw UsageError(
        fmt::format("grid.cells: {} x {} x {} cells are more than the {:.0f} that can be",
                    c.cells[0], c.cells[1], c.cells[2], most_cells));
  const std::size_t axis = reference_axis(c);
  if (c.spacing == 0) c.spacing = reference_length(c) / static_cast<double>(c.cells[axis]);
  if (c.viscosity == 0) c.viscosity = c.speed * c.length / c.reynolds;
  if (c.step == 0) c.step = c.lattice_speed * c.spacing / c.speed;
  if (c.lattice == "auto") c.lattice = c.cells[2] == 1 ? "d2q9" : "d3q19";
  if (c.output_name.empty()) c.output_name = c.name;
  if (c.initial == "taylor-green" && c.cells[0] != c.cells[1])
    throw UsageError("initial.kind = \"taylor-green\" wants as many cells along x as along y");
  if (c.name == "poiseuille" && c.acceleration == std::array<double, 3>{})
    c.acceleration[0] = 8 * c.viscosity * c.speed / (c.length * c.length);
  resolve(c, c.step);
  check_speeds(c);
}

LbmSetup make_setup(const LbmCase& c)
{
  LbmSetup s;
  s.lattice = c.lattice == "d2q9" ? LatticeKind::d2q9 : LatticeKind::d3q19;
  s.cells = {c.cells[0], c.cells[1], c.cells[2]};
  s.viscosity = c.viscosity * c.step / (c.spacing * c.spacing);
  s.magic = c.magic;
  s.single_rate = c.collision == "srt";
  s.speed_limit = c.speed_limit;
  for (std::size_t a = 0; a < 3; ++a) {
    s.force[a] = c.acceleration[a] * c.step * c.step / c.spacing;
    for (std::size_t side = 0; side < 2; ++side)
      s.ends[a][side] = {c.ends[a] == "wall", to_lattice(c, c.wall_velocity[a][side])};
  }
  s.solid = solid_function(c);
  for (const LbmSolid& solid : c.solids) s.solid_velocity.push_back(to_lattice(c, solid.velocity));
  s.initial = initial_function(c);
  return s;
}

LbmUnits make_units(const LbmCase& c)
{
  return {.dx = c.spacing, .dt = c.step, .density = c.density, .si = true};
}

comm::DecompositionOptions decomposition_options(const LbmCase& c)
{
  comm::DecompositionOptions options;
  options.ranks = {c.ranks[0], c.ranks[1], c.ranks[2]};
  for (std::size_t a = 0; a < 3; ++a) options.periodic[a] = c.ends[a] != "wall";
  return options;
}

job::RunPlan make_plan(const LbmCase& c, const std::string& toml)
{
  job::RunPlan plan = plan_of(c, "lattice Boltzmann flow: " + c.name, toml, physics_digest(c));
  if (c.image_variable != "speed" && c.image_variable != "density")
    plan.output.image.map = io::ColourMap::balance;
  plan.output.snapshot.coordinates.spacing = {c.spacing, c.spacing, c.spacing};
  return plan;
}

}  // namespace helicity::fluid
