// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>

#include <support/app.hpp>
#include <support/options.hpp>
#include <support/schema_options.hpp>

#include "sample.hpp"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

namespace helicity::app {
namespace {

class SchemaFlags : public testing::Test
{
 protected:
  void parse_all(std::vector<const char*> arguments, const std::string& file = "")
  {
    CLI::App app{"Tests.", "prog"};
    set_up(app);
    job::Schema schema = test::schema_of(sample);
    SchemaOptions options(app, schema);
    app.add_option("CASE", name, "Case file");
    arguments.insert(arguments.begin(), "prog");
    parse(app, static_cast<int>(arguments.size()), arguments.data());
    schema.parse(file, "case.toml");
    options.apply();
  }

  std::string message(const std::vector<const char*>& arguments)
  {
    return test::message_of([&] { parse_all(arguments); });
  }

  test::Sample sample;
  std::string name;
};

TEST_F(SchemaFlags, SetKeys)
{
  parse_all({"--fluid.viscosity", "1 cSt", "--grid.cells=8x8x4", "--output.compress", "my.toml",
             "--fluid.gravity=[0, -1, 2]", "--set", "title=a = b", "--fluid.speed", "-1.5"});
  EXPECT_EQ(sample.viscosity, 1e-6);
  EXPECT_EQ(sample.cells[2], 4);
  EXPECT_TRUE(sample.compress);
  EXPECT_EQ(name, "my.toml");
  EXPECT_EQ(sample.gravity[1], -1);
  EXPECT_EQ(sample.title, "a = b");
  EXPECT_EQ(sample.speed, -1.5);
}

TEST_F(SchemaFlags, ComeAfterTheFileInTheirOrder)
{
  parse_all({"--grid.seed", "1", "--set", "grid.seed=2", "--time.step=5", "--set", "time.step=6",
             "--time.step", "7"},
            "grid.seed = 9\nfluid.speed = 3\n");
  EXPECT_EQ(sample.seed, 2);
  EXPECT_EQ(sample.step, 7);
  EXPECT_EQ(sample.speed, 3);
}

TEST_F(SchemaFlags, FlagsTakeAValueWithAnEqualsSign)
{
  parse_all({"--output.compress=false"}, "output.compress = true");
  EXPECT_FALSE(sample.compress);
}

TEST_F(SchemaFlags, TellWhatIsWrong)
{
  EXPECT_EQ(message({"--fluid.viscosty", "1"}),
            "unknown option '--fluid.viscosty'; did you mean '--fluid.viscosity'? (try --help)");
  EXPECT_EQ(message({"--grid.seed", "x"}), "--grid.seed: expected an integer, found \"x\"");
  EXPECT_EQ(message({"--set", "grid.sed=1"}),
            "--set: unknown key 'grid.sed'; did you mean 'grid.seed'?");
  EXPECT_EQ(message({"--set", "grid.seed"}),
            "--set: expected KEY=VALUE, found 'grid.seed' (try --help)");
}

TEST_F(SchemaFlags, PrintTheConfiguration)
{
  testing::internal::CaptureStdout();
  EXPECT_THROW(parse_all({"--print-config", "--grid.seed", "99"}), Exit);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("# seed of noise (integer)\nseed = 99\n"), std::string::npos) << text;
  test::Sample back;
  test::schema_of(back).parse(text, "printed");
  EXPECT_EQ(back, sample);
}

TEST_F(SchemaFlags, StandInHelpByTable)
{
  testing::internal::CaptureStdout();
  EXPECT_THROW(parse_all({"--help"}), Exit);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("[fluid]"), std::string::npos) << text;
  EXPECT_NE(text.find("--fluid.viscosity real [m2/s]"), std::string::npos) << text;
  EXPECT_NE(text.find("--print-config"), std::string::npos) << text;
}

}  // namespace
}  // namespace helicity::app
