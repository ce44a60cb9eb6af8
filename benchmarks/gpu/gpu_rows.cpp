// SPDX-License-Identifier: Apache-2.0
// gpu_rows [--size=tiny|quick|full] [--clock=MHZ] [--json=FILE] [GROUP ...]: measures CUDA kernels
// and compares them with what the device could do at best. Groups: memory lbm weather score
// device trace; without one, all. Each has a process of its own, so that one that fails, or
// crashes, leaves the others alone; it is a line on stderr. Exit code 1 then, 77 without a device.
#include "apart.hpp"
#include "row.hpp"

#include <helicity/core/error.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

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

constexpr std::string_view group_names[] = {"memory", "lbm", "weather", "score", "device", "trace"};

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
    else if (std::ranges::find(group_names, text) != std::end(group_names))
      options.groups.emplace_back(text);
    else
      misused(text);
  }
  if (options.groups.empty()) options.groups = {std::begin(group_names), std::end(group_names)};
  return options;
}

struct Group
{
  std::string_view name;
  void (*run)(const Bench&);
};

constexpr Group groups[] = {{"memory", measure_triad},         {"memory", measure_halos},
                            {"memory", measure_reductions},    {"lbm", measure_lbm},
                            {"weather", measure_weather},      {"score", measure_scores},
                            {"device", measure_device_scores}, {"trace", measure_traces}};

/// Device and stream of a process, which is to use no others.
class Place
{
 public:
  /// @throws RuntimeFault if there is no device
  explicit Place(Bench& bench) : device_(first_device()), stream_(device_.id)
  {
    bench.device = device_;
    bench.exec = stream_.exec();
  }

 private:
  static DeviceInfo first_device()
  {
    std::string why_none;
    const auto all = devices(&why_none);
    if (all.empty() || !all[0].problem.empty())
      throw RuntimeFault("no device: " + (all.empty() ? why_none : all[0].problem));
    return all[0];
  }

  DeviceInfo device_;
  Stream stream_;
};

constexpr int no_device = 77;

std::string text_of(double value) { return fmt::format("{:.17g}", value); }
double number_of(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

Fields fields_of(const Row& row)
{
  return {"row",    row.kernel,           row.size, text_of(row.value),
          row.unit, text_of(row.ceiling), row.limit};
}

/// What one process after the other found out.
class Findings
{
 public:
  explicit Findings(const Options& options) : options_(options)
  {
    bench_.size = options.size;
    bench_.seconds = options.size == Size::tiny ? 0 : options.size == Size::quick ? 0.3 : 1.5;
  }

  /// Finds the device, its clock and its copy rate. Returns 0 or the exit code of the program.
  int look();

  /// Runs the groups that were asked for.
  void run();

  const Bench& bench() const { return bench_; }
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<std::string>& failures() const { return failures_; }

 private:
  void receive(const Fields& fields);
  int guarded(std::string_view name, const std::function<int(Bench&)>& work);

  const Options& options_;
  Bench bench_;
  std::vector<Row> rows_;
  std::vector<std::string> failures_;
  Send send_;  // in a process of a group
};

/// What a process sends: a row, the device, or a rate that later ones need.
void Findings::receive(const Fields& fields)
{
  if (fields[0] == "row") {
    rows_.push_back({fields.at(1), fields.at(2), number_of(fields.at(3)), fields.at(4),
                     number_of(fields.at(5)), fields.at(6)});
    print_row(rows_.back());
  } else if (fields[0] == "device") {
    bench_.device.name = fields.at(1);
    bench_.device.major = static_cast<int>(number_of(fields.at(2)));
    bench_.device.minor = static_cast<int>(number_of(fields.at(3)));
    bench_.device.multiprocessors = static_cast<int>(number_of(fields.at(4)));
    bench_.clock = number_of(fields.at(5));
    fmt::print("{}, compute capability {}.{}, {} multiprocessors at {:.0f} MHz\n\n",
               bench_.device.name, bench_.device.major, bench_.device.minor,
               bench_.device.multiprocessors, 1e-6 * bench_.clock);
    print_head();
  } else if (fields[0] == "copy") {
    bench_.copy_rate = number_of(fields.at(1));
  }
}

/// A group of rows in a process of its own: an error of it is a line here, and no other's.
int Findings::guarded(std::string_view name, const std::function<int(Bench&)>& work)
{
  const Ending end = run_apart(
      [&](const Send& send) {
        send_ = send;
        bench_.report = [&](Row row) { send(fields_of(row)); };
        return work(bench_);
      },
      [&](const Fields& fields) { receive(fields); });
  if (end.code == 0 || end.code == no_device) return end.code;
  failures_.push_back(fmt::format("{}: {}", name, end.problem));
  fmt::print(stderr, "gpu_rows: FAILED {}\n", failures_.back());
  return 1;
}

int Findings::look()
{
  return guarded("copy", [&](Bench& bench) {
    std::optional<Place> place;
    try {
      place.emplace(bench);
    } catch (const RuntimeFault& error) {
      fmt::print(stderr, "gpu_rows: {}\n", error.what());
      return no_device;
    }
    if (options_.clock_mhz > 0)
      bench.clock = 1e6 * options_.clock_mhz;
    else if (options_.size != Size::tiny)  // a stand-in would spin for minutes
      bench.clock = measured_clock(bench.exec);
    const DeviceInfo& device = bench.device;
    send_({"device", device.name, std::to_string(device.major), std::to_string(device.minor),
           std::to_string(device.multiprocessors), text_of(bench.clock)});
    measure_copy(bench);
    send_({"copy", text_of(bench.copy_rate)});
    return 0;
  });
}

void Findings::run()
{
  for (const Group& group : groups) {
    for (const std::string& name : options_.groups) {
      if (name != group.name) continue;
      guarded(name, [&](Bench& bench) {
        const Place place(bench);
        group.run(bench);
        return 0;
      });
    }
  }
}

}  // namespace

int main(int argc, char** argv)
try {
  const Options options = read_options(argc, argv);
  Findings found(options);
  if (found.look() == no_device) return no_device;
  found.run();
  if (!options.json.empty())
    write_json(options.json, found.bench(), found.rows(), found.failures());
  return found.failures().empty() ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "gpu_rows: error: {}\n", error.what());
  return 1;
}
