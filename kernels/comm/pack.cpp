// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/pack.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/grid/simd_loop.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace helicity::comm::detail {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 17;
constexpr std::size_t least_for_threads = std::size_t{1} << 19;

enum class Way { in, out };  // to `packed`, from it

template <Way way, class T>
void move_cell(T* cell, T* packed)
{
  if constexpr (way == Way::in)
    *packed = *cell;
  else
    *cell = *packed;
}

/// Rows of n cells, a few, `sj` apart: faces across i.
template <Way way, int n, class T>
void move_short_rows(T* cells, T* packed, Index rows, Index sj)
{
  HELICITY_SIMD_LOOP
  for (Index r = 0; r < rows; ++r)
    for (Index i = 0; i < n; ++i) move_cell<way>(cells + r * sj + i, packed + r * n + i);
}

template <Way way, class T>
void move_long_rows(T* cells, T* packed, Index rows, Index sj, Index n)
{
  const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
  for (Index r = 0; r < rows; ++r)
    if constexpr (way == Way::in)
      std::memcpy(packed + r * n, cells + r * sj, bytes);
    else
      std::memcpy(cells + r * sj, packed + r * n, bytes);
}

template <Way way, class T>
void move_plane(T* cells, T* packed, Index rows, Index sj, Index n)
{
  switch (n) {
    case 1: return move_short_rows<way, 1>(cells, packed, rows, sj);
    case 2: return move_short_rows<way, 2>(cells, packed, rows, sj);
    case 3: return move_short_rows<way, 3>(cells, packed, rows, sj);
    case 4: return move_short_rows<way, 4>(cells, packed, rows, sj);
    default: return move_long_rows<way>(cells, packed, rows, sj, n);
  }
}

/// Rows [first, last) of a segment, counted j the fastest.
template <Way way, class T>
void move_rows(const Segment& s, Index first, Index last)
{
  const Index3 n = s.box.size();
  T* packed = reinterpret_cast<T*>(s.packed) + first * n.i;
  T* const corner =
      reinterpret_cast<T*>(s.origin) + s.box.lo.i + s.box.lo.j * s.sj + s.box.lo.k * s.sk;
  Index j = first % n.j, k = first / n.j;
  while (first < last) {
    const Index rows = std::min(last - first, n.j - j);
    move_plane<way>(corner + j * s.sj + k * s.sk, packed, rows, s.sj, n.i);
    packed += rows * n.i;
    first += rows;
    j = 0;
    ++k;
  }
}

template <Way way>
void move_chunk(const PackPlan& plan, const Chunk& chunk)
{
  const Segment& s = plan.segments[static_cast<std::size_t>(chunk.segment)];
  switch (s.element_bytes) {
    case 2: return move_rows<way, std::uint16_t>(s, chunk.first, chunk.last);
    case 4: return move_rows<way, std::uint32_t>(s, chunk.first, chunk.last);
    default: return move_rows<way, std::uint64_t>(s, chunk.first, chunk.last);
  }
}

template <Way way>
void move_all(Cpu exec, const PackPlan& plan)
{
  const int threads = plan.bytes < least_for_threads ? 1 : exec.threads;
  parallel_for(threads, plan.chunks.size(),
               [&](std::size_t c, int) { move_chunk<way>(plan, plan.chunks[c]); });
}

}  // namespace

PackPlan make_plan(Cpu, std::vector<Segment> segments)
{
  PackPlan plan;
  plan.segments = std::move(segments);
  for (std::size_t s = 0; s < plan.segments.size(); ++s) {
    const Segment& segment = plan.segments[s];
    const Index3 n = segment.box.size();
    const Index row_bytes = n.i * segment.element_bytes;
    const Index step = std::max<Index>(1, static_cast<Index>(chunk_bytes) / row_bytes);
    for (Index row = 0; row < n.j * n.k; row += step)
      plan.chunks.push_back({static_cast<int>(s), row, std::min(n.j * n.k, row + step)});
    plan.bytes += segment.bytes();
  }
  return plan;
}

void pack(Cpu exec, const PackPlan& plan) { move_all<Way::in>(exec, plan); }
void unpack(Cpu exec, const PackPlan& plan) { move_all<Way::out>(exec, plan); }

}  // namespace helicity::comm::detail
