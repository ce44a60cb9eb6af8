// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace helicity::io {

/// A value of an attribute.
using Value = std::variant<std::int64_t, double, std::string>;

/// Attributes by name, written in the order of their names.
using Attributes = std::map<std::string, Value>;

/// Coordinates of the global grid: cell centres at origin + (index + 1/2) * spacing.
struct Coordinates
{
  std::array<double, 3> origin{0, 0, 0};
  std::array<double, 3> spacing{1, 1, 1};
  std::string units = "m";  ///< "1" for dimensionless
};

}  // namespace helicity::io
