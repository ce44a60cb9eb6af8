// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/parallel.hpp>
#include <helicity/grid/field.hpp>

#include <algorithm>
#include <cstring>

namespace helicity::grid {

void clear_bytes(Cpu exec, void* data, std::size_t bytes)
{
  constexpr std::size_t piece = std::size_t{1} << 21;
  parallel_for(exec.threads, (bytes + piece - 1) / piece, [&](std::size_t p, int) {
    std::memset(static_cast<char*>(data) + p * piece, 0, std::min(piece, bytes - p * piece));
  });
}

}  // namespace helicity::grid
