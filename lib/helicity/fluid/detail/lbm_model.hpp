// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/halo.hpp>
#include <helicity/fluid/detail/lbm_exchange.hpp>
#include <helicity/fluid/lbm_geometry.hpp>
#include <helicity/fluid/lbm_model.hpp>
#include <helicity/fluid/lbm_step.hpp>
#include <helicity/grid/field.hpp>
#include <helicity/grid/shell.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace helicity::fluid::detail {

inline int velocities(LatticeKind lattice)
{
  return with_lattice(lattice, []<class L>(L) { return L::q; });
}

/// LbmModel for populations of type T. Stepping in lbm_model.cpp, reading in lbm_output.cpp.
template <class T>
class Model final : public LbmModel
{
 public:
  Model(const LbmSetup& setup, const LbmUnits& units, const comm::Communicator& comm,
        const comm::Decomposition& decomposition, const Executor& executor,
        comm::Transport transport);

  const comm::Communicator& communicator() const override { return comm_; }
  const comm::Decomposition& decomposition() const override { return decomposition_; }
  const job::Clock& clock() const override { return clock_; }

  void advance(std::int64_t steps) override
  {
    for (; steps > 0; --steps) {
      step();
      ++clock_.step;
    }
  }

  void wait() override
  {
    if (const auto* cuda = std::get_if<Cuda>(&executor_)) synchronize(*cuda);
  }

  std::optional<job::Trouble> check() override;
  void write_state(io::StateWriter& out) override;
  void read_state(io::StateReader& in, std::int64_t step) override;
  void write_snapshot(io::SnapshotWriter& out, const std::vector<std::string>& names) override;
  Slice slice(const std::string& variable, int axis) override;
  std::vector<std::pair<std::string, double>> series() override;
  std::vector<double> values_at(const std::vector<Index3>& cells,
                                const std::vector<std::string>& variables) override;
  job::Cost cost() const override;
  std::uint64_t state_hash() override;
  Macroscopic macroscopic() override;

 private:
  grid::FieldShape shape(int components, Index halo) const
  {
    return {.cells = owned_.size(),
            .halo = {halo, halo, halo},
            .offset = owned_.lo,
            .components = components};
  }

  Populations<T> populations()
  {
    const View3<T> v = f_.view();
    return {v.origin, v.sj, v.sk, f_.component_stride(), owned_.size()};
  }

  static Populations<const T> read_only(const Populations<T>& f)
  {
    return {f.origin, f.sj, f.sk, f.sc, f.cells};
  }

  static Populations<T> components(grid::Field<T>& field)
  {
    const View3<T> v = field.view();
    return {v.origin, v.sj, v.sk, field.component_stride(), field.shape().cells};
  }

  template <class F>
  decltype(auto) on_device(F&& f)
  {
    return std::visit(std::forward<F>(f), executor_);
  }

  void set_geometry();
  void set_initial();
  void set_planes(Index first, grid::Field<T>& planes, bool has_strain);
  void evaluate_initial(grid::Field<T>& host, Index3 offset) const;
  void step();
  void sweep(const grid::Box& box);
  void links(bool before);
  void prepare_reading();
  void compute_moments();
  std::vector<T> variable_block(std::string_view name);
  std::vector<double> variable_values(std::string_view name);

  LbmSetup setup_;
  LbmUnits units_;
  comm::Communicator comm_;
  comm::Decomposition decomposition_;
  Executor executor_;
  Relaxation<T> relaxation_;
  grid::Box owned_;
  grid::Field<T> f_;
  grid::Field<std::uint8_t> flags_;
  grid::Field<T> moments_;  // made at first use: 4 components; also scratch for populations
  std::vector<std::uint8_t> solid_block_;
  Buffer<LinkRun<T>> links_;
  std::vector<RowRun> runs_;
  bool has_solids_ = false;
  Index fluid_cells_ = 0;
  Layout layout_ = Layout::own;
  LbmExchange exchange_;
  grid::Shell split_;  // cells beside another rank, and the rest
  job::Clock clock_;
};

}  // namespace helicity::fluid::detail
