// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

namespace helicity::test {

using job::Schema;
using job::Unit;

namespace {

void bind_solid(Schema& s, Solid& solid)
{
  s.choice("kind", solid.kind, {"sphere", "box"}, "its shape");
  s.real("radius", solid.radius, Unit::metres, "its radius", {.lowest = 0, .above = true});
  s.reals("centre", solid.centre, 3, Unit::metres, "its centre", {});
  s.text("surface.material", solid.material, "what it is made of");
}

}  // namespace

Schema schema_of(Sample& c)
{
  Schema s;
  s.text("title", c.title, "what it is");
  s.integers("grid.cells", c.cells, 3, "cells along x, y, z", {.lowest = 1, .highest = 100000});
  s.integer("grid.seed", c.seed, "seed of noise", {});
  s.real("time.step", c.step, Unit::seconds, "length of a step", {.lowest = 0, .above = true});
  s.real("fluid.length", c.length, Unit::metres, "length", {});
  s.real("fluid.speed", c.speed, Unit::metres_per_second, "speed", {});
  s.real("fluid.viscosity", c.viscosity, Unit::square_metres_per_second, "kinematic viscosity",
         {.lowest = 0});
  s.reals("fluid.gravity", c.gravity, 3, Unit::metres_per_second_squared, "gravity", {});
  s.real("fluid.density", c.density, Unit::kilograms_per_cubic_metre, "density", {});
  s.real("fluid.ratio", c.ratio, Unit::none, "a ratio", {.lowest = 0, .highest = 1});
  s.choice("fluid.collision", c.collision, {"srt", "trt", "cumulant"}, "collision operator");
  s.flag("output.compress", c.compress, "compress snapshots");
  s.texts("output.variables", c.variables, "what to write");
  s.tables("solid", "bodies in the flow", c.solids, bind_solid);
  return s;
}

}  // namespace helicity::test
