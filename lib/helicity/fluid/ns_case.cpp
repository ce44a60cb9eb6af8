// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/fluid/ns_case.hpp>
#include <helicity/job/planned.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace helicity::fluid {
namespace {

using Vector = std::array<double, 3>;

/// Thinnest cell along an axis.
double thinnest(const NsCase& c, std::size_t axis)
{
  if (axis < 2 || c.stretching == 0) return c.length[axis] / static_cast<double>(c.cells[axis]);
  const auto faces = stretched_faces(c.cells[2], c.length[2], c.stretching);
  return faces[1] - faces[0];
}

/// Longest steps for the reference speed along all axes, and for diffusion: Runge-Kutta 3 is stable
/// for |lambda| dt up to 1.73 along the imaginary axis, 2.51 along the real one.
std::vector<std::pair<std::string, double>> limits(const NsCase& c)
{
  double across = 0, squares = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (c.cells[a] == 1) continue;
    const double h = thinnest(c, a);
    across += a == 2 && c.stretching > 0 ? 0 : c.speed / h;
    squares += 4 / (h * h);
  }
  std::vector<std::pair<std::string, double>> found;
  if (across > 0) found.emplace_back("advection at flow.speed", c.courant_limit / across);
  const double spread = std::max(c.viscosity, c.scalar == "none" ? 0 : c.diffusivity);
  if (spread > 0) found.emplace_back("diffusion", 2.51 / (spread * squares));
  return found;
}

void resolve_step(NsCase& c)
{
  if (c.step > 0) return;
  const auto found = limits(c);
  if (found.empty()) throw UsageError("time.step: nothing says how long a step may be; give it");
  c.step = 1e300;
  for (const auto& [what, longest] : found) {
    const bool flow = what.starts_with("advection");
    c.step = std::min(c.step, flow ? longest * c.courant / c.courant_limit : 0.8 * longest);
  }
}

std::optional<double> scalar_end(const std::string& text, const std::string& key)
{
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError(fmt::format("{}: expected a number or nothing, found \"{}\"", key, text));
  return value;
}

Vector shear_layer(const NsCase& c, double x, double y)
{
  const double s = x / c.length[0], t = y / c.length[1];
  const double u = std::tanh(c.thickness * (t <= 0.5 ? t - 0.25 : 0.75 - t));
  return {c.speed * u, c.speed * c.disturbance * std::sin(2 * std::numbers::pi * s), 0};
}

/// Parabola of mean 1 and rolls along x that grow into turbulence, all of waves of the box.
Vector channel(const NsCase& c, double x, double y, double z)
{
  constexpr double two_pi = 2 * std::numbers::pi;
  const double mean = c.bulk_velocity != 0 ? c.bulk_velocity : c.speed;
  const double t = z / c.length[2], a = c.disturbance * mean, wall = std::sin(two_pi * t / 2);
  const double ax = two_pi * x / c.length[0], ay = two_pi * y / c.length[1];
  const double u = 6 * mean * t * (1 - t) + a * wall * std::cos(4 * ay) * std::sin(2 * ax + ay);
  const double v = a * wall * (std::sin(3 * ax) * std::cos(2 * ay) - std::cos(two_pi * t));
  const double w = a * wall * wall * std::sin(4 * ay + ax);
  return {u, v, w};
}

std::function<Vector(double, double, double)> velocity_of(const NsCase& c)
{
  const Vector wave{2 * std::numbers::pi / c.length[0], 2 * std::numbers::pi / c.length[1],
                    2 * std::numbers::pi / c.length[2]};
  if (c.initial == "taylor-green-2d")
    return [c, wave](double x, double y, double) -> Vector {
      const double a = wave[0] * x, b = wave[1] * y;
      return {c.speed * std::cos(a) * std::sin(b),
              -c.speed * wave[0] / wave[1] * std::sin(a) * std::cos(b), 0};
    };
  if (c.initial == "taylor-green-3d")
    return [c, wave](double x, double y, double z) -> Vector {
      const double a = wave[0] * x, b = wave[1] * y, d = std::cos(wave[2] * z);
      return {c.speed * std::sin(a) * std::cos(b) * d,
              -c.speed * wave[0] / wave[1] * std::cos(a) * std::sin(b) * d, 0};
    };
  if (c.initial == "shear-layer")
    return [c](double x, double y, double) { return shear_layer(c, x, y); };
  if (c.initial == "channel")
    return [c](double x, double y, double z) { return channel(c, x, y, z); };
  return nullptr;
}

}  // namespace

