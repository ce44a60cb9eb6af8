// SPDX-License-Identifier: Apache-2.0
// Ours alone, row by row, for work on a kernel: align_bench --benchmark_filter=A1
#include <benchmark/benchmark.h>
#include <helicity/core/simd.hpp>

#include <string>

#include "ours.hpp"
#include "rows.hpp"

namespace helicity::bench {
namespace {

constexpr std::size_t pair_count = 20000;

void run_row(benchmark::State& state, const Row& row)
{
  const std::vector<TextPair> texts = make_pairs(row.workload, pair_count);
  const std::vector<align::Pair> pairs = our_pairs(texts);
  align::Aligner aligner(our_config(row.task, static_cast<int>(state.range(0))));
  for (auto _ : state) {
    if (row.task.output == Output::score) {
      benchmark::DoNotOptimize(aligner.score(pairs));
    } else {
      benchmark::DoNotOptimize(aligner.align(pairs));
    }
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["GCUPS"] =
      benchmark::Counter(runs * full_cells(texts) / 1e9, benchmark::Counter::kIsRate);
  state.counters["pairs"] = benchmark::Counter(runs * pair_count, benchmark::Counter::kIsRate);
}

void register_rows()
{
  for (const Row& row : all_rows()) {
    benchmark::RegisterBenchmark(std::string(row.name).c_str(),
                                 [&row](benchmark::State& state) { run_row(state, row); })
        ->ArgName("threads")
        ->Arg(1)
        ->Arg(2)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  }
}

}  // namespace
}  // namespace helicity::bench

int main(int count, char** arguments)
{
  helicity::limit_isa_from_environment();
  helicity::bench::register_rows();
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) {
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
