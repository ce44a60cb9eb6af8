// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/detail/runtime.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/memory.hpp>
#include <helicity/core/memory_usage.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>

namespace helicity {
namespace {

constexpr std::size_t alignment = 256;  // what cudaMalloc promises

std::size_t round_up(std::size_t bytes, std::size_t step)
{
  if (bytes > std::numeric_limits<std::size_t>::max() - step)
    throw RuntimeFault(fmt::format("{} cannot be addressed", format_bytes(bytes)));
  return (bytes + step - 1) / step * step;
}

void* system_allocate(MemoryKind kind, int device_id, std::size_t bytes)
{
  if (kind == MemoryKind::host) return std::aligned_alloc(alignment, bytes);
  return detail::driver_allocate(kind, device_id, bytes);
}

void system_free(MemoryKind kind, int device_id, void* data) noexcept
{
  if (kind == MemoryKind::host)
    std::free(data);
  else
    detail::driver_free(kind, device_id, data);
}

std::string place(MemoryKind kind, int device_id)
{
  if (kind == MemoryKind::device) return fmt::format("memory of device {}", device_id);
  return fmt::format("{} memory", to_string(kind));
}

std::size_t default_budget(MemoryKind kind, int device_id)
{
  if (kind == MemoryKind::device) return detail::driver_free_bytes(device_id) / 10 * 9;
  const std::size_t available = available_bytes();
  if (available == 0) return std::numeric_limits<std::size_t>::max();
  return kind == MemoryKind::pinned ? available / 2 : available / 10 * 9;
}

}  // namespace

const char* to_string(MemoryKind kind)
{
  switch (kind) {
    case MemoryKind::host: return "host";
    case MemoryKind::pinned: return "pinned";
    case MemoryKind::device: return "device";
  }
  return "?";
}

namespace detail {

/// A block that was given back; whoever gets it next waits for `last_use`.
struct Block
{
  void* data = nullptr;
  std::optional<Event> last_use;
};

struct PoolState
{
  PoolState(MemoryKind of, int device, std::size_t bytes)
      : kind(of),
        device_id(device),
        budget(bytes == MemoryPool::most ? default_budget(of, device) : bytes)
  {}

  ~PoolState() { release(cached); }

  void* allocate(std::size_t bytes, std::optional<Cuda> order, std::size_t& block);
  void deallocate(void* data, std::size_t block, std::optional<Cuda> order) noexcept;

  std::size_t left() const { return budget - used; }
  std::multimap<std::size_t, Block>::iterator find(std::size_t block);
  void* reuse(std::multimap<std::size_t, Block>::iterator found, std::optional<Cuda> order);
  void release(std::size_t bytes) noexcept;

