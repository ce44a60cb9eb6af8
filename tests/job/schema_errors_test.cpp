// SPDX-License-Identifier: Apache-2.0
// The exact text of every kind of error.
#include <helicity/core/error.hpp>
#include <helicity/job/config.hpp>

#include "sample.hpp"

#include <gtest/gtest.h>

namespace helicity::job {
namespace {

using test::message_of;
using test::Sample;
using test::schema_of;

/// The error of a file; nothing may be set by it.
std::string file_error(const std::string& toml)
{
  Sample c;
  c.solids.resize(1);
  const Sample before = c;
  Schema s = schema_of(c);
  const std::string message = message_of([&] { s.parse(toml, "case.toml"); });
  EXPECT_EQ(c, before) << toml;
  EXPECT_FALSE(s.is_set("title")) << toml;
  return message;
}

std::string set_error(const std::string& key, const std::string& value,
                      const std::string& origin = "--set")
{
  Sample c;
  Schema s = schema_of(c);
  const std::string message = message_of([&] { s.set(key, value, origin); });
  EXPECT_EQ(c, Sample());
  return message;
}

TEST(SchemaErrors, UnknownKeys)
{
  EXPECT_EQ(file_error("[fluid]\nviscosty = 1\n"),
            "case.toml:2:1: unknown key 'fluid.viscosty'; did you mean 'fluid.viscosity'?");
  EXPECT_EQ(file_error("title = 'x'\n[fluid]\n  viscosty = 1\n"),
            "case.toml:3:3: unknown key 'fluid.viscosty'; did you mean 'fluid.viscosity'?");
  EXPECT_EQ(file_error("viscosity = 1\n"),
            "case.toml:1:1: unknown key 'viscosity'; did you mean 'fluid.viscosity'?");
  EXPECT_EQ(file_error("nonsense = 1\n"), "case.toml:1:1: unknown key 'nonsense'");
  EXPECT_EQ(file_error("[flud]\nviscosity = 1\n"),
            "case.toml:1:2: unknown table 'flud'; did you mean 'fluid'?");
  EXPECT_EQ(file_error("[nonsense]\n"), "case.toml:1:2: unknown table 'nonsense'");
  EXPECT_EQ(file_error("[fluid.inner]\nx = 1\n"), "case.toml:1:8: unknown table 'fluid.inner'");
  EXPECT_EQ(file_error("[[solid]]\nradius = 1\n[[solid]]\nradus = 2\n"),
            "case.toml:4:1: unknown key 'solid.radus'; did you mean 'solid.radius'?");
}

TEST(SchemaErrors, TheFirstOneInTheFile)
{
  EXPECT_EQ(file_error("zz = 1\naa = 2\n"), "case.toml:1:1: unknown key 'zz'");
}

TEST(SchemaErrors, WrongTypes)
{
  EXPECT_EQ(file_error("grid.seed = 1.5\n"),
            "case.toml:1:13: grid.seed: expected an integer, found 1.5");
  EXPECT_EQ(file_error("grid.seed = '5'\n"),
            "case.toml:1:13: grid.seed: expected an integer, found \"5\"");
  EXPECT_EQ(file_error("grid.cells = 5\n"),
            "case.toml:1:14: grid.cells: expected 3 integers, found 5");
  EXPECT_EQ(file_error("grid.cells = [1, 2]\n"),
            "case.toml:1:14: grid.cells: expected 3 integers, found a list of 2");
  EXPECT_EQ(file_error("grid.cells = [1, 'two', 3]\n"),
            "case.toml:1:18: grid.cells: expected 3 integers, found \"two\"");
  EXPECT_EQ(file_error("time.step = true\n"),
            "case.toml:1:13: time.step: expected a real [s], found true");
  EXPECT_EQ(file_error("fluid.ratio = 2020-01-01\n"),
            "case.toml:1:15: fluid.ratio: expected a real, found a date");
  EXPECT_EQ(file_error("title = 3\n"), "case.toml:1:9: title: expected text, found 3");
  EXPECT_EQ(file_error("output.compress = 1\n"),
            "case.toml:1:19: output.compress: expected true or false, found 1");
  EXPECT_EQ(file_error("output.variables = 'density'\n"),
            "case.toml:1:20: output.variables: expected a list of texts, found \"density\"");
  EXPECT_EQ(file_error("fluid = 3\n"),
            "case.toml:1:1: 'fluid' is a table: write [fluid], then its keys");
  EXPECT_EQ(file_error("fluid.viscosity.x = 3\n"),
            "case.toml:1:7: fluid.viscosity: expected a real [m2/s], found a table");
  EXPECT_EQ(file_error("[solid]\nradius = 1\n"),
            "case.toml:1:1: 'solid' is a list of tables: write [[solid]]");
  EXPECT_EQ(file_error("solid = [1]\n"),
            "case.toml:1:10: 'solid' is a list of tables: write [[solid]]");
}

TEST(SchemaErrors, Ranges)
{
  EXPECT_EQ(file_error("grid.cells = [1, 0, 1]\n"),
            "case.toml:1:18: grid.cells: must be between 1 and 100000, found 0");
  EXPECT_EQ(file_error("time.step = 0\n"), "case.toml:1:13: time.step: must be above 0, found 0");
  EXPECT_EQ(file_error("fluid.viscosity = -1.5\n"),
            "case.toml:1:19: fluid.viscosity: must be at least 0, found -1.5");
  EXPECT_EQ(file_error("fluid.ratio = 1.5\n"),
            "case.toml:1:15: fluid.ratio: must be between 0 and 1, found 1.5");
  EXPECT_EQ(file_error("fluid.ratio = nan\n"),
            "case.toml:1:15: fluid.ratio: must be a finite number, found nan");
  EXPECT_EQ(file_error("fluid.speed = inf\n"),
            "case.toml:1:15: fluid.speed: must be a finite number, found inf");
  EXPECT_EQ(file_error("[[solid]]\nradius = -2\n"),
            "case.toml:2:10: solid.radius: must be above 0, found -2");
}

TEST(SchemaErrors, Choices)
{
  EXPECT_EQ(file_error("fluid.collision = 'tr'\n"),
            "case.toml:1:19: fluid.collision: expected one of srt, trt, cumulant, found \"tr\"; "
            "did you mean 'trt'?");
  EXPECT_EQ(set_error("fluid.collision", "mrt2x"),
            "--set: fluid.collision: expected one of srt, trt, cumulant, found \"mrt2x\"");
}

TEST(SchemaErrors, Units)
{
  EXPECT_EQ(file_error("fluid.length = '12 kg'\n"),
            "case.toml:1:16: fluid.length: '12 kg': unit 'kg' does not fit; accepted: m, km, cm, "
            "mm, um, nm");
  EXPECT_EQ(file_error("fluid.ratio = '12 cm'\n"),
            "case.toml:1:15: fluid.ratio: '12 cm': expected a number without a unit");
  EXPECT_EQ(file_error("fluid.length = 'long'\n"),
            "case.toml:1:16: fluid.length: 'long' is not a number with a unit (m, km, cm, mm, um, "
            "nm)");
}

TEST(SchemaErrors, Syntax)
{
  EXPECT_EQ(file_error("title = \n").substr(0, 15), "case.toml:1:9: ");
  EXPECT_EQ(file_error("title = 'a'\ntitle = 'b'\n").substr(0, 15), "case.toml:2:9: ");
  EXPECT_THROW(Schema().parse("a = [1,", "f"), InputError);
}

TEST(SchemaErrors, OfTheCommandLine)
{
  EXPECT_EQ(set_error("fluid.viscosty", "1"),
            "--set: unknown key 'fluid.viscosty'; did you mean 'fluid.viscosity'?");
  EXPECT_EQ(set_error("grid.seed", "five", "--grid.seed"),
            "--grid.seed: expected an integer, found \"five\"");
  EXPECT_EQ(set_error("grid.seed", "1.0"), "--set: grid.seed: expected an integer, found \"1.0\"");
  EXPECT_EQ(set_error("grid.cells", "1,2"),
            "--set: grid.cells: expected 3 integers, found a list of 2");
  EXPECT_EQ(set_error("grid.cells", "1,,2"), "--set: grid.cells: expected 3 integers, found \"\"");
  EXPECT_EQ(set_error("time.step", "0", "--time.step"), "--time.step: must be above 0, found 0");
  EXPECT_EQ(set_error("output.compress", "maybe"),
            "--set: output.compress: expected true or false, found \"maybe\"");
  EXPECT_EQ(set_error("solid", "x"), "--set: solid: a list of tables can only be given in a file");
}

}  // namespace
}  // namespace helicity::job
