// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/job/detail/series.hpp>
#include <helicity/job/driver.hpp>

#include <cstdint>
#include <optional>

namespace helicity::job::detail {

/// Snapshots, images and the series of a run. All functions are collective.
class Outputs
{
 public:
  Outputs(Simulation& simulation, const RunPlan& plan)
      : simulation_(simulation), plan_(plan), series_(simulation, plan)
  {}

  bool due(std::int64_t step) const
  {
    return plan_.output.snapshots.due(step) || plan_.output.images.due(step) ||
           plan_.output.series.due(step);
  }

  /// Writes what is due at the step the simulation is at.
  void write_due();

  std::int64_t snapshots() const { return snapshots_; }
  std::int64_t images() const { return images_; }
  double seconds() const { return seconds_; }  ///< spent here, on this rank

 private:
  void write_snapshot();
  void write_image();

  Simulation& simulation_;
  const RunPlan& plan_;
  std::optional<io::SnapshotWriter> writer_;
  Series series_;
  std::int64_t snapshots_ = 0, images_ = 0;
  double seconds_ = 0;
};

}  // namespace helicity::job::detail
