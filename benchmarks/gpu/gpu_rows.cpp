// SPDX-License-Identifier: Apache-2.0
// gpu_rows [--size=tiny|quick|full] [--clock=MHZ] [--json=FILE] [GROUP ...]: measures CUDA kernels
// and compares them with what the device could do at best. Groups: memory lbm score device trace;
// without one, all. A group that fails is a line on stderr; exit code 1 then, 77 without a device.
#include "row.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace {

using namespace gpu_rows;
using namespace helicity;

struct Options
{
  Size size = Size::quick;
  double clock_mhz = 0;
  std::string json;
  std::vector<std::string> groups;
};

[[noreturn]] void misused(std::string_view word)
{
  fmt::print(stderr, "gpu_rows: error: what is '{}'?\n", word);
  std::exit(2);
}

Options read_options(int argc, char** argv)
{
  Options options;
  for (int n = 1; n < argc; ++n) {
    const std::string_view text = argv[n];
    const std::string value(text.substr(std::min(text.size(), text.find('=') + 1)));
    if (text.starts_with("--size=") && (value == "tiny" || value == "quick" || value == "full"))
      options.size = value == "tiny" ? Size::tiny : value == "quick" ? Size::quick : Size::full;
    else if (text.starts_with("--clock="))
      options.clock_mhz = std::atof(value.c_str());
    else if (text.starts_with("--json="))
      options.json = value;
    else if (text == "memory" || text == "lbm" || text == "score" || text == "device" ||
             text == "trace")
      options.groups.emplace_back(text);
    else
      misused(text);
  }
  if (options.groups.empty()) options.groups = {"memory", "lbm", "score", "device", "trace"};
  return options;
}

struct Group
{
  std::string_view name;
  void (*run)(const Bench&);
};

constexpr Group groups[] = {
    {"memory", measure_triad}, {"memory", measure_halos},         {"lbm", measure_lbm},
    {"score", measure_scores}, {"device", measure_device_scores}, {"trace", measure_traces}};

/// Runs the groups that were asked for; returns what failed, a line each.
std::vector<std::string> run_groups(Bench& bench, const Options& options)
{
  std::vector<std::string> failures;
  const auto guarded = [&](std::string_view name, auto&& run) {
    try {
      run();
    } catch (const std::exception& error) {
      failures.push_back(fmt::format("{}: {}", name, error.what()));
      fmt::print(stderr, "gpu_rows: FAILED {}\n", failures.back());
    }
  };
  guarded("copy", [&] { measure_copy(bench); });
  for (const Group& group : groups)
    for (const std::string& name : options.groups)
      if (name == group.name) guarded(name, [&] { group.run(bench); });
  return failures;
}

}  // namespace

int main(int argc, char** argv)
try {
  const Options options = read_options(argc, argv);
  std::string why_none;
  const auto all = devices(&why_none);
  if (all.empty() || !all[0].problem.empty()) {
    fmt::print(stderr, "gpu_rows: no device: {}\n", all.empty() ? why_none : all[0].problem);
    return 77;
  }
  const Stream stream(all[0].id);
  std::vector<Row> rows;
  Bench bench;
  bench.exec = stream.exec();
  bench.device = all[0];
  bench.size = options.size;
  bench.seconds = options.size == Size::tiny ? 0 : options.size == Size::quick ? 0.3 : 1.5;
  bench.report = [&](Row row) {
    print_row(row);
    rows.push_back(std::move(row));
  };
  if (options.clock_mhz > 0)
    bench.clock = 1e6 * options.clock_mhz;
  else if (options.size != Size::tiny)  // a stand-in would spin for minutes
    bench.clock = measured_clock(bench.exec);
  fmt::print("{}, compute capability {}.{}, {} multiprocessors at {:.0f} MHz\n\n",
             bench.device.name, bench.device.major, bench.device.minor,
             bench.device.multiprocessors, 1e-6 * bench.clock);
  print_head();
  const auto failures = run_groups(bench, options);
  if (!options.json.empty()) write_json(options.json, bench, rows, failures);
  return failures.empty() ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "gpu_rows: error: {}\n", error.what());
  return 1;
}
