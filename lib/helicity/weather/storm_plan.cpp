// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/storm_case.hpp>

#include <memory>

namespace helicity::weather {
namespace {

[[noreturn]] void refuse() { throw UsageError("a plan cannot be run"); }

class Plan final : public job::Simulation
{
 public:
  Plan(const StormCase& config, const comm::Communicator& comm,
       const comm::Decomposition& decomposition)
      : comm_(comm), decomposition_(decomposition)
  {
    clock_.step_seconds = config.step;
    const bool wide = config.precision == "double";
    const grid::Box owned = decomposition.box(comm.rank());
    const StormSetup setup = make_setup(config);
    cost_.cells = volume(decomposition.cells());
    cost_.bytes_per_step = static_cast<double>(owned.cells()) *
                           (wide ? storm_traffic<double>(setup) : storm_traffic<float>(setup));
    cost_.memory =
        wide ? storm_bytes<double>(owned.size(), setup) : storm_bytes<float>(owned.size(), setup);
    cost_.step_limits = weather::step_limits(config);
  }

  const comm::Communicator& communicator() const override { return comm_; }
  const comm::Decomposition& decomposition() const override { return decomposition_; }
  const job::Clock& clock() const override { return clock_; }
  job::Cost cost() const override { return cost_; }

  void advance(std::int64_t) override { refuse(); }
  void wait() override { refuse(); }
  std::optional<job::Trouble> check() override { refuse(); }
  void write_state(io::StateWriter&) override { refuse(); }
  void read_state(io::StateReader&, std::int64_t) override { refuse(); }
  void write_snapshot(io::SnapshotWriter&, const std::vector<std::string>&) override { refuse(); }
  Slice slice(const std::string&, int) override { refuse(); }
  std::uint64_t state_hash() override { refuse(); }

 private:
  comm::Communicator comm_;
  comm::Decomposition decomposition_;
  job::Clock clock_;
  job::Cost cost_;
};

}  // namespace

std::unique_ptr<job::Simulation> plan_storm(const StormCase& config, const comm::Communicator& comm,
                                            const comm::Decomposition& decomposition)
{
  return std::make_unique<Plan>(config, comm, decomposition);
}

}  // namespace helicity::weather