void resolve(NsCase& c)
{
  constexpr double most_cells = 281474976710656.0;  // 2^48
  if (static_cast<double>(c.cells[0]) * static_cast<double>(c.cells[1]) *
          static_cast<double>(c.cells[2]) >
      most_cells)
    throw UsageError("grid.cells: more cells than there can be");
  if (c.stretching > 0 && c.ends[2] == "periodic")
    throw UsageError("grid.stretching: z is periodic; levels are uniform there");
  if (c.viscosity == 0) c.viscosity = c.speed * c.reference_length / c.reynolds;
  resolve_step(c);
  resolve(c, c.step);
  if (c.output_name.empty()) c.output_name = c.name;
}

NsSetup make_setup(const NsCase& c)
{
  NsSetup s;
  s.cells = {c.cells[0], c.cells[1], c.cells[2]};
  for (std::size_t a = 0; a < 2; ++a) s.spacing[a] = c.length[a] / static_cast<double>(c.cells[a]);
  s.faces = stretched_faces(c.cells[2], c.length[2], c.stretching);
  s.step = c.step;
  s.viscosity = c.viscosity;
  s.force = c.force;
  s.has_scalar = c.scalar != "none";
  s.diffusivity = c.diffusivity;
  s.lift = c.lift;
  if (c.bulk_velocity != 0) s.bulk_velocity = c.bulk_velocity;
  constexpr std::string_view axes[] = {"x", "y", "z"};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t side = 0; side < 2; ++side) {
      NsEnd& end = s.ends[a][side];
      end.kind = c.ends[a] == "wall"       ? NsEnd::Kind::wall
                 : c.ends[a] == "symmetry" ? NsEnd::Kind::symmetry
                                           : NsEnd::Kind::periodic;
      end.velocity = c.wall_velocity[a][side];
      end.scalar = scalar_end(c.scalar_ends[a][side], fmt::format("boundary.{}_{}_scalar", axes[a],
                                                                  side == 0 ? "low" : "high"));
    }
  s.velocity = velocity_of(c);
  s.courant_limit = c.courant_limit;
  return s;
}

comm::DecompositionOptions decomposition_options(const NsCase& c)
{
  comm::DecompositionOptions options = decomposition_options(make_setup(c));
  options.ranks.k = c.ranks;
  return options;
}

job::RunPlan make_plan(const NsCase& c, const std::string& toml)
{
  job::RunPlan plan = plan_of(c, "incompressible flow: " + c.name, toml, physics_digest(c));
  if (c.image_variable != "speed") plan.output.image.map = io::ColourMap::balance;
  for (std::size_t a = 0; a < 3; ++a)
    plan.output.snapshot.coordinates.spacing[a] = c.length[a] / static_cast<double>(c.cells[a]);
  return plan;
}

std::unique_ptr<job::Simulation> plan_ns(const NsCase& c, const comm::Communicator& comm,
                                         const comm::Decomposition& decomposition)
{
  const NsSetup setup = make_setup(c);
  const grid::Box owned = decomposition.box(comm.rank());
  const bool wide = c.precision == "double";
  job::Cost cost;
  cost.cells = volume(decomposition.cells());
  cost.bytes_per_step = static_cast<double>(owned.cells()) *
                        (wide ? ns_traffic<double>(setup) : ns_traffic<float>(setup));
  cost.memory = wide ? ns_bytes<double>(setup, owned.size()) : ns_bytes<float>(setup, owned.size());
  cost.step_limits = limits(c);
  return std::make_unique<job::Planned>(comm, decomposition, c.step, std::move(cost));
}

}  // namespace helicity::fluid
