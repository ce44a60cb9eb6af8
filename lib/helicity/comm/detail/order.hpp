// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace helicity::comm::detail {

/// An integer in the order of doubles (-0 below +0), so that their largest does not depend on the
/// order of comparison. @pre value is no NaN
inline std::int64_t ordered(double value)
{
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : bits ^ std::numeric_limits<std::int64_t>::max();
}

/// The number behind ordered(); the integers' ends, which no number has, stand for NaN.
inline double number(std::int64_t key)
{
  if (key == std::numeric_limits<std::int64_t>::max() ||
      key == std::numeric_limits<std::int64_t>::min())
    return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>(key >= 0 ? key : key ^ std::numeric_limits<std::int64_t>::max());
}

}  // namespace helicity::comm::detail
