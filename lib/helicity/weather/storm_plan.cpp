// SPDX-License-Identifier: Apache-2.0
#include <helicity/job/planned.hpp>
#include <helicity/weather/storm_case.hpp>

#include <memory>

namespace helicity::weather {

std::unique_ptr<job::Simulation> plan_storm(const StormCase& config, const comm::Communicator& comm,
                                            const comm::Decomposition& decomposition)
{
  const bool wide = config.precision == "double";
  const grid::Box owned = decomposition.box(comm.rank());
  const StormSetup setup = make_setup(config);
  job::Cost cost;
  cost.cells = volume(decomposition.cells());
  cost.bytes_per_step = static_cast<double>(owned.cells()) *
                        (wide ? storm_traffic<double>(setup) : storm_traffic<float>(setup));
  cost.memory =
      wide ? storm_bytes<double>(owned.size(), setup) : storm_bytes<float>(owned.size(), setup);
  cost.step_limits = step_limits(config);
  return std::make_unique<job::Planned>(comm, decomposition, config.step, std::move(cost));
}

}  // namespace helicity::weather
