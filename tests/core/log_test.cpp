// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/log.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace helicity {
namespace {

class Log : public testing::Test
{
 protected:
  void TearDown() override
  {
    set_log_sink({});
    set_log_level(LogLevel::normal);
  }

  std::vector<std::string> messages_at(LogLevel level)
  {
    std::vector<std::string> messages;
    set_log_sink([&](LogKind, std::string_view text) { messages.emplace_back(text); });
    set_log_level(level);
    log(LogKind::warning, "w");
    log(LogKind::info, "i");
    log(LogKind::detail, "d");
    set_log_sink({});
    return messages;
  }
};

TEST_F(Log, PassesWhatTheLevelAllows)
{
  EXPECT_EQ(messages_at(LogLevel::quiet), (std::vector<std::string>{"w"}));
  EXPECT_EQ(messages_at(LogLevel::normal), (std::vector<std::string>{"w", "i"}));
  EXPECT_EQ(messages_at(LogLevel::verbose), (std::vector<std::string>{"w", "i", "d"}));
}

TEST_F(Log, IsSilentWithoutASink)
{
  testing::internal::CaptureStderr();
  EXPECT_FALSE(log_enabled(LogKind::warning));
  log(LogKind::warning, "nobody hears");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Log, WritesLinesToStderr)
{
  testing::internal::CaptureStderr();
  set_log_sink(stderr_sink("prog"));
  log(LogKind::info, "hello");
  log(LogKind::warning, "beware");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "prog: hello\nprog: warning: beware\n");
}

}  // namespace
}  // namespace helicity
