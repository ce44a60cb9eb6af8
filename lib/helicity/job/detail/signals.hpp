// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstdint>

namespace helicity::job::detail {

/// Why a run ends before its last step; a later one outranks an earlier one.
enum class Stop : std::int64_t { none = 0, walltime = 1, requeue = 2, interrupt = 3 };

/// Catches SIGTERM and SIGUSR1 (requeue) and SIGINT (interrupt) while it lives; the first SIGINT
/// restores the default, so that the second ends the process. One at a time.
class SignalWatch
{
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  static Stop seen() noexcept;  ///< on this rank

 private:
  static constexpr int count = 3;
  struct sigaction before_[count];
};

}  // namespace helicity::job::detail
