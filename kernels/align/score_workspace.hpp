// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/score_plan.hpp>
#include <align/score_task.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/memory.hpp>
#include <helicity/core/stream.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace helicity::align {

/// One of the batches in flight: its stream, and memory that is kept for the next.
struct ScoreSlot
{
  explicit ScoreSlot(int device_id) : stream(device_id), done(device_id) {}

  Stream stream;
  Event done;
  Buffer<std::byte> staging;  // host side of the upload
  Buffer<ScoreEnd> ends;
  Buffer<std::byte> arena;           // the device's side of all
  std::span<const ScoreItem> items;  // of the batch in flight
};

/// What a call needs on a device; kept between calls, since pinned memory is slow to get.
struct ScoreWorkspace
{
  ScoreWorkspace(int device, std::size_t budget)
      : device_id(device),
        memory(budget),
        pool(Cuda{device}, budget),
        slots{ScoreSlot(device), ScoreSlot(device)}
  {}

  int device_id;
  std::size_t memory;
  MemoryPool pool;
  std::array<ScoreSlot, 2> slots;
};

/// A workspace that no call uses, or a new one. Thread-safe.
std::unique_ptr<ScoreWorkspace> take_workspace(int device_id, std::size_t memory);

/// Keeps a workspace, idle, for the next call with the same device and memory.
void put_back(std::unique_ptr<ScoreWorkspace> workspace);

}  // namespace helicity::align
