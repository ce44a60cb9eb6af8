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

/// Marks a lambda for for_cells and reduce_cells: code for both host and device under nvcc
/// (--extended-lambda), an ordinary lambda elsewhere.
#if defined(__CUDACC__)
#define HELICITY_LAMBDA __host__ __device__
#else
#define HELICITY_LAMBDA
#endif

#if defined(HELICITY_STATIC)
#define HELICITY_EXPORT
#elif defined(__GNUC__) || defined(__clang__)
#define HELICITY_EXPORT __attribute__((visibility("default")))
#else
#define HELICITY_EXPORT
#endif
