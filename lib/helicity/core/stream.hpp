// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/buffer.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>

#include <cstddef>

struct CUevent_st;  // cudaEvent_t is a pointer to it

namespace helicity {

/// A point in the work of a stream, that hosts and other streams can wait for.
class HELICITY_EXPORT Event
{
 public:
  /// @param timing  whether seconds_since() may be asked; costs a little
  /// @throws RuntimeFault if there is no such device or the library was built without CUDA
  explicit Event(int device_id, bool timing = false);
  ~Event();  ///< does not wait
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;

  /// Marks the work queued on `stream` so far; a stream of the event's device. Does not wait.
  void record(CUstream_st* stream);

  /// Is everything marked done? True before the first record().
  bool query() const;

  /// Waits, on the host, until everything marked is done. @throws RuntimeFault if that work failed
  void synchronize() const;

  /// Device time between two recorded events with timing. @pre both are done
  double seconds_since(const Event& start) const;

  CUevent_st* get() const { return event_; }
  int device_id() const { return device_id_; }

 private:
  CUevent_st* event_ = nullptr;
  int device_id_ = 0;
};

/// An owned CUDA stream that runs beside the default stream (non-blocking).
class HELICITY_EXPORT Stream
{
 public:
  /// @throws RuntimeFault if there is no such device or the library was built without CUDA
  explicit Stream(int device_id);
  ~Stream();  ///< does not wait: queued work still runs
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;

  /// Holds back what is queued from now on until what `event` marked is done. Does not wait on the
  /// host; the event may belong to another device.
  void wait(const Event& event);

  /// Is everything queued done?
  bool query() const;

  /// Waits, on the host, until everything queued is done. @throws RuntimeFault if that work failed
  void synchronize() const;

  CUstream_st* get() const { return stream_; }
  int device_id() const { return device_id_; }
  Cuda exec() const { return {device_id_, stream_}; }

 private:
  CUstream_st* stream_ = nullptr;
  int device_id_ = 0;
};

/// Stream::wait for any stream of any device.
HELICITY_EXPORT void wait(Cuda exec, const Event& event);

/// Waits, on the host, until everything queued on a stream is done.
HELICITY_EXPORT void synchronize(Cuda exec);

/// Copies bytes in the order of exec.stream; either side may be host, pinned or device memory.
/// Does not wait: a pinned side must stay untouched until the stream is there (a pageable one is
/// read, or filled, before this returns). @throws RuntimeFault if the copy cannot be queued
HELICITY_EXPORT void copy_bytes(void* to, const void* from, std::size_t bytes, Cuda exec);

/// Sets bytes of device or pinned memory, in stream order. Does not wait.
HELICITY_EXPORT void fill_bytes(void* to, unsigned char value, std::size_t bytes, Cuda exec);

/// Copies the first `size` elements of a buffer. Does not wait; see copy_bytes.
/// @throws UsageError if either is shorter
template <class T>
void copy(Buffer<T>& to, const Buffer<T>& from, std::size_t size, Cuda exec)
{
  if (size > to.size() || size > from.size()) throw UsageError("copy past the end of a buffer");
  copy_bytes(to.data(), from.data(), size * sizeof(T), exec);
}

}  // namespace helicity
