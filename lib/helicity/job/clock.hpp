// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace helicity::job {

/// Time as a whole number of steps of equal length: never a sum of rounded numbers.
struct Clock
{
  std::int64_t step = 0;
  double step_seconds = 1;  ///< length of a step; 1 where time is counted in steps

  double time() const { return static_cast<double>(step) * step_seconds; }
};

/// Every n-th step; never for n = 0.
struct Every
{
  std::int64_t steps = 0;
  bool due(std::int64_t step) const { return steps > 0 && step % steps == 0; }
};

}  // namespace helicity::job
