// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <support/check.cuh>

#include <cuda_runtime.h>

#include <algorithm>

namespace helicity {

/// Shape of a one-dimensional launch.
struct Launch
{
  int blocks = 1;
  int threads = 128;
  cudaStream_t stream = nullptr;
};

/// Blocks for `work` blocks' worth of work when each block takes more as it ends: no more than are
/// resident at once on the current device.
template <class... Parameters>
int resident_blocks(void (*kernel)(Parameters...), int threads, long long work)
{
  int device = 0, processors = 0, per_processor = 0;
  HELICITY_CUDA(cudaGetDevice(&device));
  HELICITY_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  HELICITY_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, threads, 0));
  const long long resident = static_cast<long long>(processors) * std::max(per_processor, 1);
  return static_cast<int>(std::clamp(work, 1LL, resident));
}

/// Queues a kernel. @throws RuntimeFault "NAME: ..." if it cannot be; does not wait
template <class... Parameters, class... Arguments>
void launch(const char* name, void (*kernel)(Parameters...), Launch shape, Arguments... arguments)
{
  kernel<<<shape.blocks, shape.threads, 0, shape.stream>>>(arguments...);
  check_cuda(cudaGetLastError(), name);
}

}  // namespace helicity
