// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>
#include <helicity/grid/reduce_cells.hpp>

#include <cstdint>

namespace helicity::test {

/// Numbers without order, of very different sizes and both signs, the same on host and device.
struct Sample
{
  HELICITY_HD double operator()(Index i, Index j, Index k) const
  {
    const auto place = static_cast<std::uint64_t>(i + 1000 * (j + 1000 * k));
    const std::uint64_t bits = grid::hash_cell(17, place);
    const auto exponent = static_cast<int>(bits >> 56) % spread - spread / 2;
    const auto mantissa = static_cast<double>(static_cast<std::int64_t>(bits << 8) >> 11);
    return mantissa * exact::power_of_two(exponent);
  }

  int spread = 200;
};

/// Its bits, for a sum of hashes.
struct Hashed
{
  HELICITY_HD std::uint64_t operator()(Index i, Index j, Index k) const
  {
    const auto place = static_cast<std::uint64_t>(i + 1000 * (j + 1000 * k));
    return grid::hash_cell(grid::bits_of(Sample{}(i, j, k)), place);
  }
};

}  // namespace helicity::test
