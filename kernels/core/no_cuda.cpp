// SPDX-License-Identifier: Apache-2.0
// What core asks of CUDA, in a library built without it.
#include <helicity/core/detail/runtime.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/graph.hpp>
#include <helicity/core/stream.hpp>

#include <utility>

namespace helicity {
namespace {

constexpr const char* reason = "built without CUDA";

[[noreturn]] void refuse(const char* what)
{
  throw RuntimeFault(std::string(what) + ": Helicity was " + reason);
}

}  // namespace

int driver_version() noexcept { return 0; }
int runtime_version() noexcept { return 0; }

int device_count(std::string* why_none) noexcept
{
  if (why_none) *why_none = reason;
  return 0;
}

std::string device_problem(int) { return reason; }

std::vector<DeviceInfo> devices(std::string* why_none)
{
  device_count(why_none);
  return {};
}

DeviceGuard::DeviceGuard(int) { refuse("a CUDA device"); }
DeviceGuard::~DeviceGuard() { static_cast<void>(changed_); }

Event::Event(int, bool) { refuse("a CUDA event"); }
Event::~Event() = default;
Event::Event(Event&& other) noexcept = default;
Event& Event::operator=(Event&& other) noexcept = default;
void Event::record(CUstream_st*) { refuse("a CUDA event"); }
bool Event::query() const { refuse("a CUDA event"); }
void Event::synchronize() const { refuse("a CUDA event"); }
double Event::seconds_since(const Event&) const { refuse("a CUDA event"); }

Stream::Stream(int) { refuse("a CUDA stream"); }
Stream::~Stream() = default;
Stream::Stream(Stream&& other) noexcept = default;
Stream& Stream::operator=(Stream&& other) noexcept = default;
void Stream::wait(const Event&) { refuse("a CUDA stream"); }
bool Stream::query() const { refuse("a CUDA stream"); }
void Stream::synchronize() const { refuse("a CUDA stream"); }

void wait(Cuda, const Event&) { refuse("a CUDA stream"); }
void synchronize(Cuda) { refuse("a CUDA stream"); }
void copy_bytes(void*, const void*, std::size_t, Cuda) { refuse("a copy on a CUDA stream"); }
void fill_bytes(void*, unsigned char, std::size_t, Cuda) { refuse("a fill on a CUDA stream"); }

Graph::~Graph() = default;
Graph::Graph(Graph&& other) noexcept = default;
Graph& Graph::operator=(Graph&& other) noexcept = default;
void Graph::launch(Cuda) const { refuse("a CUDA graph"); }
Graph::Recording::Recording(Cuda exec) : exec_(exec) { refuse("a CUDA graph"); }
Graph::Recording::~Recording() { static_cast<void>(running_); }
Graph Graph::Recording::end() { refuse("a CUDA graph"); }

namespace detail {

void* driver_allocate(MemoryKind kind, int, std::size_t)
{
  refuse(kind == MemoryKind::device ? "device memory" : "pinned memory");
}

void driver_free(MemoryKind, int, void*) noexcept {}

std::size_t driver_free_bytes(int) { refuse("device memory"); }

}  // namespace detail
}  // namespace helicity
