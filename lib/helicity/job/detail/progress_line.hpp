// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/progress.hpp>
#include <helicity/core/timer.hpp>
#include <helicity/job/driver.hpp>

#include <cstdint>
#include <string>

namespace helicity::job::detail {

/// "34 s", "3 min", "2 h 10 min", "1 d 4 h".
std::string format_duration(double seconds);

/// "153 million cells/s".
std::string format_rate(double cells_per_second);

/// One line on stderr that tells how far a run is, drawn as core Progress does:
/// step 1200/5000 (24 %) t=0.012 s 153 MLUPS 68 % of bandwidth ETA 3 min
class ProgressLine
{
 public:
  ProgressLine(const RunPlan& plan, const Cost& cost, bool speaks);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void start(std::int64_t step) { first_step_ = drawn_step_ = step; }

  /// @param stepping  seconds that steps have taken so far
  void update(const Clock& clock, double stepping);

  void clear();  ///< before something else is written to stderr

 private:
  bool due(std::int64_t step) const;
  std::string text(const Clock& clock, double stepping) const;

  const RunPlan& plan_;
  Cost cost_;
  bool active_, terminal_;
  bool on_screen_ = false;
  Timer timer_;
  std::int64_t first_step_ = 0, drawn_step_ = 0;
  double drawn_time_ = 0, drawn_stepping_ = 0;
};

}  // namespace helicity::job::detail
