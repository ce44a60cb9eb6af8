// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>

namespace helicity::align {

/// Equal letters score alike, all others alike and not more than 0, N included: no table is needed.
inline bool is_uniform(const ScoreTable& table)
{
  const int mismatch = table(0, 1);
  return table.uniform && table(4, 0) == mismatch && table(4, 4) == mismatch && mismatch <= 0;
}

}  // namespace helicity::align
