// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <helicity/core/memory_usage.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/text.hpp>

#include <fmt/format.h>

#include <iterator>

namespace helicity::app {
namespace {

template <class... Args>
void line(std::string& out, std::string_view label, fmt::format_string<Args...> format,
          Args&&... args)
{
  fmt::format_to(std::back_inserter(out), "{:<14} ", label);
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  out.push_back('\n');
}

std::string usable_names(const std::vector<InstructionSet>& sets)
{
  std::vector<std::string_view> names;
  for (const auto& set : sets)
    if (set.usable) names.push_back(set.name);
  return join(names, " ");
}

void add_build(std::string& out, const BuildInfo& build)
{
  line(out, "helicity", "{}{}", build.version,
       build.git_hash.empty() ? "" : fmt::format(" ({})", build.git_hash));
  line(out, "build", "{}, {}, {} library{}", build.compiler, build.build_type,
       build.shared ? "shared" : "static",
       build.sanitizers.empty() ? "" : fmt::format(", sanitizers {}", build.sanitizers));
  for (const auto& feature : build.features)
    line(out, feature.name, "{}  {}", feature.enabled ? "on " : "off", feature.detail);
}

std::string cuda_version(int version)
{
  return version == 0 ? "none" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

void add_devices(std::string& out, const Report& report)
{
  line(out, "CUDA versions", "driver {}, runtime {}", cuda_version(report.driver),
       cuda_version(report.runtime));
  if (report.devices.empty()) line(out, "CUDA devices", "none: {}", report.why_no_device);
  for (const auto& d : report.devices)
    line(out, fmt::format("CUDA device {}", d.id),
         "{}, compute capability {}.{}, {} multiprocessors, {} of {} free{}", d.name, d.major,
         d.minor, d.multiprocessors, format_bytes(d.free_memory), format_bytes(d.total_memory),
         d.problem.empty() ? "" : "; not usable: " + d.problem);
}

}  // namespace

Report gather()
{
  Report report;
  report.build = build_info();
  report.instruction_sets = instruction_sets();
  report.chosen = chosen_isa();
  report.threads = usable_threads();
  report.available_memory = available_bytes();
  report.devices = devices(&report.why_no_device);
  report.driver = driver_version();
  report.runtime = runtime_version();
  return report;
}

std::string to_text(const Report& report)
{
  std::string out;
  add_build(out, report.build);
  line(out, "CPU", "{} threads, {} of memory available", report.threads,
       format_bytes(report.available_memory));
  line(out, "instructions", "{} ({} bits) of: {}", report.chosen.name, report.chosen.vector_bits,
       usable_names(report.instruction_sets));
  add_devices(out, report);
  return out;
}

}  // namespace helicity::app
