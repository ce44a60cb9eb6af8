// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/job/driver.hpp>

#include <string>
#include <vector>

namespace helicity::job::detail {

/// NAME_series.csv: a row of numbers at times. All functions are collective.
class Series
{
 public:
  Series(Simulation& simulation, const RunPlan& plan) : simulation_(simulation), plan_(plan) {}

  /// Adds the row of the step that the simulation is at. Before the first one, the file is begun
  /// anew, or, after step 0, what it has of this step and later ones is taken out.
  void write_row();

 private:
  void begin(const std::string& header);
  std::string path() const;

  Simulation& simulation_;
  const RunPlan& plan_;
  std::vector<Index3> cells_;  // of the probes
  bool begun_ = false;
};

}  // namespace helicity::job::detail
