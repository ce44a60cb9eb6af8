// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/file_output.hpp>
#include <helicity/core/version.hpp>
#include <helicity/job/detail/metrics.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace helicity::job::detail {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json speed(const Metrics& m)
{
  const auto fraction = m.fraction_of_bandwidth();
  return {{"updates_per_second", m.updates_per_second()},
          {"bytes_per_second_of_a_rank", m.bytes_per_second()},
          {"bandwidth_of_a_rank", m.bandwidth > 0 ? Json(m.bandwidth) : Json(nullptr)},
          {"fraction_of_bandwidth", fraction ? Json(*fraction) : Json(nullptr)}};
}

Json seconds(const Metrics& m)
{
  return {{"total", m.seconds},
          {"stepping", m.stepping},
          {"checkpoints", m.checkpointing},
          {"output", m.output},
          {"checks", m.checking}};
}

Json to_json(const Metrics& m)
{
  return {{"version", version()},
          {"name", m.name},
          {"exit", {{"code", m.exit_code}, {"reason", m.exit_reason}}},
          {"ranks", m.ranks},
          {"decomposition", m.decomposition},
          {"cells", m.cells},
          {"steps", m.last_step - m.first_step},
          {"first_step", m.first_step},
          {"last_step", m.last_step},
          {"time", m.time},
          {"seconds", seconds(m)},
          {"speed", speed(m)},
          {"checkpoints", m.checkpoints},
          {"last_checkpoint", text_or_null(m.last_checkpoint)},
          {"snapshots", m.snapshots},
          {"images", m.images},
          {"memory", {{"planned", m.memory}, {"peak_resident", m.peak_memory}}},
          {"state_hash", fmt::format("{:016x}", m.state_hash)}};
}

}  // namespace

double Metrics::updates_per_second() const
{
  return stepping > 0 ? static_cast<double>(cells) * steps() / stepping : 0;
}

double Metrics::bytes_per_second() const
{
  return stepping > 0 ? bytes_per_step * steps() / stepping : 0;
}

std::optional<double> Metrics::fraction_of_bandwidth() const
{
  if (bandwidth <= 0) return std::nullopt;
  return bytes_per_second() / bandwidth;
}

void write_metrics(const Metrics& metrics, const std::string& path)
{
  FileOutput out(path);
  out.write(to_json(metrics).dump(2) + "\n");
  out.commit();
}

}  // namespace helicity::job::detail
