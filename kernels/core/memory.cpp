// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/detail/runtime.hpp>
#include <helicity/core/device.hpp>
#include <support/check.cuh>

namespace helicity::detail {

void* driver_allocate(MemoryKind kind, int device_id, std::size_t bytes)
{
  const DeviceGuard guard(device_id);
  void* data = nullptr;
  const cudaError_t error = kind == MemoryKind::device
                                ? cudaMalloc(&data, bytes)
                                : cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check_cuda(error, kind == MemoryKind::device ? "cudaMalloc" : "cudaHostAlloc");
  return data;
}

void driver_free(MemoryKind kind, int device_id, void* data) noexcept
{
  int previous = 0;
  const bool known = cudaGetDevice(&previous) == cudaSuccess;
  cudaSetDevice(device_id);
  kind == MemoryKind::device ? cudaFree(data) : cudaFreeHost(data);
  if (known) cudaSetDevice(previous);
  cudaGetLastError();
}

std::size_t driver_free_bytes(int device_id)
{
  const DeviceGuard guard(device_id);
  std::size_t free = 0, total = 0;
  HELICITY_CUDA(cudaMemGetInfo(&free, &total));
  return free;
}

}  // namespace helicity::detail
