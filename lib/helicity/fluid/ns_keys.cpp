// SPDX-License-Identifier: Apache-2.0
// The keys of a case file, the named cases, and the digest.
#include <helicity/fluid/ns_case.hpp>
#include <helicity/job/named_case.hpp>

#include <numbers>
#include <string>

namespace helicity::fluid {
namespace {

using job::Schema;
using job::Unit;

constexpr std::string_view axis_names[] = {"x", "y", "z"};
constexpr Schema::RealRange positive{.lowest = 0, .above = true};
constexpr Schema::RealRange not_negative{.lowest = 0};

void bind_flow(Schema& s, NsCase& c)
{
  s.integers("grid.cells", c.cells.data(), 3, "cells along x, y, z; 1: nothing changes along it",
             {.lowest = 1, .highest = 1 << 24});
  s.reals("grid.length", c.length.data(), 3, Unit::metres, "sides of the box", positive);
  s.real("grid.stretching", c.stretching, Unit::none,
         "a of z = h (1 + tanh(a (2 n/cells - 1)) / tanh(a)) / 2, finer at both ends; 0: uniform",
         {.lowest = 0, .highest = 10});
  s.choice("fluid.precision", c.precision, {"float", "double"}, "type of all numbers");
  s.real("fluid.viscosity", c.viscosity, Unit::square_metres_per_second,
         "kinematic; 0: from flow.reynolds", not_negative);
  s.reals("fluid.acceleration", c.force.data(), 3, Unit::metres_per_second_squared,
          "uniform body force per mass", {});
  s.real("flow.reynolds", c.reynolds, Unit::none, "speed length / viscosity", positive);
  s.real("flow.speed", c.speed, Unit::metres_per_second, "reference speed", positive);
  s.real("flow.length", c.reference_length, Unit::metres, "of the Reynolds number", positive);
  s.real("flow.bulk_velocity", c.bulk_velocity, Unit::metres_per_second,
         "mean along x that a uniform force keeps; 0: none does", {});
  s.choice("scalar.kind", c.scalar, {"none", "carried"}, "carried: with the flow, and diffused");
  s.real("scalar.diffusivity", c.diffusivity, Unit::square_metres_per_second, "of the scalar",
         not_negative);
  s.reals("scalar.lift", c.lift.data(), 3, Unit::none,
          "force per mass and unit of the scalar (Boussinesq)", {});
}

void bind_ends(Schema& s, NsCase& c)
{
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string axis(axis_names[a]);
    s.choice("boundary." + axis, c.ends[a], {"periodic", "wall", "symmetry"}, "ends along " + axis);
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string end = "boundary." + axis + (side == 0 ? "_low_" : "_high_");
      s.reals(end + "velocity", c.wall_velocity[a][side].data(), 3, Unit::metres_per_second,
              "velocity of that wall", {});
      s.text(end + "scalar", c.scalar_ends[a][side], "number held there; empty: no flux");
    }
  }
  s.choice("initial.kind", c.initial,
           {"rest", "taylor-green-2d", "taylor-green-3d", "shear-layer", "channel"},
           "flow at the start");
  s.real("initial.thickness", c.thickness, Unit::none,
         "of shear layers: tanh(thickness (y - 1/4)), y in sides of the box", positive);
  s.real("initial.disturbance", c.disturbance, Unit::none, "of shear layers and channels, of speed",
         not_negative);
}

void bind_run(Schema& s, NsCase& c)
{
  s.real("time.step", c.step, Unit::seconds, "length of a step; 0: from time.courant",
         not_negative);
  s.real("time.courant", c.courant, Unit::none, "Courant number of flow.speed for a chosen step",
         {.lowest = 0, .highest = 1.7, .above = true});
  bind(s, static_cast<job::RunKeys&>(c), "velocity_x, velocity_y, velocity_z, pressure, scalar",
       "speed, or a variable");
  s.real("health.courant_limit", c.courant_limit, Unit::none, "Courant number that is too large",
         {.lowest = 0, .highest = 2, .above = true});
  s.integer("ranks", c.ranks, "ranks along z; 0: all", {.lowest = 0});
}

NsCase custom_case() { return {}; }

NsCase cavity_case()
{
  NsCase c;
  c.name = "cavity";
  c.cells = {128, 128, 1};
  c.ends = {"wall", "wall", "periodic"};
  c.wall_velocity[1][1] = {1, 0, 0};
  c.end = 40;
  return c;
}

