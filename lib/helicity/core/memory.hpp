// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace helicity {

/// Where bytes live: pageable host memory; page-locked host memory, which devices copy from and to
/// while the host goes on; memory of a CUDA device.
enum class MemoryKind : std::uint8_t { host, pinned, device };

/// "host", "pinned" or "device".
HELICITY_EXPORT const char* to_string(MemoryKind kind);

namespace detail {
struct PoolState;
}

class MemoryPool;

/// Move-only owner of bytes, aligned to 256; what Buffer<T> is made of. Contents start undefined.
class HELICITY_EXPORT Memory
{
 public:
  Memory() = default;

  /// Takes bytes from the system. `order` says which device, and which stream uses the bytes last.
  /// @throws RuntimeFault if there are not so many, or the kind needs CUDA and there is none
  /// @note device memory: may wait for the whole device, here and at the end
  Memory(MemoryKind kind, std::size_t bytes, std::optional<Cuda> order = std::nullopt);

  /// Takes bytes from a pool; see MemoryPool.
  Memory(MemoryPool& pool, std::size_t bytes, std::optional<Cuda> order = std::nullopt);

  ~Memory() { reset(); }
  Memory(Memory&& other) noexcept { *this = std::move(other); }
  Memory& operator=(Memory&& other) noexcept;

  void reset() noexcept;  ///< gives the bytes back now

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  MemoryKind kind() const { return kind_; }

  /// The stream in whose order the bytes are given back. @see MemoryPool
  std::optional<Cuda> order() const { return order_; }

  /// Names another stream; the caller sees to it that work on the old one is done or waited for.
  void set_order(std::optional<Cuda> order) { order_ = order; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t block_ = 0;  // bytes charged to the pool
  MemoryKind kind_ = MemoryKind::host;
  std::optional<Cuda> order_;
  std::shared_ptr<detail::PoolState> pool_;
};

/// Memory with a budget, for one device or for the host: keeps blocks that were given back and
/// hands them out again, since taking memory from the driver is slow and waits for the device.
///
/// Stream order: a block whose owner named a stream (`order`) may be given back while work queued
/// there still uses it. A device block is then handed out at once, and the new owner's stream is
/// made to wait for that work; a pinned block is handed out when the host has seen it done. An
/// owner without a stream must have waited itself (device: the default stream counts as its order).
///
/// Copies of a pool share one budget and its blocks. These go back to the system with the last copy
/// and the last memory from it. Thread-safe.
class HELICITY_EXPORT MemoryPool
{
 public:
  static constexpr std::size_t most = 0;  ///< budget: 9/10 of what is free now (pinned: a half)

  /// Memory of a device. @throws RuntimeFault if there is no such device
  explicit MemoryPool(Cuda where, std::size_t budget = most);

  /// Host memory, MemoryKind::host or pinned. @throws UsageError for MemoryKind::device
  explicit MemoryPool(MemoryKind kind, std::size_t budget = most);

  MemoryKind kind() const;
  int device_id() const;  ///< 0 for host memory

  std::size_t budget() const;
  std::size_t used() const;       ///< bytes charged to owners that live
  std::size_t cached() const;     ///< bytes given back and kept
  std::size_t available() const;  ///< one allocation of so many bytes stays within the budget

  /// Bytes that an allocation is charged at most: its size class, up to an eighth more.
  static std::size_t block_bytes(std::size_t bytes);

  /// Gives all kept blocks back to the system. May wait for the device.
  void trim();

 private:
  friend class Memory;
  std::shared_ptr<detail::PoolState> state_;
};

}  // namespace helicity
