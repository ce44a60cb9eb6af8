// SPDX-License-Identifier: Apache-2.0
#include <helicity/job/detail/signals.hpp>

namespace helicity::job::detail {
namespace {

constexpr int watched[] = {SIGTERM, SIGUSR1, SIGINT};

volatile std::sig_atomic_t seen_signal = 0;  // a value of Stop

extern "C" void note_signal(int signal)
{
  const auto stop =
      static_cast<std::sig_atomic_t>(signal == SIGINT ? Stop::interrupt : Stop::requeue);
  if (stop > seen_signal) seen_signal = stop;
}

}  // namespace

SignalWatch::SignalWatch()
{
  seen_signal = 0;
  for (int i = 0; i < count; ++i) {
    struct sigaction action = {};
    action.sa_handler = &note_signal;
    sigemptyset(&action.sa_mask);
    const unsigned once = watched[i] == SIGINT ? static_cast<unsigned>(SA_RESETHAND) : 0U;
    action.sa_flags = static_cast<int>(static_cast<unsigned>(SA_RESTART) | once);
    sigaction(watched[i], &action, &before_[i]);
  }
}

SignalWatch::~SignalWatch()
{
  for (int i = 0; i < count; ++i) sigaction(watched[i], &before_[i], nullptr);
}

Stop SignalWatch::seen() noexcept { return static_cast<Stop>(seen_signal); }

}  // namespace helicity::job::detail
