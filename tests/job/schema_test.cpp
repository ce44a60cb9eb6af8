// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/config.hpp>

#include "sample.hpp"

#include <support/temporary.hpp>

#include <gtest/gtest.h>

namespace helicity::job {
namespace {

using test::Sample;
using test::schema_of;
using test::Solid;

TEST(Schema, ReadsEveryKind)
{
  Sample c;
  Schema s = schema_of(c);
  s.parse(R"(title = "a \"case\""
grid.cells = [128, 64, 1]
[time]
step = "0.5 ms"
[fluid]
length = "12 cm"
speed = "36 km/h"
viscosity = 1e-6
gravity = [0, 0, "-9.81 m/s^2"]
density = "1.2 g/cm3"
ratio = 1
collision = "trt"
[output]
compress = true
variables = ["velocity", "density"]
)",
          "case.toml");
  EXPECT_EQ(c.title, "a \"case\"");
  EXPECT_EQ(c.cells[0], 128);
  EXPECT_EQ(c.cells[2], 1);
  EXPECT_EQ(c.step, 0.5e-3);
  EXPECT_EQ(c.length, 0.12);
  EXPECT_EQ(c.speed, 10);
  EXPECT_EQ(c.viscosity, 1e-6);
  EXPECT_EQ(c.gravity[2], -9.81);
  EXPECT_EQ(c.density, 1200);
  EXPECT_EQ(c.ratio, 1);
  EXPECT_EQ(c.collision, "trt");
  EXPECT_TRUE(c.compress);
  EXPECT_EQ(c.variables, (std::vector<std::string>{"velocity", "density"}));
  EXPECT_EQ(c.seed, 7);  // not in the file
}

TEST(Schema, ReadsArraysOfTables)
{
  Sample c;
  c.solids.resize(1);
  c.solids[0].radius = 9;
  Schema s = schema_of(c);
  EXPECT_FALSE(s.is_set("solid"));
  s.parse("[[solid]]\nradius = 2\n[[solid]]\nkind = 'box'\nsurface.material = 'wood'\n", "f");
  ASSERT_EQ(c.solids.size(), 2U);
  EXPECT_EQ(c.solids[0], (Solid{.radius = 2}));
  EXPECT_EQ(c.solids[1], (Solid{.kind = "box", .material = "wood"}));
  EXPECT_TRUE(s.is_set("solid"));
  s.parse("grid.seed = 1", "f");
  EXPECT_EQ(c.solids.size(), 2U) << "a file without solids leaves them";
  s.parse("solid = []", "f");
  EXPECT_TRUE(c.solids.empty());
}

TEST(Schema, KnowsWhatWasSet)
{
  Sample c;
  Schema s = schema_of(c);
  EXPECT_FALSE(s.is_set("fluid.viscosity"));
  s.parse("fluid.viscosity = 2", "f");
  s.set("grid.seed", "3");
  EXPECT_TRUE(s.is_set("fluid.viscosity"));
  EXPECT_TRUE(s.is_set("grid.seed"));
  EXPECT_FALSE(s.is_set("fluid.speed"));
  EXPECT_FALSE(s.is_set("no.such"));
}

TEST(Schema, SetsFromTexts)
{
  Sample c;
  Schema s = schema_of(c);
  s.set("grid.cells", "64,32,16");
  EXPECT_EQ(c.cells[1], 32);
  s.set("grid.cells", "8x4x2");
  EXPECT_EQ(c.cells[1], 4);
  s.set("grid.cells", "[ 3, 2, 1 ]");
  EXPECT_EQ(c.cells[1], 2);
  s.set("fluid.gravity", "0, 1e-3, -5 cm/s2");
  EXPECT_EQ(c.gravity[1], 1e-3);
  EXPECT_EQ(c.gravity[2], -0.05);
  s.set("time.step", "1m30s");
  EXPECT_EQ(c.step, 90);
  s.set("output.compress", "true");
  EXPECT_TRUE(c.compress);
  s.set("output.compress", "off");
  EXPECT_FALSE(c.compress);
  s.set("output.variables", "velocity,vorticity");
  EXPECT_EQ(c.variables, (std::vector<std::string>{"velocity", "vorticity"}));
  s.set("output.variables", R"(["one", "two"])");
  EXPECT_EQ(c.variables, (std::vector<std::string>{"one", "two"}));
  s.set("output.variables", "");
  EXPECT_TRUE(c.variables.empty());
  s.set("title", "plain words");
  EXPECT_EQ(c.title, "plain words");
  s.set("title", "\"quoted\"");
  EXPECT_EQ(c.title, "quoted");
  s.set("fluid.collision", "cumulant");
  EXPECT_EQ(c.collision, "cumulant");
  s.set("grid.seed", "+12");
  EXPECT_EQ(c.seed, 12);
}

TEST(Schema, PrintsByTable)
{
  Sample c;
  c.solids.resize(1);
  EXPECT_EQ(schema_of(c).print(), R"(title = "a sample"

[grid]
cells = [64, 64, 32]
seed = 7

[time]
step = 0.01

[fluid]
length = 2.0
speed = 1.5
viscosity = 0.1
gravity = [0.0, 0.0, -9.81]
density = 1000.0
ratio = 0.5
collision = "srt"

[output]
compress = false
variables = ["density"]

[[solid]]
kind = "sphere"
radius = 0.5
centre = [0.0, 0.0, 0.0]

[solid.surface]
material = "steel"
)");
}

TEST(Schema, PrintsComments)
{
  double x = 0.5;
  std::vector<Solid> solids;
  Schema s;
  s.real("fluid.x", x, Unit::metres, "a place", {.lowest = 0, .highest = 1});
  s.tables("fluid.solid", "bodies", solids, [](Schema&, Solid&) {});
  EXPECT_EQ(s.print(true),
            "[fluid]\n# a place (real [m], between 0 and 1)\nx = 0.5\n"
            "# bodies (list of tables)\nsolid = []\n");
}

TEST(Schema, ListsKeys)
{
  Sample c;
  const auto keys = schema_of(c).keys();
  ASSERT_EQ(keys.size(), 13U);
  EXPECT_EQ(keys[0].type, "text");
  EXPECT_EQ(keys[1].key, "grid.cells");
  EXPECT_EQ(keys[1].type, "3 integers");
  EXPECT_EQ(keys[1].value, "[64, 64, 32]");
  EXPECT_EQ(keys[1].help, "cells along x, y, z");
  EXPECT_EQ(keys[3].type, "real [s]");
  EXPECT_EQ(keys[6].type, "real [m2/s]");
  EXPECT_EQ(keys[7].type, "3 reals [m/s2]");
  EXPECT_EQ(keys[10].type, "one of srt, trt, cumulant");
  EXPECT_EQ(keys[11].type, "true or false");
  EXPECT_EQ(keys[12].type, "a list of texts");
}

TEST(Schema, LoadsFiles)
{
  const test::TemporaryFolder folder;
  test::write_file(folder / "case.toml", "[grid]\nseed = 12\n");
  Sample c;
  schema_of(c).load(folder / "case.toml");
  EXPECT_EQ(c.seed, 12);
  EXPECT_EQ(test::message_of([&] { schema_of(c).load(folder / "none.toml"); }),
            (folder / "none.toml") + ": No such file or directory");
  EXPECT_THROW(schema_of(c).load(folder.path().string()), InputError);
}

TEST(Schema, RefusesKeysBoundTwice)
{
  double x = 0;
  Schema s;
  s.real("a.b", x, Unit::none, "", {});
  EXPECT_THROW(s.real("a.b", x, Unit::none, "", {}), UsageError);
  EXPECT_THROW(s.real("a", x, Unit::none, "", {}), UsageError);
}

}  // namespace
}  // namespace helicity::job
