// SPDX-License-Identifier: Apache-2.0
#include <helicity/fluid/detail/lbm_exchange.hpp>

#include <cstring>
#include <string>
#include <string_view>

namespace helicity::fluid::detail {
namespace {

/// Halo cells in a direction: the layer beyond a face, the line beyond an edge, ...
grid::Box halo_region(Index3 cells, Index3 direction)
{
  grid::Box box = grid::box_of(cells);
  for (int axis = 0; axis < 3; ++axis) {
    if (direction[axis] == 0) continue;
    box.lo[axis] = direction[axis] > 0 ? cells[axis] : -1;
    box.hi[axis] = box.lo[axis] + 1;
  }
  return box;
}

/// Where a box beyond the end of this rank lies in the cells of the neighbour in `direction`, if
/// that has as many cells as we have across; and, read the other way, where cells of ours lie that
/// an equal neighbour in -direction sees beyond its end.
grid::Box seen_from_neighbour(grid::Box box, Index3 cells, Index3 direction)
{
  Index3 by;
  for (int axis = 0; axis < 3; ++axis) by[axis] = -direction[axis] * cells[axis];
  return shifted(box, by);
}

}  // namespace

template <class T>
void LbmExchange::add(LatticeKind lattice, const Populations<T>& f, Index3 cells)
{
  const auto piece = [&](int slot, Index3 direction, grid::Box send, grid::Box receive) {
    return comm::HaloPiece{reinterpret_cast<std::byte*>(f.origin + slot * f.sc),
                           static_cast<int>(sizeof(T)),
                           f.sj,
                           f.sk,
                           direction,
                           send,
                           receive};
  };
  with_lattice(lattice, [&]<class L>(L) {
    for (int d = 0; d < 27; ++d) {
      const Index3 direction{d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
      if (direction == Index3{}) continue;
      const bool within = decomposition_.neighbour(comm_.rank(), direction) == comm_.rank();
      for (int i = 1; i < L::q; ++i) {
        const Index3 c = velocity<L>(i);
        // Places that cells step into by c and that lie beyond our end in `direction`: populations
        // of slot i on their way home.
        const grid::Box beyond =
            intersect(shifted(grid::box_of(cells), c), halo_region(cells, direction));
        bool crosses = !beyond.empty();
        for (int axis = 0; axis < 3; ++axis)
          crosses = crosses && (direction[axis] == 0 || c[axis] == direction[axis]);
        if (!crosses) continue;
        const grid::Box inside = seen_from_neighbour(beyond, cells, direction);
        between(home, within).add(piece(i, direction, beyond, inside));
        // A step from `neighbour` reads slot i there before it writes: the same places, the other
        // way round.
        const Index3 back{-direction.i, -direction.j, -direction.k};
        between(out, within).add(piece(i, back, inside, beyond));
      }
    }
  });
}

template void LbmExchange::add(LatticeKind, const Populations<float>&, Index3);
template void LbmExchange::add(LatticeKind, const Populations<double>&, Index3);

double LbmExchange::bytes_per_step() const
{
  double bytes = 0;
  for (const auto& exchange : exchanges_) {
    const comm::HaloTraffic t = exchange.traffic();
    bytes += 4 * static_cast<double>(t.bytes_sent + t.bytes_local);
  }
  return bytes / 2;
}

}  // namespace helicity::fluid::detail
