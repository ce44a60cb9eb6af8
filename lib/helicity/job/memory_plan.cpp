// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/memory_usage.hpp>
#include <helicity/core/text.hpp>
#include <helicity/job/detail/memory_plan.hpp>
#include <helicity/job/driver.hpp>

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace helicity::job {
namespace detail {
namespace {

std::string host_name()
{
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

/// What this rank would take where: "place\tneeded\tavailable".
std::string own_line(const Executor& executor, std::size_t bytes)
{
  std::string place = "host " + host_name();
  std::size_t available = available_bytes();
  if (const auto* cuda = std::get_if<Cuda>(&executor)) {
    for (const DeviceInfo& device : devices()) {
      if (device.id != cuda->device_id) continue;
      place = fmt::format("CUDA device {} of {}", device.pci_bus_id, place);
      available = device.free_memory;
    }
  }
  return fmt::format("{}\t{}\t{}", place, bytes, available);
}

std::size_t number(std::string_view text)
{
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::vector<MemoryPlace> memory_places(const comm::Communicator& comm, const Executor& executor,
                                       std::size_t bytes)
{
  std::map<std::string, MemoryPlace> places;
  for (const std::string& line : comm.gather(own_line(executor, bytes))) {
    const auto first = line.find('\t'), second = line.find('\t', first + 1);
    const std::string name = line.substr(0, first);
    const std::size_t available = number(std::string_view(line).substr(second + 1));
    MemoryPlace& place = places.try_emplace(name, MemoryPlace{name, 0, 0, available}).first->second;
    place.needed += number(std::string_view(line).substr(first + 1));
    place.available = std::min(place.available, available);
    ++place.ranks;
  }
  std::vector<MemoryPlace> list;
  for (auto& [name, place] : places) list.push_back(std::move(place));
  return list;
}

}  // namespace detail

void require_memory(const comm::Communicator& comm, const Executor& executor, std::size_t bytes)
{
  const auto places = detail::memory_places(comm, executor, bytes);
  std::size_t total = 0;
  for (const auto& place : places) total += place.needed;
  for (const auto& place : places) {
    if (place.available == 0 || place.needed <= place.available) continue;
    const std::size_t enough = (total + place.available - 1) / place.available;
    const bool device = place.name.starts_with("CUDA");
    throw UsageError(fmt::format(
        "the run needs {} on {} ({}), of which {} can be had; {} {} of this size would do",
        format_bytes(place.needed), place.name,
        place.ranks == 1 ? "one rank" : fmt::format("{} ranks", place.ranks),
        format_bytes(place.available), enough,
        device ? "devices (a rank each)" : "hosts (with ranks on each)"));
  }
}

}  // namespace helicity::job