  const MemoryKind kind;
  const int device_id;
  const std::size_t budget;
  std::mutex mutex;
  std::size_t used = 0;
  std::size_t cached = 0;                    // used + cached <= budget
  std::multimap<std::size_t, Block> blocks;  // cached ones by size
};

void* PoolState::allocate(std::size_t bytes, std::optional<Cuda> order, std::size_t& block)
{
  const std::lock_guard lock(mutex);
  block = MemoryPool::block_bytes(bytes);
  if (block > left()) block = round_up(bytes, alignment);  // the last of a budget, to the byte
  if (block > left()) {
    throw RuntimeFault(fmt::format("{}: {} asked, {} of a budget of {} used",
                                   place(kind, device_id), format_bytes(bytes), format_bytes(used),
                                   format_bytes(budget)));
  }
  if (const auto found = find(block); found != blocks.end()) {
    block = found->first;
    return reuse(found, order);
  }
  if (block > left() - cached) release(block - (left() - cached));
  void* data = system_allocate(kind, device_id, block);
  if (!data && cached > 0) {
    release(cached);
    data = system_allocate(kind, device_id, block);
  }
  if (!data) {
    throw RuntimeFault(fmt::format("{}: {} asked, none left though only {} of a budget of {} used",
                                   place(kind, device_id), format_bytes(bytes), format_bytes(used),
                                   format_bytes(budget)));
  }
  used += block;
  return data;
}

/// A cached block of about that size; for the host's use, rather one that need not be waited for.
std::multimap<std::size_t, Block>::iterator PoolState::find(std::size_t block)
{
  const auto begin = blocks.lower_bound(block);
  const auto end = blocks.upper_bound(block + block / 4);
  if (begin == end) return blocks.end();
  if (kind == MemoryKind::device) return begin;
  for (auto it = begin; it != end; ++it) {
    if (!it->second.last_use || it->second.last_use->query()) return it;
  }
  return block <= left() - cached ? blocks.end() : begin;
}

void* PoolState::reuse(std::multimap<std::size_t, Block>::iterator found, std::optional<Cuda> order)
{
  if (const auto& last_use = found->second.last_use) {
    if (kind == MemoryKind::device)
      wait(order.value_or(Cuda{device_id, nullptr}), *last_use);
    else
      last_use->synchronize();
  }
  void* data = found->second.data;
  used += found->first;
  cached -= found->first;
  blocks.erase(found);
  return data;
}

void PoolState::deallocate(void* data, std::size_t block, std::optional<Cuda> order) noexcept
{
  const std::lock_guard lock(mutex);
  used -= block;
  try {
    Block kept{data, std::nullopt};
    if (kind == MemoryKind::device && !order) order = Cuda{device_id, nullptr};
    if (kind != MemoryKind::host && order) {
      kept.last_use.emplace(order->device_id);
      kept.last_use->record(order->stream);
    }
    blocks.emplace(block, std::move(kept));
    cached += block;
  } catch (...) {  // the process is ending, or the device is lost
    system_free(kind, device_id, data);
  }
}

/// Gives at least so many cached bytes back to the system, the largest blocks first.
void PoolState::release(std::size_t bytes) noexcept
{
  std::size_t released = 0;
  while (released < bytes && !blocks.empty()) {
    const auto largest = std::prev(blocks.end());
    try {
      if (kind == MemoryKind::pinned && largest->second.last_use)
        largest->second.last_use->synchronize();
    } catch (...) {  // a failed stream uses it no more
    }
    system_free(kind, device_id, largest->second.data);
    released += largest->first;
    cached -= largest->first;
    blocks.erase(largest);
  }
}

}  // namespace detail

Memory::Memory(MemoryKind kind, std::size_t bytes, std::optional<Cuda> order)
    : bytes_(bytes), kind_(kind), order_(order)
{
  if (bytes == 0) return;
  const int device_id = order ? order->device_id : 0;
  data_ = system_allocate(kind, device_id, round_up(bytes, alignment));
  if (!data_)
    throw RuntimeFault(
        fmt::format("{}: {} asked, not so much left", place(kind, device_id), format_bytes(bytes)));
}

Memory::Memory(MemoryPool& pool, std::size_t bytes, std::optional<Cuda> order)
    : bytes_(bytes), kind_(pool.kind()), order_(order)
{
  if (kind_ == MemoryKind::device && order && order->device_id != pool.device_id())
    throw UsageError(fmt::format("a stream of device {} for memory of device {}", order->device_id,
                                 pool.device_id()));
  if (bytes > 0) data_ = pool.state_->allocate(bytes, order, block_);
  pool_ = pool.state_;
}

Memory& Memory::operator=(Memory&& other) noexcept
{
  if (this == &other) return *this;
  reset();
  data_ = std::exchange(other.data_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  block_ = std::exchange(other.block_, 0);
  kind_ = other.kind_;
  order_ = other.order_;
  pool_ = std::move(other.pool_);
  return *this;
}

void Memory::reset() noexcept
{
  if (data_ && pool_) {
    pool_->deallocate(data_, block_, order_);
  } else if (data_) {
    try {
      if (kind_ == MemoryKind::pinned && order_) synchronize(*order_);
    } catch (...) {  // a failed stream uses it no more
    }
    system_free(kind_, order_ ? order_->device_id : 0, data_);
  }
  data_ = nullptr;
  bytes_ = block_ = 0;
  pool_.reset();
}

MemoryPool::MemoryPool(Cuda where, std::size_t budget)
    : state_(std::make_shared<detail::PoolState>(MemoryKind::device, where.device_id, budget))
{}

MemoryPool::MemoryPool(MemoryKind kind, std::size_t budget)
{
  if (kind == MemoryKind::device) throw UsageError("a pool of device memory needs a device");
  state_ = std::make_shared<detail::PoolState>(kind, 0, budget);
}

MemoryKind MemoryPool::kind() const { return state_->kind; }
int MemoryPool::device_id() const { return state_->device_id; }
std::size_t MemoryPool::budget() const { return state_->budget; }

std::size_t MemoryPool::used() const
{
  const std::lock_guard lock(state_->mutex);
  return state_->used;
}

std::size_t MemoryPool::cached() const
{
  const std::lock_guard lock(state_->mutex);
  return state_->cached;
}

std::size_t MemoryPool::available() const
{
  const std::lock_guard lock(state_->mutex);
  return state_->left() / alignment * alignment;
}

std::size_t MemoryPool::block_bytes(std::size_t bytes)
{
  const std::size_t octave = std::bit_floor(std::max<std::size_t>(bytes, 1));
  const std::size_t step = std::max(alignment, octave / 8);
  return round_up(bytes, step);
}

void MemoryPool::trim()
{
  const std::lock_guard lock(state_->mutex);
  state_->release(state_->cached);
}

}  // namespace helicity
