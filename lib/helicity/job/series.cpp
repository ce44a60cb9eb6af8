// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/file_output.hpp>
#include <helicity/job/detail/files.hpp>
#include <helicity/job/detail/series.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

namespace helicity::job::detail {
namespace {

/// The cell that a probe lies in. @throws UsageError if none does
Index3 cell_of(const Probe& probe, const io::Coordinates& coordinates, Index3 cells)
{
  Index3 cell;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const double x = (probe.position[axis] - coordinates.origin[axis]) / coordinates.spacing[axis];
    if (!(x >= 0 && x <= static_cast<double>(cells[a])))
      throw UsageError(fmt::format(
          "probe '{}': {:.6g} along {} is not in the grid, {:.6g} to {:.6g}", probe.name,
          probe.position[axis], "xyz"[a], coordinates.origin[axis],
          coordinates.origin[axis] + static_cast<double>(cells[a]) * coordinates.spacing[axis]));
    cell[a] = std::min(static_cast<Index>(x), cells[a] - 1);
  }
  return cell;
}

/// The step that a row begins with, or -1.
std::int64_t step_of(const std::string& row)
{
  std::int64_t step = -1;
  std::from_chars(row.data(), row.data() + row.size(), step);
  return step;
}

/// Rows of a former run before a step, if its columns are these.
/// @throws UsageError if they are not
std::string kept_rows(const std::string& path, const std::string& header, std::int64_t step)
{
  std::ifstream file(path);
  std::string row, text;
  if (!std::getline(file, row)) return text;
  if (row != header)
    throw UsageError(
        fmt::format("{}:1: its columns are not those of this run, which would go on "
                    "with it: remove it or choose another name",
                    path));
  while (std::getline(file, row))
    if (!file.eof() && step_of(row) >= 0 && step_of(row) < step) text += row + "\n";
  return text;
}

void append(const std::string& path, const std::string& text)
{
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "ab"),
                                                             std::fclose);
  const bool good = file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                    std::fflush(file.get()) == 0;
  if (!good) throw RuntimeFault(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace

std::string Series::path() const
{
  return file_prefix(plan_.output.directory, plan_.output.name) + "_series.csv";
}

void Series::begin(const std::string& header)
{
  const std::int64_t step = simulation_.clock().step;
  on_rank_0(simulation_.communicator(), [&] {
    const std::string rows = step > 0 ? kept_rows(path(), header, step) : std::string();
    FileOutput file(path());
    file.write(header + "\n" + rows);
    file.commit();
  });
  begun_ = true;
}

void Series::write_row()
{
  if (!begun_)
    for (const Probe& probe : plan_.output.probes)
      cells_.push_back(
          cell_of(probe, plan_.output.snapshot.coordinates, simulation_.decomposition().cells()));
  const Clock clock = simulation_.clock();
  std::string header = "step,time", row = fmt::format("{},{}", clock.step, clock.time());
  const auto add = [&](const std::string& name, double value) {
    header += "," + name;
    row += fmt::format(",{}", value);
  };
  for (const auto& [name, value] : simulation_.series()) add(name, value);
  for (std::size_t n = 0; n < cells_.size(); ++n) {
    const Probe& probe = plan_.output.probes[n];
    const auto values = simulation_.values_at({cells_[n]}, probe.variables);
    for (std::size_t m = 0; m < values.size(); ++m)
      add(probe.name + "." + probe.variables[m], values[m]);
  }
  if (!begun_) begin(header);
  on_rank_0(simulation_.communicator(), [&] { append(path(), row + "\n"); });
}

}  // namespace helicity::job::detail
