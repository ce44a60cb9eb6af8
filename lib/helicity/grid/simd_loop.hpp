// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Stands before a loop whose iterations are independent: the compiler may run them in SIMD lanes.
#if defined(__clang__)
#define HELICITY_SIMD_LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define HELICITY_SIMD_LOOP _Pragma("GCC ivdep")
#else
#define HELICITY_SIMD_LOOP
#endif
