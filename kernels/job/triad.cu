// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/job/triad.hpp>

#include <support/launch.cuh>

namespace helicity::job {
namespace {

constexpr int threads = 256;

__global__ void triad_kernel(double* __restrict__ a, const double* __restrict__ b,
                             const double* __restrict__ c, double s, std::size_t n)
{
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += stride)
    a[i] = b[i] + s * c[i];
}

}  // namespace

void triad(Cuda exec, double* a, const double* b, const double* c, double s, std::size_t n)
{
  if (n == 0) return;
  const DeviceGuard guard(exec.device_id);
  const auto blocks = static_cast<long long>((n + threads - 1) / threads);
  launch("triad", triad_kernel,
         Launch{resident_blocks(triad_kernel, threads, blocks), threads, exec.stream}, a, b, c, s,
         n);
}

}  // namespace helicity::job
