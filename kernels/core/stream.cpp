// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/stream.hpp>
#include <support/check.cuh>

#include <utility>

namespace helicity {
namespace {

/// cudaErrorNotReady is an answer, not a failure.
bool is_done(cudaError_t error, const char* call)
{
  if (error == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check_cuda(error, call);
  return true;
}

}  // namespace

Event::Event(int device_id, bool timing) : device_id_(device_id)
{
  const DeviceGuard guard(device_id);
  const unsigned flags = timing ? cudaEventDefault : cudaEventDisableTiming;
  HELICITY_CUDA(cudaEventCreateWithFlags(&event_, flags));
}

Event::~Event()
{
  if (event_ && cudaEventDestroy(event_) != cudaSuccess) cudaGetLastError();
}

Event::Event(Event&& other) noexcept
    : event_(std::exchange(other.event_, nullptr)), device_id_(other.device_id_)
{}

Event& Event::operator=(Event&& other) noexcept
{
  std::swap(event_, other.event_);
  std::swap(device_id_, other.device_id_);
  return *this;
}

void Event::record(CUstream_st* stream)
{
  const DeviceGuard guard(device_id_);
  HELICITY_CUDA(cudaEventRecord(event_, stream));
}

bool Event::query() const { return is_done(cudaEventQuery(event_), "cudaEventQuery"); }

void Event::synchronize() const { HELICITY_CUDA(cudaEventSynchronize(event_)); }

double Event::seconds_since(const Event& start) const
{
  float milliseconds = 0;
  HELICITY_CUDA(cudaEventElapsedTime(&milliseconds, start.event_, event_));
  return milliseconds * 1e-3;
}

Stream::Stream(int device_id) : device_id_(device_id)
{
  const DeviceGuard guard(device_id);
  HELICITY_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Stream::~Stream()
{
  if (stream_ && cudaStreamDestroy(stream_) != cudaSuccess) cudaGetLastError();
}

Stream::Stream(Stream&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)), device_id_(other.device_id_)
{}

Stream& Stream::operator=(Stream&& other) noexcept
{
  std::swap(stream_, other.stream_);
  std::swap(device_id_, other.device_id_);
  return *this;
}

void Stream::wait(const Event& event) { helicity::wait(exec(), event); }

bool Stream::query() const { return is_done(cudaStreamQuery(stream_), "cudaStreamQuery"); }

void Stream::synchronize() const { helicity::synchronize(exec()); }

void wait(Cuda exec, const Event& event)
{
  const DeviceGuard guard(exec.device_id);
  HELICITY_CUDA(cudaStreamWaitEvent(exec.stream, event.get(), 0));
}

void synchronize(Cuda exec)
{
  const DeviceGuard guard(exec.device_id);
  HELICITY_CUDA(cudaStreamSynchronize(exec.stream));
}

void copy_bytes(void* to, const void* from, std::size_t bytes, Cuda exec)
{
  if (bytes == 0) return;
  const DeviceGuard guard(exec.device_id);
  HELICITY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, exec.stream));
}

void fill_bytes(void* to, unsigned char value, std::size_t bytes, Cuda exec)
{
  if (bytes == 0) return;
  const DeviceGuard guard(exec.device_id);
  HELICITY_CUDA(cudaMemsetAsync(to, value, bytes, exec.stream));
}

}  // namespace helicity
