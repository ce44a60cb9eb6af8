// SPDX-License-Identifier: Apache-2.0
#include <helicity/fluid/detail/lbm_model.hpp>
#include <helicity/fluid/lbm_case.hpp>
#include <helicity/job/planned.hpp>

#include <cmath>
#include <memory>

namespace helicity::fluid {
namespace {

/// Longest steps: Mach 0.3 at the reference speed, and a relaxation time of 2 of the viscosity,
/// above which the method is no longer accurate.
std::vector<std::pair<std::string, double>> limits(const LbmCase& c)
{
  return {{"Mach 0.3 at flow.speed", 0.3 / std::sqrt(3.) * c.spacing / c.speed},
          {"relaxation time 2 of fluid.viscosity", 0.5 * c.spacing * c.spacing / c.viscosity}};
}

}  // namespace

std::unique_ptr<job::Simulation> plan_lbm(const LbmCase& config, const comm::Communicator& comm,
                                          const comm::Decomposition& decomposition)
{
  const LatticeKind lattice = config.lattice == "d2q9" ? LatticeKind::d2q9 : LatticeKind::d3q19;
  const bool wide = config.precision == "double";
  const grid::Box owned = decomposition.box(comm.rank());
  job::Cost cost;
  cost.cells = volume(decomposition.cells());
  cost.bytes_per_step =
      static_cast<double>(owned.cells()) * 2 * detail::velocities(lattice) * (wide ? 8 : 4);
  cost.memory =
      wide ? lbm_bytes<double>(lattice, owned.size()) : lbm_bytes<float>(lattice, owned.size());
  cost.step_limits = limits(config);
  return std::make_unique<job::Planned>(comm, decomposition, config.step, std::move(cost));
}

}  // namespace helicity::fluid