NsCase taylor_green_2d_case()
{
  NsCase c;
  c.name = "taylor-green-2d";
  c.cells = {64, 64, 1};
  c.length = {2 * std::numbers::pi, 2 * std::numbers::pi, 1};
  c.initial = "taylor-green-2d";
  c.reynolds = 100;
  c.end = 5;
  return c;
}

NsCase taylor_green_3d_case()
{
  NsCase c;
  c.name = "taylor-green-3d";
  c.cells = {64, 64, 64};
  c.length = {2 * std::numbers::pi, 2 * std::numbers::pi, 2 * std::numbers::pi};
  c.initial = "taylor-green-3d";
  c.reynolds = 1600;
  c.end = 10;
  return c;
}

NsCase shear_layer_case()
{
  NsCase c;
  c.name = "shear-layer";
  c.cells = {256, 256, 1};
  c.initial = "shear-layer";
  c.thickness = 80;
  c.reynolds = 10000;
  c.end = 1;
  return c;
}

NsCase poiseuille_case()
{
  NsCase c;
  c.name = "poiseuille";
  c.cells = {8, 1, 32};
  c.ends = {"periodic", "periodic", "wall"};
  c.reynolds = 10;
  c.force = {0.8, 0, 0};  // 8 nu u_max / h^2
  c.end = 8;
  return c;
}

/// Half height 1, bulk velocity 1: Re_tau 180 (Moser, Kim & Mansour 1999).
NsCase channel_case()
{
  NsCase c;
  c.name = "channel-180";
  c.cells = {192, 160, 128};
  c.length = {4 * std::numbers::pi, 4 * std::numbers::pi / 3, 2};
  c.stretching = 1.8;
  c.ends = {"periodic", "periodic", "wall"};
  c.viscosity = 1 / 2857.;
  c.bulk_velocity = 1;
  c.initial = "channel";
  c.courant = 0.8;
  c.end = 300;
  return c;
}

/// Velocities in kappa / L, temperature from 1/2 to -1/2: de Vahl Davis (1983), Pr = 0.71.
NsCase heated_cavity_case()
{
  NsCase c;
  c.name = "heated-cavity";
  c.cells = {64, 1, 64};
  c.ends = {"wall", "periodic", "wall"};
  c.viscosity = 0.71;
  c.scalar = "carried";
  c.diffusivity = 1;
  c.lift = {0, 0, 0.71e4};  // Ra Pr
  c.scalar_ends[0] = {"0.5", "-0.5"};
  c.speed = 20;
  c.end = 1;
  return c;
}

}  // namespace

const std::vector<NsNamedCase>& ns_cases()
{
  static const std::vector<NsNamedCase> cases{
      {"cavity", "flow in a box whose lid slides (Botella & Peyret 1998)", cavity_case},
      {"taylor-green-2d", "decaying vortices in a periodic box, exact solution",
       taylor_green_2d_case},
      {"taylor-green-3d", "vortices that break up, Re 1600 (van Rees et al. 2011)",
       taylor_green_3d_case},
      {"shear-layer", "two layers roll up (Minion & Brown 1997)", shear_layer_case},
      {"poiseuille", "flow between plates driven by a force, exact solution", poiseuille_case},
      {"channel-180", "turbulence between plates (Moser, Kim & Mansour 1999)", channel_case},
      {"heated-cavity", "warm and cold wall (de Vahl Davis 1983)", heated_cavity_case},
      {"custom", "whatever the keys say", custom_case}};
  return cases;
}

NsCase ns_case(std::string_view name) { return job::named_case(ns_cases(), name); }

void bind(Schema& schema, NsCase& c)
{
  schema.choice("case", c.name, job::case_names(ns_cases()), "named case that the keys start from");
  bind_flow(schema, c);
  bind_ends(schema, c);
  bind_run(schema, c);
}

std::string physics_digest(const NsCase& config)
{
  NsCase c = config;  // what does not change the state is set alike
  const NsCase neutral;
  forget(c);
  c.ranks = neutral.ranks;
  c.courant_limit = neutral.courant_limit;
  Schema schema;
  bind(schema, c);
  return schema.print();
}

}  // namespace helicity::fluid
