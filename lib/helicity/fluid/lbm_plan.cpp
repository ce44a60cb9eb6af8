// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/fluid/detail/lbm_model.hpp>
#include <helicity/fluid/lbm_case.hpp>

#include <cmath>
#include <memory>

namespace helicity::fluid {
namespace {

[[noreturn]] void refuse() { throw UsageError("a plan cannot be run"); }

class Plan final : public job::Simulation
{
 public:
  Plan(const LbmCase& config, const comm::Communicator& comm,
       const comm::Decomposition& decomposition)
      : comm_(comm), decomposition_(decomposition)
  {
    clock_.step_seconds = config.step;
    const LatticeKind lattice = config.lattice == "d2q9" ? LatticeKind::d2q9 : LatticeKind::d3q19;
    const bool wide = config.precision == "double";
    const grid::Box owned = decomposition.box(comm.rank());
    const auto cells = static_cast<double>(owned.cells());
    const double q = detail::velocities(lattice);
    cost_.cells = volume(decomposition.cells());
    cost_.bytes_per_step = cells * 2 * q * (wide ? 8 : 4);
    cost_.memory =
        wide ? lbm_bytes<double>(lattice, owned.size()) : lbm_bytes<float>(lattice, owned.size());
    cost_.step_limits = limits(config);
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
  /// Longest steps: Mach 0.3 at the reference speed, and a relaxation time of 2 of the viscosity,
  /// above which the method is no longer accurate.
  static std::vector<std::pair<std::string, double>> limits(const LbmCase& c)
  {
    return {{"Mach 0.3 at flow.speed", 0.3 / std::sqrt(3.) * c.spacing / c.speed},
            {"relaxation time 2 of fluid.viscosity", 0.5 * c.spacing * c.spacing / c.viscosity}};
  }

  comm::Communicator comm_;
  comm::Decomposition decomposition_;
  job::Clock clock_;
  job::Cost cost_;
};

}  // namespace

std::unique_ptr<job::Simulation> plan_lbm(const LbmCase& config, const comm::Communicator& comm,
                                          const comm::Decomposition& decomposition)
{
  return std::make_unique<Plan>(config, comm, decomposition);
}

}  // namespace helicity::fluid
