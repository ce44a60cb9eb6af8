// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/progress.hpp>

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace helicity {
namespace {

constexpr double silent_seconds = 2.0;
constexpr double redraw_seconds = 0.1;
constexpr double line_seconds = 60.0;
constexpr int bar_width = 30;

std::string clock_text(double seconds)
{
  const auto s = std::llround(seconds);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string bar(double fraction)
{
  const int full = static_cast<int>(fraction * bar_width);
  return fmt::format("[{}{}]", std::string(static_cast<std::size_t>(full), '='),
                     std::string(static_cast<std::size_t>(bar_width - full), ' '));
}

}  // namespace

Progress::Progress(ProgressMode mode, std::string label, std::string unit, std::uint64_t total)
    : Progress(mode, std::move(label), std::move(unit), total, Target())
{}

Progress::Progress(ProgressMode mode, std::string label, std::string unit, std::uint64_t total,
                   Target target)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      target_(std::move(target)),
      active_(mode == ProgressMode::always || (mode == ProgressMode::automatic && target_.terminal))
{}

Progress::~Progress() { finish(); }

void Progress::update(std::uint64_t done)
{
  if (!active_) return;
  done_ = done;
  const double now = seconds();
  if (due(now)) draw(now);
}

void Progress::finish()
{
  if (on_screen_) fmt::print(target_.stream, "\r\033[K");
  std::fflush(target_.stream);
  on_screen_ = active_ = false;
}

bool Progress::is_terminal(std::FILE* stream) noexcept { return isatty(fileno(stream)) == 1; }

bool Progress::wants_colour() noexcept
{
  const char* value = std::getenv("NO_COLOR");
  return value == nullptr || *value == '\0';
}

double Progress::seconds() const { return target_.seconds ? target_.seconds() : timer_.seconds(); }

bool Progress::due(double now) const
{
  if (target_.terminal)
    return now >= silent_seconds && (!on_screen_ || now - last_time_ >= redraw_seconds);
  const std::uint64_t tenth = total_ == 0 ? 0 : done_ * 10 / total_;
  return tenth > last_tenth_ || now - last_time_ >= line_seconds;
}

std::string Progress::line(double now) const
{
  const double rate = now > 0 ? static_cast<double>(done_) / now : 0;
  const std::string counted = fmt::format("{} {}, {:.3g} {}/s", done_, unit_, rate, unit_);
  if (total_ == 0) return fmt::format("{}: {}, {}", label_, counted, clock_text(now));
  const double fraction = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
  const double left = fraction > 0 ? now / fraction - now : 0;
  const std::string drawn = target_.terminal ? bar(fraction) + " " : "";
  return fmt::format("{}: {}{:.0f} %, {}, {} left", label_, drawn, 100 * fraction, counted,
                     clock_text(left));
}

void Progress::draw(double now)
{
  const std::string text = line(now);
  if (!target_.terminal)
    fmt::print(target_.stream, "{}\n", text);
  else if (target_.colour)
    fmt::print(target_.stream, "\r\033[K\033[36m{}\033[0m", text);
  else
    fmt::print(target_.stream, "\r\033[K{}", text);
  std::fflush(target_.stream);
  on_screen_ = target_.terminal;
  last_time_ = now;
  last_tenth_ = total_ == 0 ? 0 : done_ * 10 / total_;
}

}  // namespace helicity
