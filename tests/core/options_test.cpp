// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>

#include <support/app.hpp>
#include <support/options.hpp>

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace helicity::app {
namespace {

class Options : public testing::Test
{
 protected:
  void TearDown() override
  {
    unsetenv("HELICITY_THREADS");
    unsetenv("HELICITY_DEVICE");
    unsetenv("HELICITY_MEMORY");
  }

  void parse_all(std::vector<const char*> arguments)
  {
    CLI::App app{"Tests.", "prog"};
    set_up(app);
    add_exec_options(app, exec);
    add_verbosity_options(app, verbosity);
    app.add_option("QUERY", query, "Query")->required();
    arguments.insert(arguments.begin(), "prog");
    parse(app, static_cast<int>(arguments.size()), arguments.data());
  }

  std::string message(const std::vector<const char*>& arguments)
  {
    try {
      parse_all(arguments);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  Exec exec;
  Verbosity verbosity;
  std::string query;
};

TEST_F(Options, ReadsFlags)
{
  parse_all({"-t", "3", "--device=cuda:2", "--memory", "1.5GiB", "-q", "--progress", "reads.fa"});
  EXPECT_EQ(exec.threads, 3);
  EXPECT_EQ(exec.device, Device::cuda);
  EXPECT_EQ(exec.device_id, 2);
  EXPECT_EQ(exec.memory, std::size_t{3} << 29);
  EXPECT_EQ(verbosity.level(), LogLevel::quiet);
  EXPECT_EQ(verbosity.progress_mode(), ProgressMode::always);
  EXPECT_EQ(query, "reads.fa");
}

TEST_F(Options, AFlagBeatsTheEnvironment)
{
  setenv("HELICITY_THREADS", "5", 1);
  setenv("HELICITY_DEVICE", "cpu", 1);
  parse_all({"-t", "3", "q"});
  EXPECT_EQ(exec.threads, 3);
  EXPECT_EQ(exec.device, Device::cpu);
}

TEST_F(Options, NamesTheOptionThatWasMeant)
{
  EXPECT_EQ(message({"--devcie", "cpu"}),
            "unknown option '--devcie'; did you mean '--device'? (try --help)");
  EXPECT_EQ(message({"q", "--thread=3"}),
            "unknown option '--thread'; did you mean '--threads'? (try --help)");
  EXPECT_EQ(message({"q", "--xyzzy"}), "unknown option '--xyzzy' (try --help)");
  EXPECT_EQ(message({"q", "p"}), "unexpected argument 'p' (try --help)");
}

TEST_F(Options, RefusesWrongValues)
{
  EXPECT_NE(message({}).find("QUERY"), std::string::npos) << message({});
  EXPECT_NE(message({"q", "--memory", "lots"}).find("--memory"), std::string::npos);
  EXPECT_NE(message({"q", "--device", "gpu"}).find("known: auto, cpu, cuda"), std::string::npos);
  EXPECT_NE(message({"q", "-t", "-1"}), "");
  EXPECT_NE(message({"q", "-q", "-v"}), "");
}

TEST_F(Options, HelpEndsWithSuccess)
{
  testing::internal::CaptureStdout();
  int code = -1;
  try {
    parse_all({"--help"});
  } catch (const Exit& exit) {
    code = exit.code;
  }
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, success);
  for (const char* text : {"Tests.", "--threads", "=0", "--device", "=auto", "HELICITY_MEMORY"})
    EXPECT_NE(help.find(text), std::string::npos) << text << '\n' << help;
}

TEST_F(Options, ParsesDevices)
{
  for (const char* text : {"", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cudaa", "gpu", "cpu:0"})
    EXPECT_THROW(parse_device(text, exec), UsageError) << text;
  parse_device("cuda", exec);
  EXPECT_EQ(exec.device_id, 0);
}

TEST(RunApp, MapsExceptionsToExitCodes)
{
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_app("prog", [] { return 0; }), 0);
  EXPECT_EQ(run_app("prog", []() -> int { throw Exit{7}; }), 7);
  EXPECT_EQ(run_app("prog", []() -> int { throw UsageError("wrong"); }), 2);
  EXPECT_EQ(run_app("prog", []() -> int { throw InputError("bad"); }), 2);
  EXPECT_EQ(run_app("prog", []() -> int { throw RuntimeFault("broke"); }), 1);
  EXPECT_EQ(run_app("prog", []() -> int { throw std::bad_alloc(); }), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "prog: error: wrong\nprog: error: bad\nprog: error: broke\n"
            "prog: error: out of memory\n");
}

}  // namespace
}  // namespace helicity::app
