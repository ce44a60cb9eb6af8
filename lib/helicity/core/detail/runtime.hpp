// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/memory.hpp>

#include <cstddef>

/// What core asks of the CUDA runtime; defined in kernels/core, with CUDA or without.
namespace helicity::detail {

/// Pinned or device memory from the driver; nullptr if there is not so much.
/// @throws RuntimeFault for any other failure
void* driver_allocate(MemoryKind kind, int device_id, std::size_t bytes);

/// Gives it back; waits for the device. Ignores failures: the process may be ending.
void driver_free(MemoryKind kind, int device_id, void* data) noexcept;

/// Free bytes of a device now. @throws RuntimeFault
std::size_t driver_free_bytes(int device_id);

}  // namespace helicity::detail
