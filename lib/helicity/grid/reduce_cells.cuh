// SPDX-License-Identifier: Apache-2.0
#pragma once
// Only for nvcc: reductions over cells on a CUDA device.

#include <helicity/core/buffer.hpp>
#include <helicity/core/exact_sum.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/grid/for_cells.cuh>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace helicity::grid {
namespace detail {

constexpr int reduce_threads = 256;

/// Calls visit(i, j, k) for the cells of a box that belong to this thread of a 1-D grid.
template <class Visit>
__device__ void visit_cells(Box box, Visit&& visit)
{
  const Index3 n = box.size();
  const Index cells = volume(n);
  for (Index c = blockIdx.x * static_cast<Index>(blockDim.x) + threadIdx.x; c < cells;
       c += static_cast<Index>(gridDim.x) * blockDim.x)
  {
    const Index row = c / n.i;
    visit(box.lo.i + c % n.i, box.lo.j + row % n.j, box.lo.k + row / n.j);
  }
}

template <class R, class F>
__global__ void reduce_cells_kernel(Box box, F f, typename R::Value* partial)
{
  using Value = typename R::Value;
  __shared__ Value shared[reduce_threads];
  Value mine = R::identity;
  visit_cells(box, [&](Index i, Index j, Index k) {
    mine = R::combine(mine, static_cast<Value>(f(i, j, k)));
  });
  shared[threadIdx.x] = mine;
  for (int half = reduce_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
      shared[threadIdx.x] = R::combine(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}

/// Adds the digits of all values to sums[0, levels + 3) with integer atomics: exact in any order.
template <class F>
__global__ void sum_cells_kernel(Box box, F f, unsigned long long* sums)
{
  constexpr int size = exact::levels + 3;
  __shared__ unsigned long long digits[size];
  for (int d = threadIdx.x; d < size; d += blockDim.x) digits[d] = 0;
  __syncthreads();
  visit_cells(box, [&](Index i, Index j, Index k) {
    const auto v = static_cast<double>(f(i, j, k));
    if (exact::biased_exponent(v) == 0x7ff) {
      atomicAdd(&digits[exact::levels + (v != v ? 2 : v > 0 ? 0 : 1)], 1ULL);
      return;
    }
    exact::for_digits(v, [&](int level, std::int64_t digit) {
      atomicAdd(&digits[level], static_cast<unsigned long long>(digit));
    });
  });
  __syncthreads();
  for (int d = threadIdx.x; d < size; d += blockDim.x)
    if (digits[d] != 0) atomicAdd(&sums[d], digits[d]);
}

inline int reduce_blocks(Box box)
{
  return static_cast<int>(
      std::clamp<Index>((box.cells() + 4 * reduce_threads - 1) / (4 * reduce_threads), 1, 1024));
}

}  // namespace detail

template <class R, class F>
typename R::Value reduce_cells(Cuda exec, Box box, F f)
{
  using Value = typename R::Value;
  if (box.empty()) return R::identity;
  const DeviceGuard guard(exec.device_id);
  const auto blocks = static_cast<std::size_t>(detail::reduce_blocks(box));
  Buffer<Value> partial(MemoryKind::device, blocks, exec);
  detail::reduce_cells_kernel<R>
      <<<static_cast<unsigned>(blocks), detail::reduce_threads, 0, exec.stream>>>(box, f,
                                                                                  partial.data());
  detail::check_launch(cudaGetLastError(), "reduce_cells");
  std::vector<Value> host(blocks);
  copy_bytes(host.data(), partial.data(), blocks * sizeof(Value), exec);
  synchronize(exec);
  Value all = R::identity;
  for (const Value v : host) all = R::combine(all, v);
  return all;
}

template <class F>
ExactSum sum_cells(Cuda exec, Box box, F f)
{
  ExactSum all;
  if (box.empty()) return all;
  const DeviceGuard guard(exec.device_id);
  constexpr std::size_t size = exact::levels + 3;
  Buffer<unsigned long long> sums(MemoryKind::device, size, exec);
  fill_bytes(sums.data(), 0, sums.bytes(), exec);
  detail::sum_cells_kernel<<<static_cast<unsigned>(detail::reduce_blocks(box)),
                             detail::reduce_threads, 0, exec.stream>>>(box, f, sums.data());
  detail::check_launch(cudaGetLastError(), "sum_cells");
  copy_bytes(all.digits().data(), sums.data(), sums.bytes(), exec);
  synchronize(exec);
  return all;
}

}  // namespace helicity::grid
