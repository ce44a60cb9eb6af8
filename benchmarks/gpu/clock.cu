// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"

#include <helicity/core/buffer.hpp>

namespace gpu_rows {
namespace {

struct Reading
{
  long long cycles;
  unsigned long long nanoseconds;
};

__device__ Reading read_clocks()
{
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return {clock64(), now};
}

/// Spins for so many cycles; tells what both clocks counted meanwhile.
__global__ void spin_kernel(long long cycles, Reading* out)
{
  const Reading begin = read_clocks();
  while (clock64() - begin.cycles < cycles) {
  }
  const Reading end = read_clocks();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *out = {end.cycles - begin.cycles, end.nanoseconds - begin.nanoseconds};
}

}  // namespace

double measured_clock(const helicity::Cuda& exec)
{
  constexpr long long cycles = 40'000'000;  // 20 ms: globaltimer may tick once in a microsecond
  helicity::Buffer<Reading> device(helicity::MemoryKind::device, 1, exec);
  helicity::Buffer<Reading> host(helicity::MemoryKind::pinned, 1);
  for (int round = 0; round < 3; ++round)
    spin_kernel<<<256, 128, 0, exec.stream>>>(cycles, device.data());
  if (cudaGetLastError() != cudaSuccess) return 0;
  helicity::copy(host, device, 1, exec);
  helicity::synchronize(exec);
  const Reading found = host.span()[0];
  if (found.nanoseconds < 1'000'000) return 0;
  return static_cast<double>(found.cycles) / static_cast<double>(found.nanoseconds) * 1e9;
}

}  // namespace gpu_rows
