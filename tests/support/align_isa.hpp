// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/simd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace helicity::test {

/// Names of the instruction sets that this machine can run, the narrowest first.
inline std::vector<std::string> usable_isas()
{
  std::vector<std::string> names;
  for (const InstructionSet& isa : instruction_sets())
    if (isa.usable) names.emplace_back(isa.name);
  return names;
}

/// Limits kernels to an instruction set while it lives.
class IsaLimit
{
 public:
  explicit IsaLimit(std::string_view name) { limit_isa(name); }
  ~IsaLimit() { limit_isa(""); }
  IsaLimit(const IsaLimit&) = delete;
  IsaLimit& operator=(const IsaLimit&) = delete;
};

}  // namespace helicity::test
