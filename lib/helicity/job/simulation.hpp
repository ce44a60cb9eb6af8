// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>
#include <helicity/io/snapshot.hpp>
#include <helicity/io/state_file.hpp>
#include <helicity/job/clock.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helicity::job {

/// What made a simulation stop: the first bad cell in global order.
struct Trouble
{
  std::string variable;                               ///< "velocity", "density", ...
  std::string problem;                                ///< "is not finite", "CFL 1.7 is above 1"
  Index3 cell;                                        ///< global
  std::vector<std::pair<std::string, double>> local;  ///< numbers there: density, velocity, ...
  std::string advice;                                 ///< "a step below 0.02 s", may be empty
};

/// What a solver costs, for plans and progress.
struct Cost
{
  double bytes_per_step = 0;  ///< memory traffic of this rank, least possible
  Index cells = 0;            ///< global
  std::size_t memory = 0;     ///< bytes that this rank takes
  double messages = 0;        ///< that this rank sends to others in a step
  double bytes_sent = 0;      ///< in them
  std::vector<std::pair<std::string, double>>
      step_limits;  ///< "advection" -> longest step, seconds
};

/// A solver as the job room drives it. All functions are collective.
class HELICITY_EXPORT Simulation
{
 public:
  virtual ~Simulation() = default;

  virtual const comm::Communicator& communicator() const = 0;
  virtual const comm::Decomposition& decomposition() const = 0;
  virtual const Clock& clock() const = 0;

  /// Does n steps; on CUDA it may return before they are done.
  virtual void advance(std::int64_t steps) = 0;

  /// Waits until all steps are done.
  virtual void wait() = 0;

  /// Looks for non-finite values and violated limits; the same answer on every rank.
  virtual std::optional<Trouble> check() = 0;

  /// The whole state but the clock, which the job writes; read_state also sets the clock.
  virtual void write_state(io::StateWriter& out) = 0;
  virtual void read_state(io::StateReader& in, std::int64_t step) = 0;

  /// Variables of a snapshot: what `names` lists, or all for an empty list.
  /// @throws UsageError for an unknown name, with the nearest
  virtual void write_snapshot(io::SnapshotWriter& out, const std::vector<std::string>& names) = 0;

  /// A slice through the middle of the grid (axis 0, 1, 2 held fixed), whole on rank 0 and empty
  /// elsewhere: values, width and height. Solids are NaN.
  struct Slice
  {
    std::vector<double> values;
    int nx = 0, ny = 0;
  };
  virtual Slice slice(const std::string& variable, int axis) = 0;

  /// Numbers of the whole domain by name, for series: the same names at every step, and the same
  /// bits on every number of ranks.
  virtual std::vector<std::pair<std::string, double>> series() { return {}; }

  /// Values of variables at global cells, those of the first cell first, on every rank.
  /// @throws UsageError for an unknown name, with the nearest
  virtual std::vector<double> values_at(const std::vector<Index3>& cells,
                                        const std::vector<std::string>& variables) = 0;

  virtual Cost cost() const = 0;

  /// Hash of the whole state, the same for every decomposition and device.
  virtual std::uint64_t state_hash() = 0;
};

}  // namespace helicity::job
