// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace helicity::seq::detail {

/// Rows of the lower triangle, end to end, of a symmetric matrix over the 24 protein letters.
using Triangle = std::array<std::int8_t, 24 * 25 / 2>;

struct BuiltinMatrix
{
  std::string_view name;
  const Triangle& scores;
};

/// In the order in which a list for people should show them.
std::span<const BuiltinMatrix> builtin_matrices();

}  // namespace helicity::seq::detail
