// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/timer.hpp>
#include <helicity/job/detail/checkpoint.hpp>
#include <helicity/job/detail/metrics.hpp>
#include <helicity/job/detail/outputs.hpp>
#include <helicity/job/detail/progress_line.hpp>
#include <helicity/job/detail/signals.hpp>
#include <helicity/job/driver.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helicity::job::detail {

/// One call of run(): steps in bursts, and between them what is due. What decides is the same on
/// every rank: step numbers, and what decide() has agreed on.
class Run
{
 public:
  Run(Simulation& simulation, const RunPlan& plan);

  int go();

 private:
  struct Decision
  {
    Stop stop = Stop::none;
    std::int64_t steps = 0;
  };

  void resume();
  void warn_of_old_states() const;
  int step_to_the_end();
  Decision decide() const;
  std::int64_t burst_length() const;
  std::int64_t steps_to_next_stop() const;
  bool walltime_is_near() const;
  void burst(std::int64_t steps);
  std::optional<Trouble> check();
  std::optional<Trouble> serve();
  int end_early(Stop stop);
  int blow_up(const Trouble& trouble);
  int finish(int code, const std::string& reason);
  Metrics collect(int code, const std::string& reason) const;
  static std::string summary(const Metrics& metrics);
  void say(LogKind kind, std::string_view text);

  std::int64_t step() const { return simulation_.clock().step; }
  bool is_last() const { return step() >= plan_.steps; }
  bool speaks() const { return comm_.rank() == 0; }

  Simulation& simulation_;
  const RunPlan& plan_;
  comm::Communicator comm_;
  Cost cost_;
  Timer timer_;
  SignalWatch signals_;
  Checkpoints checkpoints_;
  Outputs outputs_;
  ProgressLine progress_;
  std::int64_t first_step_ = 0;
  double stepping_ = 0, checking_ = 0;
  std::int64_t burst_steps_ = 0;  // of the last burst
  double burst_seconds_ = 0;
};

/// The report of a blow-up: several lines.
std::string describe(const Trouble& trouble, const Clock& clock,
                     const std::string& last_checkpoint);

}  // namespace helicity::job::detail
