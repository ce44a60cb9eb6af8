// SPDX-License-Identifier: Apache-2.0
#include <helicity/job/planned.hpp>
#include <helicity/weather/storm_case.hpp>

#include <helicity/weather/dynamics.hpp>

#include <memory>
#include <set>
#include <utility>

namespace helicity::weather {
namespace {

/// Messages and values that a rank sends in a step: halos of the state after each stage, push
/// across faces between acoustic steps, what water keeps once; not the single faces of open ends.
std::pair<double, double> sent_per_step(const StormSetup& setup, const comm::Decomposition& split,
                                        int rank)
{
  const Index3 n = split.box(rank).size();
  const bool slab = setup.cells.j == 1;
  const double fields = 5 + setup.species + (setup.mixing.closure == Closure::energy ? 1 : 0);
  const double keeps = setup.species > 0 ? 1 : 0;
  double pushes = 0, state = 0, push = 0;
  for (const int m : short_steps_of_stages(setup.short_steps)) pushes += m - 1;
  std::set<int> around, beside;
  for (int j = slab ? 0 : -1; j <= (slab ? 0 : 1); ++j)
    for (int i = -1; i <= 1; ++i) {
      const int other = split.neighbour(rank, {i, j, 0});
      if (other < 0 || other == rank) continue;
      around.insert(other);
      state += static_cast<double>((i != 0 ? halo_width : n.i) * (j != 0 ? halo_width : n.j) * n.k);
      if (i != 0 && j != 0) continue;
      beside.insert(other);
      push += static_cast<double>((i != 0 ? n.j : n.i) * n.k);
    }
  return {3 * static_cast<double>(around.size()) +
              (pushes + keeps) * static_cast<double>(beside.size()),
          3 * fields * state + (pushes + setup.species) * push};
}

}  // namespace

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
  const auto [messages, values] = sent_per_step(setup, decomposition, comm.rank());
  cost.messages = messages;
  cost.bytes_sent = values * static_cast<double>(wide ? sizeof(double) : sizeof(float));
  cost.step_limits = step_limits(config);
  return std::make_unique<job::Planned>(comm, decomposition, config.step, std::move(cost));
}

}  // namespace helicity::weather
