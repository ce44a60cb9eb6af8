// SPDX-License-Identifier: Apache-2.0
// Paths to known end cells by align::trace_batch, cells counted once; packing and copies included.
// The ceiling is an estimate: 5 TCUPS on 132 multiprocessors at 1.98 GHz, for both passes.
#include "sequences.hpp"

#include <helicity/align/score_batch.hpp>
#include <helicity/align/trace_batch.hpp>
#include <helicity/core/parallel.hpp>

#include <fmt/format.h>

#include <atomic>
#include <memory>

namespace gpu_rows {

using namespace helicity;
using align::Mode;

namespace {

void measure(const Bench& bench, Mode mode, const Sequences& sequences)
{
  const align::Problem problem = problem_of(mode);
  const auto& pairs = sequences.pairs();
  std::vector<align::EndCell> ends(pairs.size());
  const auto taken = std::make_unique<bool[]>(pairs.size());
  align::score_batch(bench.exec, problem, pairs, 0, ends.data(), taken.get());
  const int threads = resolve_threads(0);
  std::atomic<std::size_t> steps{0};
  const double seconds = host_seconds(bench, [&] {
    align::trace_batch(bench.exec, problem, pairs, ends, 0, threads, taken.get(),
                       [&](std::size_t, align::Path& path) {
                         steps.fetch_add(path.ops.size(), std::memory_order_relaxed);
                       });
  });
  const auto left = std::count(taken.get(), taken.get() + pairs.size(), false);
  const double scale = bench.device.multiprocessors * bench.clock / (132 * 1.98e9);
  bench.report({fmt::format("trace {}", mode_name(mode)),
                sequences.text() + (left > 0 ? fmt::format(", {} not taken", left) : ""),
                1e-12 * sequences.cells() / seconds, "TCUPS", 5.0 * scale, "estimate"});
}

}  // namespace

void measure_traces(const Bench& bench)
{
  std::vector<Shape> shapes{{150, 250}, {1000, 1200}, {6000, 6000}};
  if (bench.size == Size::tiny) shapes.resize(1);
  for (const Shape& shape : shapes) {
    const Sequences sequences(shape, bench.pick(4e5, 4e11), std::size_t{1} << 20);
    for (const Mode mode : {Mode::local, Mode::global, Mode::semi_global})
      if (bench.size != Size::tiny || mode != Mode::local) measure(bench, mode, sequences);
  }
}

}  // namespace gpu_rows
