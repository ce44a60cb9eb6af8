// SPDX-License-Identifier: Apache-2.0
// Best end cells by align::score_batch: packing on the host and copies included, which is what
// limits short pairs. Ceilings by issue slots per packed instruction of the loops (Hopper).
#include "sequences.hpp"

#include <helicity/align/score_batch.hpp>

#include <fmt/format.h>

#include <memory>

namespace gpu_rows {

using namespace helicity;
using align::Mode;
using align::ScoreEngine;

namespace {

constexpr double local_cycles = 8.04;  // of a warp for 64 cells, two to a lane
constexpr double end_to_end_cycles = 6.55;
constexpr double wide_cycles = 8.0;  // for 32 cells

bool has_packed(const Bench& bench) { return bench.device.major == 9 || bench.device.major == 10; }

double ceiling(const Bench& bench, Mode mode, ScoreEngine engine)
{
  if (engine == ScoreEngine::wide || !has_packed(bench)) return bench.cell_ceiling(32, wide_cycles);
  return bench.cell_ceiling(64, mode == Mode::local ? local_cycles : end_to_end_cycles);
}

void measure(const Bench& bench, Mode mode, ScoreEngine engine, const Sequences& sequences)
{
  const align::Problem problem = problem_of(mode);
  const auto& pairs = sequences.pairs();
  std::vector<align::EndCell> ends(pairs.size());
  const auto taken = std::make_unique<bool[]>(pairs.size());
  const double seconds = host_seconds(bench, [&] {
    align::score_batch(bench.exec, problem, pairs, 0, ends.data(), taken.get(), {.engine = engine});
  });
  const auto left = std::count(taken.get(), taken.get() + pairs.size(), false);
  const char* bits = engine == ScoreEngine::wide || !has_packed(bench) ? "32-bit" : "16-bit";
  bench.report({fmt::format("score {} {}", bits, mode_name(mode)),
                sequences.text() + (left > 0 ? fmt::format(", {} not taken", left) : ""),
                1e-12 * sequences.cells() / seconds, "TCUPS", ceiling(bench, mode, engine),
                "issue slots"});
}

}  // namespace

double score_ceiling(const Bench& bench, Mode mode)
{
  return ceiling(bench, mode, ScoreEngine::automatic);
}

void measure_scores(const Bench& bench)
{
  std::vector<Shape> shapes{{150, 250}, {1000, 1200}, {6000, 6000}};
  if (bench.size == Size::full)
    shapes = {{100, 150},   {150, 250},   {300, 400},  {500, 600},
              {1000, 1200}, {2000, 2500}, {6000, 6000}};
  if (bench.size == Size::tiny) shapes = {{150, 250}, {200, 300}};
  for (const Shape& shape : shapes) {
    const Sequences sequences(shape, bench.pick(1e6, 2e12), std::size_t{1} << 22);
    for (const Mode mode : {Mode::local, Mode::global, Mode::semi_global})
      measure(bench, mode, ScoreEngine::automatic, sequences);
    if (!has_packed(bench) || &shape == &shapes.front()) continue;
    const Sequences fewer(shape, bench.pick(5e5, 1e12), std::size_t{1} << 21);
    for (const Mode mode : {Mode::local, Mode::global})
      measure(bench, mode, ScoreEngine::wide, fewer);
  }
}

}  // namespace gpu_rows
