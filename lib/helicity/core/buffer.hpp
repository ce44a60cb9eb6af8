// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/error.hpp>
#include <helicity/core/memory.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace helicity {

/// Move-only array of T in host, pinned or device memory, aligned to 256 bytes. Elements start
/// undefined: nothing is constructed, so T is a type of plain bytes.
///
///     MemoryPool pool(Cuda{0});
///     Stream stream(0);
///     Buffer<int> counts(pool, n, stream.exec());      // device memory, used on `stream`
///     Buffer<int> mirror(MemoryKind::pinned, n);
///     copy(mirror, counts, n, stream.exec());          // queued
///     stream.synchronize();                            // now mirror.span() may be read
///
/// @note memory taken with a stream is given back in the order of that stream (MemoryPool)
template <class T>
class Buffer
{
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Buffer() = default;

  /// From the system. @throws RuntimeFault if there is not so much memory
  Buffer(MemoryKind kind, std::size_t size, std::optional<Cuda> order = std::nullopt)
      : memory_(kind, bytes_of(size), order), size_(size)
  {}

  /// From a pool. @throws RuntimeFault past its budget, with what was asked, used and allowed
  Buffer(MemoryPool& pool, std::size_t size, std::optional<Cuda> order = std::nullopt)
      : memory_(pool, bytes_of(size), order), size_(size)
  {}

  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept
  {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  MemoryKind kind() const { return memory_.kind(); }

  /// The elements, where the host can reach them. @throws UsageError for device memory
  std::span<T> span()
  {
    require_host();
    return {data(), size_};
  }
  std::span<const T> span() const
  {
    require_host();
    return {data(), size_};
  }

  /// Gives the memory back now.
  void reset() noexcept
  {
    memory_.reset();
    size_ = 0;
  }

  std::optional<Cuda> order() const { return memory_.order(); }
  void set_order(std::optional<Cuda> order) { memory_.set_order(order); }

 private:
  static std::size_t bytes_of(std::size_t size)
  {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw RuntimeFault("a buffer of " + std::to_string(size) + " elements cannot be addressed");
    return size * sizeof(T);
  }

  void require_host() const
  {
    if (kind() == MemoryKind::device) throw UsageError("device memory cannot be read by the host");
  }

  Memory memory_;
  std::size_t size_ = 0;
};

}  // namespace helicity
