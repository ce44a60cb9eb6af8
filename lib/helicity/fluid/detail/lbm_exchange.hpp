// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/halo.hpp>
#include <helicity/fluid/lattice.hpp>
#include <helicity/fluid/lbm_step.hpp>
#include <helicity/grid/box.hpp>
#include <helicity/job/simulation.hpp>

#include <vector>

namespace helicity::fluid::detail {

/// The two exchanges of the AA pattern: `out` fills the halo that a step from Layout::neighbour
/// reads; `home` brings populations that such a step left in the halo to the cells they reached.
/// Only populations that cross a face, edge or corner travel. What crosses a periodic end within
/// this rank goes apart, since all cells must be done before it.
class LbmExchange
{
 public:
  enum Way { out, home };

  LbmExchange(const comm::Communicator& comm, const comm::Decomposition& decomposition,
              const Executor& executor, comm::Transport transport)
      : comm_(comm), decomposition_(decomposition)
  {
    for (int n = 0; n < 4; ++n) exchanges_.emplace_back(comm, decomposition, executor, transport);
  }

  template <class T>
  void add(LatticeKind lattice, const Populations<T>& f, Index3 cells);

  void commit()
  {
    for (auto& exchange : exchanges_) exchange.commit();
  }

  /// Sends to other ranks what boundary cells have left.
  [[nodiscard]] comm::HaloExchange::Flight start(Way way) { return between(way, false).start(); }

  /// Carries what crosses periodic ends within this rank. Call when all cells are done.
  void exchange_within(Way way) { between(way, true).exchange(); }

  /// Memory traffic of packing and unpacking, on average.
  double bytes_per_step() const;

 private:
  comm::HaloExchange& between(Way way, bool within)
  {
    return exchanges_[static_cast<std::size_t>(2 * way + (within ? 1 : 0))];
  }

  comm::Communicator comm_;
  comm::Decomposition decomposition_;
  std::vector<comm::HaloExchange> exchanges_;
};

}  // namespace helicity::fluid::detail
