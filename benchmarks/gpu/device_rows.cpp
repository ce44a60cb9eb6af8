// SPDX-License-Identifier: Apache-2.0
// Best end cells of pairs that are on the device, by align::score_device_batch: no packing on the
// host and no copies, so that short pairs show what the kernels can do.
#include "sequences.hpp"

#include <helicity/align/device_batch.hpp>
#include <helicity/core/buffer.hpp>

#include <fmt/format.h>

namespace gpu_rows {

using namespace helicity;
using align::Mode;

namespace {

template <class T>
Buffer<T> to_device(const Bench& bench, const std::vector<T>& values)
{
  Buffer<T> buffer(MemoryKind::device, values.size(), bench.exec);
  copy_bytes(buffer.data(), values.data(), buffer.bytes(), bench.exec);
  synchronize(bench.exec);
  return buffer;
}

/// One side of all pairs: places and lengths in the letters that both sides share.
struct Side
{
  Buffer<std::uint64_t> offsets;
  Buffer<std::int32_t> lengths;
};

template <class Start>
Side make_side(const Bench& bench, std::size_t count, std::int64_t length, Start&& start)
{
  std::vector<std::uint64_t> offsets(count);
  for (std::size_t k = 0; k < count; ++k) offsets[k] = start(k);
  const std::vector<std::int32_t> lengths(count, static_cast<std::int32_t>(length));
  return {to_device(bench, offsets), to_device(bench, lengths)};
}

void measure(const Bench& bench, Shape shape)
{
  const Sequences sequences(shape, bench.pick(5e5, 1e12), std::size_t{1} << 20);
  const auto& pairs = sequences.pairs();
  const std::uint8_t* origin = sequences.letters().data();
  const auto place = [&](const std::uint8_t* at) {
    return static_cast<std::uint64_t>(at - origin);
  };
  const Buffer<std::uint8_t> codes = to_device(bench, sequences.letters());
  const Side query = make_side(bench, pairs.size(), shape.query,
                               [&](std::size_t k) { return place(pairs[k].query); });
  const Side target = make_side(bench, pairs.size(), shape.target,
                                [&](std::size_t k) { return place(pairs[k].target); });
  Buffer<std::int32_t> found(MemoryKind::device, 3 * pairs.size(), bench.exec);
  Buffer<align::DeviceStatus> status(MemoryKind::device, pairs.size(), bench.exec);
  const align::DeviceEnds ends{found.data(), found.data() + pairs.size(),
                               found.data() + 2 * pairs.size(), status.data()};
  const align::DeviceLimits limits{static_cast<std::int32_t>(pairs.size()),
                                   static_cast<std::int32_t>(shape.query),
                                   static_cast<std::int32_t>(shape.target)};
  Buffer<std::byte> workspace(MemoryKind::device, align::device_workspace_bytes(bench.exec, limits),
                              bench.exec);
  for (const Mode mode : {Mode::local, Mode::global, Mode::semi_global}) {
    const align::Problem problem = problem_of(mode);
    const double seconds = device_seconds(bench, [&] {
      align::score_device_batch(bench.exec, problem,
                                {codes.data(), query.offsets.data(), query.lengths.data()},
                                {codes.data(), target.offsets.data(), target.lengths.data()},
                                limits, ends, workspace.data(), workspace.bytes());
    });
    bench.report({fmt::format("score on the device {}", mode_name(mode)), sequences.text(),
                  1e-12 * sequences.cells() / seconds, "TCUPS", score_ceiling(bench, mode),
                  "issue slots"});
  }
}

}  // namespace

void measure_device_scores(const Bench& bench)
{
  std::vector<Shape> shapes{{150, 250}, {500, 600}, {1000, 1200}};
  if (bench.size == Size::tiny) shapes.resize(1);
  for (const Shape& shape : shapes) measure(bench, shape);
}

}  // namespace gpu_rows
