// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace helicity {

/// Wall clock since construction or the last restart, in seconds.
class Timer
{
 public:
  void restart() noexcept { start_ = Clock::now(); }

  double seconds() const noexcept
  {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Adds the time between construction and destruction to a sum of seconds: a phase of a run.
class ScopedTimer
{
 public:
  explicit ScopedTimer(double& sum) noexcept : sum_(sum) {}
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;
  ~ScopedTimer() { sum_ += timer_.seconds(); }

 private:
  double& sum_;
  Timer timer_;
};

}  // namespace helicity
