// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/job/driver.hpp>

#include <cstdint>
#include <string>

namespace helicity::job::detail {

/// The states of a run: written, and older ones removed. All functions are collective.
class Checkpoints
{
 public:
  Checkpoints(Simulation& simulation, const RunPlan& plan);

  /// Resumes from plan.checkpoint.restart. @throws UsageError
  bool wanted() const;  ///< whether a state is to be resumed from; collective
  void resume();

  /// Writes the state as it is now, unless the last file holds this step already.
  void write();

  const std::string& last() const { return last_; }  ///< file; empty: none
  std::int64_t last_step() const { return last_step_; }
  std::int64_t written() const { return written_; }
  double seconds() const { return seconds_; }  ///< spent in write(), on this rank

  /// How long the next write() may take: the longest so far, or a guess.
  double expected_seconds() const;

 private:
  void remove_old();
  void require_same_configuration(const io::StateReader& state, const std::string& path) const;

  Simulation& simulation_;
  const RunPlan& plan_;
  std::uint64_t memory_ = 0;  // of all ranks
  std::string last_;
  std::int64_t last_step_ = -1;
  std::int64_t written_ = 0;
  double seconds_ = 0, longest_ = 0;
};

/// The configuration as TOML that a plan carries among the attributes of its snapshots.
std::string configuration_text(const RunPlan& plan);

/// Which keys two configurations differ in: "fluid.viscosity is 0.1 there, 0.2 here". Keys that a
/// restart may change (output, checkpoint, steps) are told only if there are no others.
std::string describe_difference(const std::string& there, const std::string& here);

}  // namespace helicity::job::detail
