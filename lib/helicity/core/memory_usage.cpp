// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/memory_usage.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

namespace helicity {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open(const char* path) noexcept { return {std::fopen(path, "r"), &std::fclose}; }

/// The value of a "Key:  N kB" line of a /proc file, in bytes; 0 if there is none.
std::size_t proc_bytes(const char* path, const char* key) noexcept
{
  const File file = open(path);
  char line[256];
  while (file && std::fgets(line, sizeof line, file.get()) != nullptr) {
    std::size_t kib = 0;
    const std::size_t length = std::strlen(key);
    if (std::strncmp(line, key, length) == 0 && std::sscanf(line + length, ": %zu", &kib) == 1)
      return kib * 1024;
  }
  return 0;
}

/// The number in a file that holds only that; 0 if it holds anything else, such as "max".
std::size_t number_in(const char* path) noexcept
{
  const File file = open(path);
  std::size_t number = 0;
  return file && std::fscanf(file.get(), "%zu", &number) == 1 ? number : 0;
}

}  // namespace

std::size_t peak_resident_bytes() noexcept { return proc_bytes("/proc/self/status", "VmHWM"); }

std::size_t available_bytes() noexcept
{
  const std::size_t machine = proc_bytes("/proc/meminfo", "MemAvailable");
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max");
  if (limit == 0) return machine;
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current");
  return std::min(machine, limit > used ? limit - used : 0);
}

}  // namespace helicity
