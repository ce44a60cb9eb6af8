// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/memory_usage.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/core/timer.hpp>
#include <helicity/job/driver.hpp>
#include <helicity/job/triad.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

namespace helicity::job {
namespace {

constexpr std::size_t least_bytes = std::size_t{64} << 20;  // of an array
constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr double seconds_wanted = 0.1;
constexpr int least_trials = 3;
constexpr double scalar = 3.0;

/// The first line of a file of the kernel about the third-level cache of the first core, or "".
std::string cache_line(const char* name)
{
  const std::string path = std::string("/sys/devices/system/cpu/cpu0/cache/index3/") + name;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Bytes of third-level cache that so many threads have; 0 if the system does not tell.
std::size_t cache_bytes(int threads)
{
  const std::string size = cache_line("size");  // "32768K"
  const std::string cores =
      cache_line("shared_cpu_list");  // "0-7,16-23": as many as have one cache
  if (!size.ends_with('K')) return 0;
  int sharing = 0, first = 0, last = 0;
  for (const char* at = cores.c_str(); *at != '\0';) {
    char* end = nullptr;
    first = last = static_cast<int>(std::strtol(at, &end, 10));
    if (*end == '-') last = static_cast<int>(std::strtol(end + 1, &end, 10));
    if (end == at) break;
    sharing += last - first + 1;
    at = *end == ',' ? end + 1 : end;
  }
  const int caches = (threads + std::max(1, sharing) - 1) / std::max(1, sharing);
  return std::strtoul(size.c_str(), nullptr, 10) * 1024 * static_cast<std::size_t>(caches);
}

/// Bytes of each array on a CPU: beyond the caches of the ranks that measure at the same time, and
/// a small part of the memory there is.
std::size_t cpu_array_bytes(int ranks_here, int threads)
{
  const auto ranks = static_cast<std::size_t>(ranks_here);
  const std::size_t all = std::max(least_bytes, 4 * cache_bytes(ranks_here * threads));
  const std::size_t free = available_bytes();
  const std::size_t most = free > 0 ? free / (16 * ranks) : all;
  return std::max(std::min(all / ranks, most), std::size_t{1} << 20);
}

/// The best of some runs of `triad` within seconds_wanted, the first not counted.
double best_rate(const comm::Communicator& comm, std::size_t n, const std::function<void()>& triad)
{
  triad();
  comm.barrier();
  double best = 1e300;
  const Timer total;
  for (int trial = 0; trial < least_trials || total.seconds() < seconds_wanted; ++trial) {
    const Timer timer;
    triad();
    best = std::min(best, timer.seconds());
  }
  comm.barrier();
  return 24.0 * static_cast<double>(n) / std::max(best, 1e-9);
}

double measure(const comm::Communicator& comm, Cpu cpu)
{
  const std::size_t n = cpu_array_bytes(comm.node_size(), cpu.threads) / sizeof(double);
  Buffer<double> a(MemoryKind::host, n), b(MemoryKind::host, n), c(MemoryKind::host, n);
  const std::size_t pieces = static_cast<std::size_t>(cpu.threads) * 8;
  const auto in_pieces = [&](auto&& body) {
    parallel_for(cpu.threads, pieces,
                 [&](std::size_t p, int) { body(n * p / pieces, n * (p + 1) / pieces); });
  };
  double *const x = a.data(), *const y = b.data(), *const z = c.data();
  in_pieces([=](std::size_t first, std::size_t last) {
    std::fill(x + first, x + last, 0.0);
    std::fill(y + first, y + last, 1.0);
    std::fill(z + first, z + last, 2.0);
  });
  return best_rate(comm, n, [&] {
    in_pieces([=](std::size_t first, std::size_t last) {
      double* __restrict to = x;
      for (std::size_t i = first; i < last; ++i) to[i] = y[i] + scalar * z[i];
    });
  });
}

double measure(const comm::Communicator& comm, Cuda cuda)
{
  constexpr std::size_t n = (std::size_t{256} << 20) / sizeof(double);
  const DeviceGuard guard(cuda.device_id);
  Buffer<double> a(MemoryKind::device, n, cuda), b(MemoryKind::device, n, cuda),
      c(MemoryKind::device, n, cuda);
  for (auto* buffer : {&a, &b, &c}) fill_bytes(buffer->data(), 0, buffer->bytes(), cuda);
  return best_rate(comm, n, [&] {
    triad(cuda, a.data(), b.data(), c.data(), scalar, n);
    synchronize(cuda);
  });
}

}  // namespace

double measure_bandwidth(const comm::Communicator& comm, const Executor& executor)
{
  return std::visit([&](auto exec) { return measure(comm, exec); }, executor);
}

}  // namespace helicity::job
