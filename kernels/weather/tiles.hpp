// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/weather/dynamics.hpp>
#include <weather/dry_rows.hpp>

#include <algorithm>
#include <cstddef>

namespace helicity::weather {

/// Calls f(tile) for tiles of all columns: some per thread, 64 to 256 cells wide.
template <class T, class F>
void for_tiles(Cpu exec, const Dynamics<T>& d, F&& f)
{
  const Index n = d.cells.i, rows = d.cells.j;
  const Index wanted = (Index{4} * exec.threads + rows - 1) / rows;
  const Index width = exec.threads == 1
                          ? tile_width
                          : std::clamp<Index>((n / wanted + 15) / 16 * 16, 64, tile_width);
  const Index across = (n + width - 1) / width, tiles = across * rows;
  const Index pieces = std::min<Index>(tiles, exec.threads == 1 ? 1 : Index{8} * exec.threads);
  parallel_for(exec.threads, static_cast<std::size_t>(pieces), [&](std::size_t p, int) {
    const auto piece = static_cast<Index>(p);
    for (Index t = tiles * piece / pieces; t < tiles * (piece + 1) / pieces; ++t) {
      const Index first = t % across * width;
      f(Tile{t / across, first, std::min(n, first + width)});
    }
  });
}

}  // namespace helicity::weather
