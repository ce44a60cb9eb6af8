// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/core/timer.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace helicity {

/// When progress is shown: `automatic` on a terminal only, `always` also as lines in a log file.
enum class ProgressMode { never, automatic, always };

/// Tells how far a run is, on one line that is redrawn on a terminal (after two seconds, at most
/// ten times a second, in colour unless NO_COLOR is set), or on lines of their own elsewhere: one
/// each 10 % or 60 s. Without a known total it counts.
/// @note Not thread-safe. For apps: nothing in the library makes one.
class HELICITY_EXPORT Progress
{
 public:
  /// Where and how it draws; the defaults ask the system.
  struct Target
  {
    std::FILE* stream = stderr;
    bool terminal = is_terminal(stderr);
    bool colour = wants_colour();
    std::function<double()> seconds;  ///< since the start; empty: the wall clock
  };

  /// @param total  units of work, 0 if unknown
  Progress(ProgressMode mode, std::string label, std::string unit, std::uint64_t total = 0);
  Progress(ProgressMode mode, std::string label, std::string unit, std::uint64_t total,
           Target target);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  ///< finish()

  /// Sets the work done so far, and draws if it is time to.
  void update(std::uint64_t done);

  /// Clears the line on a terminal; nothing is drawn afterwards.
  void finish();

  static bool is_terminal(std::FILE* stream) noexcept;
  static bool wants_colour() noexcept;  ///< NO_COLOR is unset or empty

 private:
  double seconds() const;
  bool due(double now) const;
  std::string line(double now) const;
  void draw(double now);

  std::string label_, unit_;
  std::uint64_t total_, done_ = 0;
  Target target_;
  Timer timer_;
  bool active_;
  bool on_screen_ = false;
  double last_time_ = 0;
  std::uint64_t last_tenth_ = 0;
};

}  // namespace helicity
