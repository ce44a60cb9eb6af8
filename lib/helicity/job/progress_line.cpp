// SPDX-License-Identifier: Apache-2.0
#include <helicity/job/detail/progress_line.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace helicity::job::detail {
namespace {

constexpr double silent_seconds = 2.0;
constexpr double redraw_seconds = 0.2;
constexpr double line_seconds = 60.0;

}  // namespace

std::string format_duration(double seconds)
{
  const auto s = std::llround(std::fmax(seconds, 0));
  if (s < 120) return fmt::format("{} s", s);
  if (s < 2 * 3600) return fmt::format("{} min", (s + 30) / 60);
  if (s < 48 * 3600) return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
  return fmt::format("{} d {} h", s / 86400, s / 3600 % 24);
}

std::string format_rate(double cells_per_second)
{
  return fmt::format("{:.3g} MLUPS", cells_per_second / 1e6);
}

ProgressLine::ProgressLine(const RunPlan& plan, const Cost& cost, bool speaks)
    : plan_(plan), cost_(cost), terminal_(Progress::is_terminal(stderr))
{
  active_ = speaks && (plan.progress == ProgressMode::always ||
                       (plan.progress == ProgressMode::automatic && terminal_));
}

bool ProgressLine::due(std::int64_t step) const
{
  const double now = timer_.seconds();
  if (terminal_) return now >= silent_seconds && now - drawn_time_ >= redraw_seconds;
  const auto tenth = [&](std::int64_t at) {
    return static_cast<double>(at) * 10 / static_cast<double>(plan_.steps);
  };
  return std::floor(tenth(step)) > std::floor(tenth(drawn_step_)) ||
         now - drawn_time_ >= line_seconds;
}

void ProgressLine::update(const Clock& clock, double stepping)
{
  if (!active_ || !due(clock.step)) return;
  const std::string line = text(clock, stepping);
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", line);
  else
    fmt::print(stderr, "{}\n", line);
  std::fflush(stderr);
  on_screen_ = terminal_;
  drawn_time_ = timer_.seconds();
  drawn_step_ = clock.step;
  drawn_stepping_ = stepping;
}

std::string ProgressLine::text(const Clock& clock, double stepping) const
{
  const auto total = static_cast<double>(plan_.steps), at = static_cast<double>(clock.step);
  std::string line =
      fmt::format("step {}/{} ({:.0f} %)", clock.step, plan_.steps, std::floor(100 * at / total));
  if (clock.step_seconds != 1) line += fmt::format(" t={:.4g} s", clock.time());
  const auto steps = static_cast<double>(clock.step - drawn_step_);
  const double seconds = stepping - drawn_stepping_;
  if (seconds > 0) {
    line += fmt::format(" {}", format_rate(static_cast<double>(cost_.cells) * steps / seconds));
    const double used = cost_.bytes_per_step * steps / seconds;
    if (plan_.bandwidth > 0)
      line += fmt::format(" {:.0f} % of bandwidth", 100 * used / plan_.bandwidth);
  }
  const auto done = static_cast<double>(clock.step - first_step_);
  if (done > 0)
    line += fmt::format(" ETA {}", format_duration(timer_.seconds() / done * (total - at)));
  return line;
}

void ProgressLine::clear()
{
  if (!on_screen_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  on_screen_ = false;
}

}  // namespace helicity::job::detail
