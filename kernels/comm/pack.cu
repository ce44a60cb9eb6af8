// SPDX-License-Identifier: Apache-2.0
#include <support/check.cuh>
#include <support/launch.cuh>

#include <helicity/comm/detail/pack.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/stream.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace helicity::comm::detail {
namespace {

constexpr int threads = 256;
constexpr Index chunk_cells = 2048;  // of a block

template <bool in, class T>
__device__ void move_cells(const Segment& s, Index first, Index last)
{
  const auto ni = static_cast<unsigned>(s.box.hi.i - s.box.lo.i);
  const auto nj = static_cast<unsigned>(s.box.hi.j - s.box.lo.j);
  T* const packed = reinterpret_cast<T*>(s.packed);
  T* const corner =
      reinterpret_cast<T*>(s.origin) + s.box.lo.i + s.box.lo.j * s.sj + s.box.lo.k * s.sk;
  for (Index c = first + threadIdx.x; c < last; c += threads) {
    const auto cell = static_cast<unsigned>(c);  // make_plan sees to it that this is enough
    const unsigned row = cell / ni;
    T* const place = corner + (cell - row * ni) + row % nj * s.sj + row / nj * s.sk;
    if (in)
      packed[c] = *place;
    else
      *place = packed[c];
  }
}

/// A block moves the cells of one chunk.
template <bool in>
__global__ void __launch_bounds__(threads) pack_kernel(const Segment* segments, const Chunk* chunks)
{
  const Chunk chunk = chunks[blockIdx.x];
  const Segment s = segments[chunk.segment];
  if (s.element_bytes == 2)
    move_cells<in, std::uint16_t>(s, chunk.first, chunk.last);
  else if (s.element_bytes == 4)
    move_cells<in, std::uint32_t>(s, chunk.first, chunk.last);
  else
    move_cells<in, std::uint64_t>(s, chunk.first, chunk.last);
}

template <bool in>
void move_all(Cuda exec, const PackPlan& plan)
{
  if (plan.chunks.empty()) return;
  const DeviceGuard guard(exec.device_id);
  launch(in ? "pack_kernel" : "unpack_kernel", pack_kernel<in>,
         {static_cast<int>(plan.chunks.size()), threads, exec.stream}, plan.device_segments.data(),
         plan.device_chunks.data());
}

template <class T>
Buffer<T> on_device(const std::vector<T>& host, Cuda exec)
{
  Buffer<T> device(MemoryKind::device, host.size(), exec);
  if (!host.empty()) copy_bytes(device.data(), host.data(), device.bytes(), exec);
  return device;
}

}  // namespace

PackPlan make_plan(Cuda exec, std::vector<Segment> segments)
{
  PackPlan plan;
  plan.segments = std::move(segments);
  for (std::size_t s = 0; s < plan.segments.size(); ++s) {
    const Index cells = plan.segments[s].box.cells();
    if (cells >> 32 != 0) throw UsageError("a halo piece of more than 2^32 cells");
    for (Index c = 0; c < cells; c += chunk_cells)
      plan.chunks.push_back({static_cast<int>(s), c, std::min(cells, c + chunk_cells)});
    plan.bytes += plan.segments[s].bytes();
  }
  plan.device_segments = on_device(plan.segments, exec);
  plan.device_chunks = on_device(plan.chunks, exec);
  synchronize(exec);
  return plan;
}

void pack(Cuda exec, const PackPlan& plan) { move_all<true>(exec, plan); }
void unpack(Cuda exec, const PackPlan& plan) { move_all<false>(exec, plan); }

DeviceName device_name(int device_id)
{
  char pci[32] = {};
  HELICITY_CUDA(cudaDeviceGetPCIBusId(pci, sizeof pci, device_id));
  cudaDeviceProp properties;
  HELICITY_CUDA(cudaGetDeviceProperties(&properties, device_id));
  DeviceName name{pci, pci};
  for (const char byte : properties.uuid.bytes)
    name.key += "0123456789abcdef"[byte >> 4 & 15], name.key += "0123456789abcdef"[byte & 15];
  return name;
}

}  // namespace helicity::comm::detail
