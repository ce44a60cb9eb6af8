// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/memory.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace helicity::align {

/// What a call of a batch engine needs on a device; kept between calls, since pinned memory is slow
/// to get. A slot is one of the two batches in flight: Slot(device_id), with buffers `staging`
/// (host) and `arena` (device), and kept_bytes, which of either an idle workspace holds at most.
template <class Slot>
struct Workspace
{
  Workspace(int device, std::size_t budget)
      : device_id(device),
        memory(budget),
        pool(Cuda{device}, budget),
        slots{Slot(device), Slot(device)}
  {}

  int device_id;
  std::size_t memory;
  MemoryPool pool;
  std::array<Slot, 2> slots;
};

/// Workspaces that no call uses at the moment.
template <class Slot>
struct WorkspaceShelf
{
  static constexpr std::size_t most_idle = 4;
  std::mutex mutex;
  std::vector<std::unique_ptr<Workspace<Slot>>> idle;

  static WorkspaceShelf& instance()
  {
    static WorkspaceShelf& shelf = *new WorkspaceShelf;  // never destroyed: the driver may be gone
    return shelf;
  }
};

/// A workspace that no call uses, or a new one. Thread-safe.
template <class Slot>
std::unique_ptr<Workspace<Slot>> take_workspace(int device_id, std::size_t memory)
{
  {
    auto& from = WorkspaceShelf<Slot>::instance();
    const std::lock_guard lock(from.mutex);
    const auto found = std::find_if(from.idle.begin(), from.idle.end(), [&](const auto& one) {
      return one->device_id == device_id && one->memory == memory;
    });
    if (found != from.idle.end()) {
      auto taken = std::move(*found);
      from.idle.erase(found);
      return taken;
    }
    if (from.idle.size() == from.most_idle) from.idle.erase(from.idle.begin());  // the longest idle
  }
  return std::make_unique<Workspace<Slot>>(device_id, memory);
}

/// Keeps a workspace, idle, for the next call with the same device and memory.
template <class Slot>
void put_back(std::unique_ptr<Workspace<Slot>> workspace)
{
  if (workspace->pool.used() + workspace->pool.cached() > Slot::kept_bytes) {
    for (Slot& slot : workspace->slots) slot.arena.reset();
    workspace->pool.trim();
  }
  if (workspace->slots[0].staging.bytes() + workspace->slots[1].staging.bytes() > Slot::kept_bytes)
  {
    for (Slot& slot : workspace->slots) slot.staging.reset();
  }
  auto& to = WorkspaceShelf<Slot>::instance();
  const std::lock_guard lock(to.mutex);
  if (to.idle.size() < to.most_idle) to.idle.push_back(std::move(workspace));
}

}  // namespace helicity::align
