// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/error.hpp>
#include <helicity/job/simulation.hpp>

#include <utility>

namespace helicity::job {

/// What a run would cost, with nothing allocated: all but communicator, decomposition, clock and
/// cost throws UsageError.
class Planned final : public Simulation
{
 public:
  Planned(comm::Communicator comm, comm::Decomposition decomposition, double step_seconds,
          Cost cost)
      : comm_(std::move(comm)), decomposition_(decomposition), cost_(std::move(cost))
  {
    clock_.step_seconds = step_seconds;
  }

  const comm::Communicator& communicator() const override { return comm_; }
  const comm::Decomposition& decomposition() const override { return decomposition_; }
  const Clock& clock() const override { return clock_; }
  Cost cost() const override { return cost_; }

  void advance(std::int64_t) override { refuse(); }
  void wait() override { refuse(); }
  std::optional<Trouble> check() override { refuse(); }
  void write_state(io::StateWriter&) override { refuse(); }
  void read_state(io::StateReader&, std::int64_t) override { refuse(); }
  void write_snapshot(io::SnapshotWriter&, const std::vector<std::string>&) override { refuse(); }
  Slice slice(const std::string&, int) override { refuse(); }
  std::vector<double> values_at(const std::vector<Index3>&,
                                const std::vector<std::string>&) override
  {
    refuse();
  }
  std::uint64_t state_hash() override { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw UsageError("a plan cannot be run"); }

  comm::Communicator comm_;
  comm::Decomposition decomposition_;
  Clock clock_;
  Cost cost_;
};

}  // namespace helicity::job
