// SPDX-License-Identifier: Apache-2.0
// Steps of the lattice Boltzmann kernel, under Google Benchmark: sizes in and beyond the caches.
#include <helicity/fluid/lbm_step.hpp>
#include <helicity/grid/field.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace helicity;

template <class T, fluid::LatticeKind lattice>
void steps(benchmark::State& state)
{
  const Index n = state.range(0);
  const Cpu exec{static_cast<int>(state.range(1))};
  const bool plane = lattice == fluid::LatticeKind::d2q9;
  const Index3 cells{n, n, plane ? 1 : n};
  grid::Field<T> field({.cells = cells, .halo = {1, 1, 1}, .components = plane ? 9 : 19}, exec);
  const View3<T> v = field.view();
  const fluid::Populations<T> f{v.origin, v.sj, v.sk, field.component_stride(), cells};
  const fluid::Relaxation<T> r{T(1.9), T(0.5)};
  for (auto _ : state) {
    fluid::lbm_step(exec, lattice, fluid::Layout::own, f, field.owned(), r, {});
    fluid::lbm_step(exec, lattice, fluid::Layout::neighbour, f, field.owned(), r, {});
  }
  state.counters["MLUPS"] = benchmark::Counter(
      2e-6 * static_cast<double>(volume(cells)) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

BENCHMARK_TEMPLATE(steps, float, fluid::LatticeKind::d3q19)
    ->ArgsProduct({{32, 64, 128, 256}, {1, 2}})
    ->UseRealTime();
BENCHMARK_TEMPLATE(steps, double, fluid::LatticeKind::d3q19)
    ->ArgsProduct({{64, 256}, {1, 2}})
    ->UseRealTime();
BENCHMARK_TEMPLATE(steps, float, fluid::LatticeKind::d2q9)
    ->ArgsProduct({{256, 2048}, {1, 2}})
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
