// SPDX-License-Identifier: Apache-2.0
// The keys of a case file, the named cases, and the digest.
#include <helicity/fluid/lbm_case.hpp>
#include <helicity/job/named_case.hpp>

#include <algorithm>
#include <string>

namespace helicity::fluid {
namespace {

using job::Schema;
using job::Unit;

constexpr std::string_view axis_names[] = {"x", "y", "z"};
constexpr Schema::RealRange positive{.lowest = 0, .above = true};
constexpr Schema::RealRange not_negative{.lowest = 0};

void bind_physics(Schema& s, LbmCase& c)
{
  s.integers("grid.cells", c.cells.data(), 3, "cells along x, y, z",
             {.lowest = 1, .highest = 1 << 24});
  s.real("grid.spacing", c.spacing, Unit::metres,
         "side of a cell; 0: from flow.length and the cells", not_negative);
  s.choice("fluid.lattice", c.lattice, {"auto", "d2q9", "d3q19"},
           "velocity set; auto: d2q9 for one cell along z");
  s.choice("fluid.precision", c.precision, {"float", "double"}, "type of the populations");
  s.choice("fluid.collision", c.collision, {"trt", "srt"}, "two relaxation times, or one (BGK)");
  s.real("fluid.magic", c.magic, Unit::none, "Lambda of trt; 3/16 puts plane walls half way",
         positive);
  s.real("fluid.viscosity", c.viscosity, Unit::square_metres_per_second,
         "kinematic; 0: from flow.reynolds", not_negative);
  s.real("fluid.density", c.density, Unit::kilograms_per_cubic_metre, "at rest", positive);
  s.reals("fluid.acceleration", c.acceleration.data(), 3, Unit::metres_per_second_squared,
          "uniform body force per mass", {});
  s.real("flow.length", c.length, Unit::metres, "reference length", positive);
  s.real("flow.speed", c.speed, Unit::metres_per_second, "reference speed", positive);
  s.real("flow.reynolds", c.reynolds, Unit::none, "speed length / viscosity", positive);
  s.real("flow.lattice_speed", c.lattice_speed, Unit::none,
         "flow.speed in cells a step: sets the step (Mach = 1.73 times it)", positive);
}

void bind_boundary(Schema& s, LbmCase& c)
{
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string axis(axis_names[a]);
    s.choice("boundary." + axis, c.ends[a], {"periodic", "wall"}, "ends along " + axis);
    for (std::size_t side = 0; side < 2; ++side)
      s.reals("boundary." + axis + (side == 0 ? "_low_velocity" : "_high_velocity"),
              c.wall_velocity[a][side].data(), 3, Unit::metres_per_second, "velocity of that wall",
              {});
  }
  s.choice("initial.kind", c.initial, {"rest", "uniform", "taylor-green"}, "flow at the start");
  s.reals("initial.velocity", c.initial_velocity.data(), 3, Unit::metres_per_second,
          "of a uniform start", {});
  s.text("mask.file", c.mask_file, "HDF5 or netCDF-4 file whose non-zero cells are solid");
  s.text("mask.dataset", c.mask_dataset, "its dataset, z, y, x");
  s.tables("solid", "bodies in the flow; cells with their centre inside are solid", c.solids,
           [](Schema& t, LbmSolid& solid) {
             t.choice("shape", solid.shape, {"sphere", "cylinder", "box"}, "kind of body");
             t.reals("centre", solid.centre.data(), 3, Unit::metres, "of a sphere or cylinder", {});
             t.real("radius", solid.radius, Unit::metres, "of a sphere or cylinder", not_negative);
             t.reals("low", solid.low.data(), 3, Unit::metres, "corner of a box", {});
             t.reals("high", solid.high.data(), 3, Unit::metres, "opposite corner", {});
             t.choice("axis", solid.axis, {"x", "y", "z"}, "of a cylinder, through the domain");
             t.reals("velocity", solid.velocity.data(), 3, Unit::metres_per_second,
                     "of its surface", {});
           });
}

void bind_run(Schema& s, LbmCase& c)
{
  s.real("time.step", c.step, Unit::seconds, "length of a step; 0: from flow.lattice_speed",
         not_negative);
  bind(s, static_cast<job::RunKeys&>(c),
       "density, pressure, velocity_x, velocity_y, velocity_z, solid", "speed, or a variable");
  s.real("health.speed_limit", c.speed_limit, Unit::none, "cells a step that are too fast",
         {.lowest = 0, .highest = 1, .above = true});
  s.integers("ranks", c.ranks.data(), 3, "ranks along x, y, z; 0: chosen", {.lowest = 0});
}

LbmCase custom_case() { return {}; }

LbmCase cavity_case()
{
  LbmCase c;
  c.name = "cavity";
  c.cells = {128, 128, 1};
  c.ends = {"wall", "wall", "periodic"};
  c.wall_velocity[1][1] = {1, 0, 0};
  c.end = 40;
  return c;
}

LbmCase taylor_green_case()
{
  LbmCase c;
  c.name = "taylor-green";
  c.cells = {64, 64, 1};
  c.initial = "taylor-green";
  c.lattice_speed = 0.02;
  c.reynolds = 10;
  c.end = 5;
  return c;
}

LbmCase poiseuille_case()
{
  LbmCase c;
  c.name = "poiseuille";
  c.cells = {8, 32, 1};
  c.ends = {"periodic", "wall", "periodic"};
  c.reynolds = 10;
  c.lattice_speed = 0.05;
  c.end = 20;
  return c;
}

LbmCase couette_case()
{
  LbmCase c = poiseuille_case();
  c.name = "couette";
  c.wall_velocity[1][1] = {1, 0, 0};
  return c;
}

}  // namespace

const std::vector<LbmNamedCase>& lbm_cases()
{
  static const std::vector<LbmNamedCase> cases{
      {"cavity", "flow in a box whose lid slides (Ghia, Ghia & Shin 1982)", cavity_case},
      {"taylor-green", "decaying vortices in a periodic box, exact solution", taylor_green_case},
      {"poiseuille", "flow between plates driven by a force, exact solution", poiseuille_case},
      {"couette", "flow between plates of which one slides, exact solution", couette_case},
      {"custom", "whatever the keys say: walls, bodies, mask, force", custom_case}};
  return cases;
}

LbmCase lbm_case(std::string_view name) { return job::named_case(lbm_cases(), name); }

void bind(Schema& schema, LbmCase& c)
{
  schema.choice("case", c.name, job::case_names(lbm_cases()),
                "named case that the keys start from");
  bind_physics(schema, c);
  bind_boundary(schema, c);
  bind_run(schema, c);
}

std::string physics_digest(const LbmCase& config)
{
  LbmCase c = config;  // what does not change the state is set alike
  const LbmCase neutral;
  forget(c);
  c.ranks = neutral.ranks;
  c.speed_limit = neutral.speed_limit;
  Schema schema;
  bind(schema, c);
  return schema.print();
}

}  // namespace helicity::fluid
