// SPDX-License-Identifier: Apache-2.0
#include "metrics.hpp"

#include <helicity/core/file_output.hpp>
#include <helicity/core/memory_usage.hpp>
#include <helicity/core/simd.hpp>
#include <helicity/core/text.hpp>
#include <helicity/core/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace helicity::app {
namespace {

/// At most four digits and a prefix: "12.3 G".
std::string with_prefix(double value)
{
  const char* prefix = "";
  for (const char* larger : {"k", "M", "G", "T", "P"}) {
    if (value < 1000) break;
    value /= 1000;
    prefix = larger;
  }
  return fmt::format("{:.4g} {}", value, prefix);
}

}  // namespace

double Metrics::gcups() const
{
  const double seconds_aligning = totals.align_seconds;
  return seconds_aligning > 0 ? 1e-9 * static_cast<double>(counters.cells) / seconds_aligning : 0;
}

std::string summary(const Metrics& metrics)
{
  const auto cells = static_cast<double>(metrics.counters.cells);
  std::string text =
      fmt::format("{} pairs, {}cells in {:.2f} s ({:.3g} GCUPS), {}", metrics.totals.pairs,
                  with_prefix(cells), metrics.seconds, metrics.gcups(), metrics.device);
  if (metrics.totals.unaligned > 0)
    text += fmt::format("; without an alignment: {}", metrics.totals.unaligned);
  return text;
}

std::string details(const Metrics& metrics)
{
  const Totals& totals = metrics.totals;
  return fmt::format("reading {:.2f} s, aligning {:.2f} s, writing {:.2f} s; peak memory {}",
                     totals.read_seconds, totals.align_seconds, totals.write_seconds,
                     format_bytes(peak_resident_bytes()));
}

void write_json(const Metrics& metrics, const std::string& path)
{
  const Totals& totals = metrics.totals;
  const nlohmann::ordered_json json = {{"program", "helicity-align"},
                                       {"version", version()},
                                       {"pairs", totals.pairs},
                                       {"unaligned", totals.unaligned},
                                       {"failed", totals.failed},
                                       {"cells", metrics.counters.cells},
                                       {"gcups", metrics.gcups()},
                                       {"seconds",
                                        {{"total", metrics.seconds},
                                         {"read", totals.read_seconds},
                                         {"encode", metrics.counters.encode_seconds},
                                         {"align", totals.align_seconds},
                                         {"write", totals.write_seconds}}},
                                       {"device", metrics.device},
                                       {"instruction_set", chosen_isa().name},
                                       {"threads", metrics.threads},
                                       {"peak_memory_bytes", peak_resident_bytes()}};
  FileOutput file(path);
  file.write(json.dump(2) + "\n");
  file.commit();
}

}  // namespace helicity::app
