// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/device.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/core/timer.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gpu_rows {

/// tiny: to see that all works, on a stand-in; quick: fills the chip; full: more sizes and time.
enum class Size { tiny, quick, full };

/// A measurement. The ceiling is what the device could do at best, in the same unit; 0: not known.
struct Row
{
  std::string kernel, size;
  double value = 0;
  std::string unit;
  double ceiling = 0;
  std::string limit;  ///< what makes the ceiling
};

/// What rows are measured on, and what their ceilings come from.
struct Bench
{
  helicity::Cuda exec;
  helicity::DeviceInfo device;
  Size size = Size::quick;
  double seconds = 0.3;  ///< per row
  double clock = 0;      ///< of the multiprocessors, Hz
  double copy_rate = 0;  ///< bytes read and written per second by a copy on the device
  std::function<void(Row)> report;

  template <class T>
  T pick(T tiny, T quick) const
  {
    return size == Size::tiny ? tiny : quick;
  }

  /// TCUPS of loops that take so many issue cycles for what a warp does at a time.
  double cell_ceiling(double cells, double cycles) const
  {
    return 1e-12 * device.multiprocessors * 4 * clock * cells / cycles;
  }
};

/// Median seconds of one call of `work`, which queues work on the bench's stream.
template <class Work>
double device_seconds(const Bench& bench, Work&& work)
{
  helicity::Event begin(bench.exec.device_id, true), end(bench.exec.device_id, true);
  std::vector<double> times;
  work();
  helicity::synchronize(bench.exec);
  const helicity::Timer total;
  do {
    begin.record(bench.exec.stream);
    work();
    end.record(bench.exec.stream);
    end.synchronize();
    times.push_back(end.seconds_since(begin));
  } while (times.size() < 3 || (total.seconds() < bench.seconds && times.size() < 200));
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return std::max(times[times.size() / 2], 1e-9);
}

/// Median seconds of one call of `work`, which waits for the device itself.
template <class Work>
double host_seconds(const Bench& bench, Work&& work)
{
  std::vector<double> times;
  work();
  const helicity::Timer total;
  do {
    const helicity::Timer timer;
    work();
    times.push_back(timer.seconds());
  } while (total.seconds() < bench.seconds && times.size() < 50);
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return std::max(times[times.size() / 2], 1e-9);
}

/// Hz at which the multiprocessors run while all are busy, by their own counters; 0 if these do
/// not tell.
double measured_clock(const helicity::Cuda& exec);

void measure_copy(Bench& bench);  ///< sets copy_rate
void measure_triad(const Bench& bench);
void measure_halos(const Bench& bench);
void measure_reductions(const Bench& bench);
void measure_lbm(const Bench& bench);
void measure_weather(const Bench& bench);
void measure_scores(const Bench& bench);
void measure_device_scores(const Bench& bench);
void measure_traces(const Bench& bench);

/// Prints a row of the table, or its head.
void print_head();
void print_row(const Row& row);

/// Writes what was measured as one JSON object. @throws RuntimeFault if that fails
void write_json(const std::string& path, const Bench& bench, const std::vector<Row>& rows,
                const std::vector<std::string>& failures);

}  // namespace gpu_rows
