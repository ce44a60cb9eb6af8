// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/simd.hpp>

/// CPU loops that are left to the compiler are built once per instruction set (helicity_add_kernel)
/// into a namespace of that name; HELICITY_ISA is the one being compiled. A source compiled once
/// declares them with HELICITY_PER_ISA and takes the widest usable with HELICITY_PICK_ISA:
///
///     // advect_rows.hpp          HELICITY_PER_ISA(void advect_rows(Rows rows);)
///     // advect_rows.cpp          void HELICITY_ISA::advect_rows(Rows rows) { ... }
///     // advect.cpp (plain)       const auto advect = HELICITY_PICK_ISA(advect_rows);
///
/// Such sources use always-inline functions and no standard containers: an ordinary inline function
/// compiled there could be the copy the linker keeps for everybody.

#if defined(__x86_64__)
#define HELICITY_PER_ISA(...) \
  namespace isa_baseline {    \
  __VA_ARGS__                 \
  }                           \
  namespace isa_avx2 {        \
  __VA_ARGS__                 \
  }                           \
  namespace isa_avx512 {      \
  __VA_ARGS__                 \
  }
#define HELICITY_PICK_ISA(function)                                                 \
  (::helicity::kernel_isa() == ::helicity::KernelIsa::avx512 ? isa_avx512::function \
   : ::helicity::kernel_isa() == ::helicity::KernelIsa::avx2 ? isa_avx2::function   \
                                                             : isa_baseline::function)
#else
#define HELICITY_PER_ISA(...) \
  namespace isa_baseline {    \
  __VA_ARGS__                 \
  }
#define HELICITY_PICK_ISA(function) isa_baseline::function
#endif

namespace helicity {

enum class KernelIsa { baseline, avx2, avx512 };

/// The widest set among those that is within the limit of limit_isa().
inline KernelIsa kernel_isa()
{
  const int bits = chosen_isa().vector_bits;
  return bits >= 512 ? KernelIsa::avx512 : bits >= 256 ? KernelIsa::avx2 : KernelIsa::baseline;
}

}  // namespace helicity
