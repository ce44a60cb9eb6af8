// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/trace_plan.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/memory.hpp>
#include <helicity/core/stream.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace helicity::align {

/// One of the batches in flight: its stream, and memory that is kept for the next.
struct TraceSlot
{
  explicit TraceSlot(int device_id) : stream(device_id), done(device_id) {}

  Stream stream;
  Event done;
  Buffer<std::byte> staging;          // host side of the upload
  Buffer<std::byte> found;            // of results and offsets
  Buffer<std::uint32_t> ops;          // of runs
  Buffer<std::byte> arena;            // the device's side of all
  std::span<const TraceItem> items;   // of the batch in flight,
  std::optional<TraceLayout> layout;  // and its place in the arena
};

/// What a call needs on a device; kept between calls, since pinned memory is slow to get.
struct TraceWorkspace
{
  TraceWorkspace(int device, std::size_t budget)
      : device_id(device),
        memory(budget),
        pool(Cuda{device}, budget),
        slots{TraceSlot(device), TraceSlot(device)}
  {}

  int device_id;
  std::size_t memory;
  MemoryPool pool;
  std::array<TraceSlot, 2> slots;
};

/// A workspace that no call uses, or a new one. Thread-safe.
std::unique_ptr<TraceWorkspace> take_trace_workspace(int device_id, std::size_t memory);

/// Keeps a workspace, idle, for the next call with the same device and memory.
void put_back(std::unique_ptr<TraceWorkspace> workspace);

}  // namespace helicity::align
