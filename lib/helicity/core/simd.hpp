// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <string_view>
#include <vector>

namespace helicity {

/// An instruction set that CPU kernels are compiled for.
struct InstructionSet
{
  std::string_view name;  ///< "scalar", "ssse3", "sse4", "avx2", "avx512", "neon", ...
  int vector_bits = 0;    ///< width of a register; 64 for scalar
  bool usable = false;    ///< this machine has it (limits do not count)
};

/// All that kernels are compiled for, the narrowest (always usable) first.
HELICITY_EXPORT std::vector<InstructionSet> instruction_sets();

/// The one that kernels run with: the widest usable one within the limit.
HELICITY_EXPORT InstructionSet chosen_isa();

/// Lets kernels use no instruction set wider than `name`; an empty name lifts the limit. Answers
/// do not depend on it, speed does.
/// @throws UsageError for an unknown name, or one this machine cannot run
/// @note Not while kernels run in another thread.
HELICITY_EXPORT void limit_isa(std::string_view name);

/// Applies the environment variable HELICITY_ISA, if set and not empty, with limit_isa.
HELICITY_EXPORT void limit_isa_from_environment();

}  // namespace helicity
