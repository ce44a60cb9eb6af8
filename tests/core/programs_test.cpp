// SPDX-License-Identifier: Apache-2.0
// helicity and helicity-info as a user runs them.
#include <helicity/core/version.hpp>

#include <support/process.hpp>
#include <support/temporary.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace helicity::test {
namespace {

TEST(HelicityVerb, ListsVerbs)
{
  const auto result = run_process({program("helicity"), "--help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("  info "), std::string::npos) << result.out;
  EXPECT_EQ(result.err, "");
}

TEST(HelicityVerb, RunsTheProgramBesideIt)
{
  const auto result = run_process({program("helicity"), "info", "--version"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "helicity " + std::string(version()) + "\n");
}

TEST(HelicityVerb, NamesTheVerbThatWasMeant)
{
  const auto result = run_process({program("helicity"), "inof"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "helicity: error: unknown verb 'inof'; did you mean 'info'? (try helicity --help)\n");
  EXPECT_EQ(run_process({program("helicity")}).code, 2);
}

TEST(HelicityVerb, FindsProgramsOnPathAndPassesArgumentsAndCode)
{
  const TemporaryFolder folder;
  write_file(folder / "helicity-echo", "#!/bin/sh\necho \"$#:$2\"\nexit 5\n");
  std::filesystem::permissions(folder / "helicity-echo", std::filesystem::perms::owner_all);
  const std::string path = "PATH=" + folder.path().string() + ":/usr/bin:/bin";
  const auto result = run_process({program("helicity"), "echo", "a", "b c"}, "", {path});
  EXPECT_EQ(result.code, 5);
  EXPECT_EQ(result.out, "2:b c\n");
}

TEST(HelicityInfo, PrintsText)
{
  const auto result = run_process({program("helicity-info")});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const auto text :
       {version(), std::string_view("instructions"), std::string_view("CUDA device")})
    EXPECT_NE(result.out.find(text), std::string::npos) << text << '\n' << result.out;
}

TEST(HelicityInfo, PrintsJson)
{
  const auto result =
      run_process({program("helicity-info"), "--json"}, "", {"HELICITY_ISA=scalar"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("version"), std::string(version()));
  EXPECT_EQ(json.at("cpu").at("chosen"), "scalar");
  EXPECT_GE(json.at("cpu").at("threads"), 1);
  EXPECT_TRUE(json.at("features").at("hdf5").at("enabled").is_boolean());
  EXPECT_EQ(json.at("cuda").at("devices").empty(), json.at("cuda").at("why_none").is_string());
}

TEST(HelicityInfo, RefusesWhatItDoesNotKnow)
{
  const auto result = run_process({program("helicity-info"), "--jsno"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "helicity-info: error: unknown option '--jsno'; did you mean '--json'? (try --help)\n");
  EXPECT_EQ(run_process({program("helicity-info")}, "", {"HELICITY_ISA=mmx"}).code, 2);
}

TEST(HelicityInfo, FailsWhenOutputIsRefused)
{
  const auto result = run_process({"sh", "-c", program("helicity-info") + " > /dev/full"});
  EXPECT_EQ(result.code, 1);
}

}  // namespace
}  // namespace helicity::test
