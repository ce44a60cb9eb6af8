// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/simd.hpp>

/// CPU loops that are left to the compiler are built once per instruction set (helicity_add_kernel)
/// into a namespace of that name; HELICITY_ISA is the one being compiled. A source compiled once
/// declares them with HELICITY_PER_ISA and calls the widest usable with HELICITY_CALL_ISA:
///
///     // advect_rows.hpp          HELICITY_PER_ISA(void advect_rows(Rows rows);)
///     // advect_rows.cpp          void HELICITY_ISA::advect_rows(Rows rows) { ... }
///     // advect.cpp (plain)       HELICITY_CALL_ISA(advect_rows, rows);
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
#define HELICITY_CALL_ISA(function, ...)                                              \
  switch (::helicity::kernel_isa()) {                                                 \
    case ::helicity::KernelIsa::avx512: isa_avx512::function(__VA_ARGS__); break;     \
    case ::helicity::KernelIsa::avx2: isa_avx2::function(__VA_ARGS__); break;         \
    case ::helicity::KernelIsa::baseline: isa_baseline::function(__VA_ARGS__); break; \
  }
#else
#define HELICITY_PER_ISA(...) \
  namespace isa_baseline {    \
  __VA_ARGS__                 \
  }
#define HELICITY_CALL_ISA(function, ...) isa_baseline::function(__VA_ARGS__)
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
