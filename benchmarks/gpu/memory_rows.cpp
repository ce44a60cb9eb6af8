// SPDX-License-Identifier: Apache-2.0
// Copies, the triad that measures bandwidth, and packing and unpacking of halos.
#include "row.hpp"

#include <helicity/comm/halo.hpp>
#include <helicity/comm/session.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/grid/field.hpp>
#include <helicity/job/triad.hpp>

#include <fmt/format.h>

namespace gpu_rows {

using namespace helicity;

namespace {

std::string mebibytes(std::size_t bytes)
{
  return bytes >= std::size_t{1} << 20 ? fmt::format("{} MiB", bytes >> 20)
                                       : fmt::format("{} KiB", bytes >> 10);
}

/// Faces across one axis, of 5 numbers as D3Q19 exchanges them: packed, then unpacked, on one rank.
void measure_halo(const Bench& bench, const comm::Session& session, int axis)
{
  const Index n = bench.pick<Index>(24, 512);
  const Index3 cells{n, n, n};
  const Index3 width{axis == 0, axis == 1, axis == 2};
  grid::Field<float> field({.cells = cells, .halo = width, .components = 5}, bench.exec);
  comm::HaloExchange halo(session.world(),
                          comm::Decomposition(cells, 1, {.periodic = {true, true, true}}),
                          bench.exec, comm::Transport::staged);
  halo.add(field, width);
  halo.commit();
  const double seconds = device_seconds(bench, [&] { halo.exchange(); });
  // Both ways a cell is read and written. Cells of faces across i lie alone in 32-byte sectors.
  const auto bytes = static_cast<double>(halo.traffic().bytes_local);
  const double moved = bytes * (axis == 0 ? 2 * (8 + 1) : 2 * 2);
  bench.report({fmt::format("halo pack + unpack, faces across {}", "ijk"[axis]),
                fmt::format("5 x float, {}^3", n), 1e-9 * moved / seconds, "GB/s",
                1e-9 * bench.copy_rate, axis == 0 ? "copy, in sectors" : "copy"});
}

}  // namespace

void measure_copy(Bench& bench)
{
  const std::size_t bytes = bench.pick<std::size_t>(std::size_t{1} << 18, std::size_t{2} << 30);
  Buffer<std::byte> from(MemoryKind::device, bytes, bench.exec),
      to(MemoryKind::device, bytes, bench.exec);
  fill_bytes(from.data(), 1, bytes, bench.exec);
  const double seconds =
      device_seconds(bench, [&] { copy_bytes(to.data(), from.data(), bytes, bench.exec); });
  bench.copy_rate = 2.0 * static_cast<double>(bytes) / seconds;
  bench.report({"copy on the device", mebibytes(bytes), 1e-9 * bench.copy_rate, "GB/s", 0, ""});
}

void measure_triad(const Bench& bench)
{
  const std::size_t n = bench.pick<std::size_t>(std::size_t{1} << 14, std::size_t{1} << 27);
  Buffer<double> a(MemoryKind::device, n, bench.exec), b(MemoryKind::device, n, bench.exec),
      c(MemoryKind::device, n, bench.exec);
  for (auto* buffer : {&a, &b, &c}) fill_bytes(buffer->data(), 0, buffer->bytes(), bench.exec);
  const double seconds =
      device_seconds(bench, [&] { job::triad(bench.exec, a.data(), b.data(), c.data(), 3.0, n); });
  bench.report({"triad", "3 x " + mebibytes(n * sizeof(double)),
                24e-9 * static_cast<double>(n) / seconds, "GB/s", 1e-9 * bench.copy_rate, "copy"});
}

void measure_halos(const Bench& bench)
{
  const comm::Session session;
  for (const int axis : {2, 1, 0}) measure_halo(bench, session, axis);
}

}  // namespace gpu_rows
