// SPDX-License-Identifier: Apache-2.0
#include <align/trace_workspace.hpp>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace helicity::align {
namespace {

constexpr std::size_t most_idle = 4;

/// Workspaces that no call uses at the moment.
struct TraceShelf
{
  std::mutex mutex;
  std::vector<std::unique_ptr<TraceWorkspace>> idle;
};

TraceShelf& trace_shelf()
{
  static TraceShelf& instance = *new TraceShelf;  // never destroyed: the driver may be gone by then
  return instance;
}

}  // namespace

std::unique_ptr<TraceWorkspace> take_trace_workspace(int device_id, std::size_t memory)
{
  {
    TraceShelf& from = trace_shelf();
    const std::lock_guard lock(from.mutex);
    const auto found = std::find_if(from.idle.begin(), from.idle.end(), [&](const auto& one) {
      return one->device_id == device_id && one->memory == memory;
    });
    if (found != from.idle.end()) {
      auto taken = std::move(*found);
      from.idle.erase(found);
      return taken;
    }
    if (from.idle.size() == most_idle) from.idle.erase(from.idle.begin());  // the longest idle
  }
  return std::make_unique<TraceWorkspace>(device_id, memory);
}

void put_back(std::unique_ptr<TraceWorkspace> workspace)
{
  if (workspace->pool.used() + workspace->pool.cached() > tuning::trace_kept_bytes) {
    for (TraceSlot& slot : workspace->slots) slot.arena.reset();
    workspace->pool.trim();
  }
  TraceShelf& to = trace_shelf();
  const std::lock_guard lock(to.mutex);
  if (to.idle.size() < most_idle) to.idle.push_back(std::move(workspace));
}

}  // namespace helicity::align
