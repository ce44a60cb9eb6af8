// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/progress.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace helicity {
namespace {

/// A stream and a clock that the test reads and sets.
class ProgressTest : public testing::Test
{
 protected:
  void TearDown() override
  {
    std::fclose(stream_);
    std::free(text_);
  }

  Progress::Target target(bool terminal, bool colour = false)
  {
    return {stream_, terminal, colour, [this] { return now_; }};
  }

  std::string text()
  {
    std::fflush(stream_);
    return {text_, size_};
  }

  double now_ = 0;

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* stream_ = open_memstream(&text_, &size_);
};

TEST_F(ProgressTest, WritesALineEachTenPercentElsewhere)
{
  Progress progress(ProgressMode::always, "align", "pairs", 1000, target(false));
  for (std::uint64_t done = 1; done <= 1000; ++done) {
    now_ += 0.01;
    progress.update(done);
  }
  EXPECT_EQ(std::ranges::count(text(), '\n'), 10);
  EXPECT_TRUE(text().starts_with("align: 10 %, 100 pairs, 100 pairs/s, 0:09 left\n")) << text();
  EXPECT_EQ(text().find('\r'), std::string::npos);
  EXPECT_EQ(text().find('\033'), std::string::npos);
}

TEST_F(ProgressTest, WritesALineEachMinuteWithoutATotal)
{
  Progress progress(ProgressMode::always, "align", "pairs", 0, target(false));
  for (int second = 1; second <= 150; ++second) {
    now_ = second;
    progress.update(static_cast<std::uint64_t>(10 * second));
  }
  EXPECT_EQ(text(), "align: 600 pairs, 10 pairs/s, 1:00\nalign: 1200 pairs, 10 pairs/s, 2:00\n");
}

TEST_F(ProgressTest, IsSilentElsewhereUnlessAsked)
{
  Progress progress(ProgressMode::automatic, "align", "pairs", 10, target(false));
  now_ = 100;
  progress.update(10);
  progress.finish();
  EXPECT_EQ(text(), "");
}

TEST_F(ProgressTest, DrawsOnATerminalAfterTwoSecondsAndClears)
{
  Progress progress(ProgressMode::automatic, "align", "pairs", 100, target(true));
  now_ = 1.9;
  progress.update(10);
  EXPECT_EQ(text(), "");
  now_ = 5;
  progress.update(50);
  const std::string bar = std::string(15, '=') + std::string(15, ' ');
  const std::string line = "\r\033[Kalign: [" + bar + "] 50 %, 50 pairs, 10 pairs/s, 0:05 left";
  EXPECT_EQ(text(), line);
  now_ = 5.05;
  progress.update(51);  // too soon
  progress.finish();
  EXPECT_EQ(text(), line + "\r\033[K");
}

TEST_F(ProgressTest, NeverMeansNever)
{
  Progress progress(ProgressMode::never, "align", "pairs", 100, target(true));
  now_ = 100;
  progress.update(50);
  progress.finish();
  EXPECT_EQ(text(), "");
}

TEST(ProgressColour, ObeysNoColor)
{
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(Progress::wants_colour());
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(Progress::wants_colour());
  unsetenv("NO_COLOR");
  EXPECT_TRUE(Progress::wants_colour());
}

}  // namespace
}  // namespace helicity
