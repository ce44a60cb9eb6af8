// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The one place that looks at the compiler: marks for functions that host and device share.

#if defined(__CUDACC__)
#define HELICITY_HD __host__ __device__ __forceinline__
#elif defined(__GNUC__) || defined(__clang__)
#define HELICITY_HD inline __attribute__((always_inline))
#else
#define HELICITY_HD inline
#endif

#if defined(HELICITY_STATIC)
#define HELICITY_EXPORT
#elif defined(__GNUC__) || defined(__clang__)
#define HELICITY_EXPORT __attribute__((visibility("default")))
#else
#define HELICITY_EXPORT
#endif
