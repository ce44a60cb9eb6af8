// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/log.hpp>
#include <helicity/grid/field.hpp>
#include <helicity/job/driver.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helicity::test {

/// The least of a solver: every cell is a logistic map of its own, from its place on.
class Toy : public job::Simulation
{
 public:
  struct Options
  {
    Index3 cells{12, 8, 6};
    double step_seconds = 0.25;
    double sleep_seconds = 0;     ///< per step
    std::int64_t breaks_at = -1;  ///< a NaN comes up at this step, in broken_cell
    Index3 broken_cell{7, 3, 4};
  };

  Toy() : Toy(Options{}) {}
  explicit Toy(Options options);

  const comm::Communicator& communicator() const override { return comm_; }
  const comm::Decomposition& decomposition() const override { return decomposition_; }
  const job::Clock& clock() const override { return clock_; }
  void advance(std::int64_t steps) override;
  void wait() override {}
  std::optional<job::Trouble> check() override;
  void write_state(io::StateWriter& out) override { out.write("x", x_); }
  void read_state(io::StateReader& in, std::int64_t step) override;
  void write_snapshot(io::SnapshotWriter& out, const std::vector<std::string>& names) override;
  Slice slice(const std::string& variable, int axis) override;
  std::vector<std::pair<std::string, double>> series() override;
  std::vector<double> values_at(const std::vector<Index3>& cells,
                                const std::vector<std::string>& variables) override;
  job::Cost cost() const override;
  std::uint64_t state_hash() override;

  std::vector<std::int64_t> bursts;  ///< lengths of all calls of advance()

 private:
  Index3 global(Index3 local) const { return local + box_.lo; }

  Options options_;
  comm::Communicator comm_;
  comm::Decomposition decomposition_;
  grid::Box box_;
  job::Clock clock_;
  grid::Field<double> x_;
};

/// What the library logs, line by line with "warning: " before warnings, while it lives.
class LogCapture
{
 public:
  LogCapture();
  ~LogCapture() { set_log_sink({}); }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  std::string text() const { return text_; }
  bool has(const std::string& part) const { return text_.find(part) != std::string::npos; }

 private:
  std::string text_;
};

/// A folder that all ranks share, removed at the end.
class SharedFolder
{
 public:
  SharedFolder();
  ~SharedFolder();
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// A plan that writes into a folder, without progress.
job::RunPlan toy_plan(const SharedFolder& folder, std::int64_t steps);

/// Names of the files in a folder, sorted.
std::vector<std::string> files_in(const std::string& folder);

/// Hash of a toy that has done so many steps without a stop.
std::uint64_t undisturbed_hash(std::int64_t steps);

}  // namespace helicity::test
