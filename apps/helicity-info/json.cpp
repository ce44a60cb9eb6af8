// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <nlohmann/json.hpp>

namespace helicity::app {
namespace {

using Json = nlohmann::ordered_json;

Json build_json(const BuildInfo& build)
{
  return {{"compiler", build.compiler},
          {"type", build.build_type},
          {"library", build.shared ? "shared" : "static"},
          {"sanitizers", build.sanitizers}};
}

Json features_json(const BuildInfo& build)
{
  Json features = Json::object();
  for (const auto& feature : build.features)
    features[std::string(feature.name)] = {{"enabled", feature.enabled},
                                           {"detail", feature.detail}};
  return features;
}

Json cpu_json(const Report& report)
{
  Json sets = Json::array();
  for (const auto& set : report.instruction_sets)
    sets.push_back({{"name", set.name}, {"vector_bits", set.vector_bits}, {"usable", set.usable}});
  return {{"threads", report.threads},
          {"available_memory", report.available_memory},
          {"instruction_sets", sets},
          {"chosen", report.chosen.name}};
}

Json cuda_json(const Report& report)
{
  Json devices = Json::array();
  for (const auto& d : report.devices)
    devices.push_back(
        {{"id", d.id},
         {"name", d.name},
         {"compute_capability", std::to_string(d.major) + "." + std::to_string(d.minor)},
         {"multiprocessors", d.multiprocessors},
         {"pci_bus_id", d.pci_bus_id},
         {"total_memory", d.total_memory},
         {"free_memory", d.free_memory},
         {"problem", d.problem}});
  Json why = report.devices.empty() ? Json(report.why_no_device) : Json(nullptr);
  return {{"driver", report.driver},
          {"runtime", report.runtime},
          {"devices", devices},
          {"why_none", why}};
}

}  // namespace

std::string to_json(const Report& report)
{
  const Json json = {{"version", report.build.version},   {"git_hash", report.build.git_hash},
                     {"build", build_json(report.build)}, {"features", features_json(report.build)},
                     {"cpu", cpu_json(report)},           {"cuda", cuda_json(report)}};
  return json.dump(2) + "\n";
}

}  // namespace helicity::app
