// SPDX-License-Identifier: Apache-2.0
// Whole steps of the storm model. Least traffic: every pass of a step reads and writes its fields
// once (storm_traffic).
#include "row.hpp"

#include <helicity/comm/transport.hpp>
#include <helicity/weather/storm_model.hpp>

#include <fmt/format.h>

#include <cmath>

namespace gpu_rows {

using namespace helicity;

namespace {

/// A warm bubble in moist, stable air; cells of 500 m.
weather::StormSetup bubble(Index3 cells)
{
  weather::StormSetup setup;
  setup.cells = cells;
  setup.spacing = {500, 500, 16000.0 / static_cast<double>(cells.k)};
  setup.step = 1;
  setup.theta = [](double z) { return 300 * std::exp(1e-4 / 9.81 * z); };
  setup.wind = [](double z) { return std::pair(10 * std::tanh(z / 3000), 0.0); };
  setup.initial = [middle = 250.0 * static_cast<double>(cells.i)](const weather::GridPoint& p) {
    const double r = std::hypot((p.x - middle) / 10000, (p.z - 1500) / 1500);
    weather::StormInitial start;
    start.theta = r < 1 ? 2 * (1 - r) : 0;
    return start;
  };
  return setup;
}

template <class T>
void measure_storm(const Bench& bench, const std::string& name, weather::StormSetup setup)
{
  while (weather::storm_bytes<T>(setup.cells, setup) > bench.device.free_memory / 10 * 8)
    setup.cells.i -= setup.cells.i / 8;
  const comm::Communicator alone;
  const auto model = weather::make_storm<T>(
      setup, alone, {setup.cells, 1, weather::decomposition_options(setup)}, bench.exec,
      comm::choose_transport(alone, bench.exec, comm::TransportRequest::automatic));
  const std::int64_t steps = bench.pick<std::int64_t>(1, 4);
  const double seconds = host_seconds(bench, [&] {
    model->advance(steps);
    model->wait();
  });
  const double bytes = weather::storm_traffic<T>(setup);
  const auto updates = static_cast<double>(volume(setup.cells) * steps);
  bench.report({fmt::format("storm step, {}, {}", name, sizeof(T) == 4 ? "float" : "double"),
                fmt::format("{} x {} x {}", setup.cells.i, setup.cells.j, setup.cells.k),
                1e-9 * updates / seconds, "Gcells/s", 1e-9 * bench.copy_rate / bytes,
                fmt::format("copy, {:.0f} B", bytes)});
}

weather::StormSetup raining(weather::StormSetup setup, weather::Scheme scheme)
{
  setup.scheme = scheme;
  setup.species = weather::species_of(scheme);
  setup.vapour = [](double z) { return 0.014 * std::exp(-z / 2500); };
  return setup;
}

}  // namespace

void measure_weather(const Bench& bench)
{
  const Index across = bench.pick<Index>(24, 512), levels = bench.pick<Index>(16, 128);
  const weather::StormSetup space = bubble({across, across, levels});
  const weather::StormSetup slab = bubble({bench.pick<Index>(48, 16384), 1, 4 * levels});
  measure_storm<float>(bench, "dry", space);
  measure_storm<double>(bench, "dry", space);
  measure_storm<float>(bench, "dry slab", slab);
  measure_storm<float>(bench, "Kessler", raining(space, weather::Scheme::kessler));
  if (bench.size != Size::tiny)
    measure_storm<float>(bench, "six-class ice", raining(space, weather::Scheme::ice));
}

}  // namespace gpu_rows
