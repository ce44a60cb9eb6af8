// SPDX-License-Identifier: Apache-2.0
#include <align/trace_runs.hpp>
#include <align/trace_tuning.cuh>
#include <support/launch.cuh>

#include <cub/device/device_scan.cuh>

namespace helicity::align {
namespace {

constexpr unsigned full_warp = 0xffffffffU;

/// One path by one warp: every lane looks at one step, and at the next, in forward order; a lane
/// whose run ends writes it.
__device__ void write_path(const std::uint32_t* steps, const TraceResult& path, std::uint32_t* ops,
                           unsigned lane)
{
  const int count = path.steps;
  const auto operation = [&](int place) {  // 3: past the end
    const int back = count - 1 - place;
    return back < 0 ? 3U : steps[back / 16] >> (2 * (back & 15)) & 3U;
  };
  int begin = 0;  // of the run that is open
  int written = 0;
  if (path.edge != 0) {
    const unsigned edge_operation = path.edge > 0 ? 2U : 1U;
    const int length = abs(path.edge);
    if (operation(0) == edge_operation) {
      begin = -length;
    } else {
      if (lane == 0) ops[0] = static_cast<std::uint32_t>(length) << 4 | edge_operation;
      written = 1;
    }
  }
  for (int base = 0; base < count; base += 32) {
    const int place = base + static_cast<int>(lane);
    const unsigned mine = operation(place);
    const bool ends = place < count && mine != operation(place + 1);
    const unsigned all = __ballot_sync(full_warp, ends);
    const unsigned before = all & ((1U << lane) - 1U);
    if (ends) {
      const int from = before == 0 ? begin : base + 32 - __clz(static_cast<int>(before));
      ops[written + __popc(before)] = static_cast<std::uint32_t>(place + 1 - from) << 4 | mine;
    }
    if (all != 0) begin = base + 32 - __clz(static_cast<int>(all));
    written += __popc(all);
  }
}

__global__ void __launch_bounds__(tuning::trace_threads)
    write_runs_kernel(const __grid_constant__ TraceRuns paths)
{
  if (paths.offsets[paths.count] - paths.first > paths.capacity) return;
  const int warps = static_cast<int>(gridDim.x) * (tuning::trace_threads / 32);
  const int warp = static_cast<int>(blockIdx.x) * (tuning::trace_threads / 32) +
                   static_cast<int>(threadIdx.x / 32);
  for (int k = warp; k < paths.count; k += warps) {
    write_path(paths.steps + paths.tasks[k].steps, paths.results[k],
               paths.ops + (paths.offsets[k] - paths.first), threadIdx.x % 32);
  }
}

}  // namespace

std::size_t trace_offset_bytes(std::int32_t count)
{
  std::size_t bytes = 0;
  std::uint32_t* const none = nullptr;
  HELICITY_CUDA(cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, count + 1));
  return bytes;
}

void trace_offsets(const std::uint32_t* runs, std::int32_t count, std::uint32_t* offsets,
                   void* scratch, std::size_t scratch_bytes, CUstream_st* stream)
{
  HELICITY_CUDA(
      cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, runs, offsets, count + 1, stream));
}

void write_trace_runs(const TraceRuns& paths, CUstream_st* stream)
{
  constexpr int warps = tuning::trace_threads / 32;
  const int blocks = resident_blocks(write_runs_kernel, tuning::trace_threads,
                                     (static_cast<long long>(paths.count) + warps - 1) / warps);
  launch("write_runs_kernel", write_runs_kernel, {blocks, tuning::trace_threads, stream}, paths);
}

}  // namespace helicity::align
