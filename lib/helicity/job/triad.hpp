// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>

#include <cstddef>

namespace helicity::job {

/// a[i] = b[i] + s c[i] for i in [0, n): what measures bandwidth. Arrays in memory of the device.
/// @throws RuntimeFault if the launch fails, or the library was built without CUDA
/// @note asynchronous
HELICITY_EXPORT void triad(Cuda exec, double* a, const double* b, const double* c, double s,
                           std::size_t n);

}  // namespace helicity::job
