// SPDX-License-Identifier: Apache-2.0
#pragma once
// Only for nvcc: what for_cells.hpp and reduce_cells.hpp do on a CUDA device.

#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/grid/box.hpp>

#include <cuda_runtime.h>

#include <string>

namespace helicity::grid {
namespace detail {

inline void check_launch(cudaError_t error, const char* what)
{
  if (error != cudaSuccess)
    throw RuntimeFault(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Threads of a block: a warp or more along i, rows above.
inline dim3 cell_block(Index3 n)
{
  const unsigned x = n.i > 64 ? 128 : n.i > 32 ? 64 : 32;
  return dim3(x, 256 / x, 1);
}

/// Blocks for a box; those past the limits of a grid are taken by loops in the kernel.
inline dim3 cell_grid(Index3 n, dim3 block)
{
  const auto most = [](Index want, Index limit) {
    return static_cast<unsigned>(want < limit ? want : limit);
  };
  return dim3(most((n.i + block.x - 1) / block.x, 1 << 20),
              most((n.j + block.y - 1) / block.y, 65535), most(n.k, 65535));
}

template <class F>
__global__ void for_cells_kernel(Box box, F f)
{
  for (Index k = box.lo.k + blockIdx.z; k < box.hi.k; k += gridDim.z)
    for (Index j = box.lo.j + blockIdx.y * blockDim.y + threadIdx.y; j < box.hi.j;
         j += static_cast<Index>(gridDim.y) * blockDim.y)
      for (Index i = box.lo.i + blockIdx.x * static_cast<Index>(blockDim.x) + threadIdx.x;
           i < box.hi.i; i += static_cast<Index>(gridDim.x) * blockDim.x)
        f(i, j, k);
}

}  // namespace detail

/// Calls f(i, j, k) for every cell of a box on a device, in the order of exec.stream.
/// @throws RuntimeFault if the launch fails  @note asynchronous
template <class F>
void for_cells(Cuda exec, Box box, F f)
{
  if (box.empty()) return;
  const DeviceGuard guard(exec.device_id);
  const dim3 block = detail::cell_block(box.size());
  detail::for_cells_kernel<<<detail::cell_grid(box.size(), block), block, 0, exec.stream>>>(box, f);
  detail::check_launch(cudaGetLastError(), "for_cells");
}

}  // namespace helicity::grid
