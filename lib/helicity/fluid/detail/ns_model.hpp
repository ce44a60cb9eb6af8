// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/halo.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/fft/poisson.hpp>
#include <helicity/fluid/ns_model.hpp>
#include <helicity/fluid/ns_step.hpp>
#include <helicity/grid/boundary.hpp>
#include <helicity/grid/field.hpp>

#include <string_view>
#include <variant>

namespace helicity::fluid::detail {

/// Shape of the fields of a rank; all have the same strides.
grid::FieldShape ns_shape(const NsSetup& setup, const grid::Box& owned, int components);

/// Velocity and scalar at one time, and the exchanges of their halos.
template <class T>
struct NsState
{
  NsState(const grid::FieldShape& shape, const NsSetup& setup, grid::Field<T>& pressure,
          const Executor& executor, const comm::Communicator& comm,
          const comm::Decomposition& decomposition, comm::Transport transport);

  NsFields<T> fields();

  grid::Field<T> u, v, w, scalar;
  comm::HaloExchange halo;   ///< all, and the pressure
  comm::HaloExchange faces;  ///< the high faces of the last cells: what divergence reads
};

/// NsModel for values of type T. Stepping in ns_model.cpp, reading in ns_output.cpp.
template <class T>
class NsModelOf final : public NsModel
{
 public:
  NsModelOf(const NsSetup& setup, const comm::Communicator& comm,
            const comm::Decomposition& decomposition, const Executor& executor,
            comm::Transport transport);

  const comm::Communicator& communicator() const override { return comm_; }
  const comm::Decomposition& decomposition() const override { return decomposition_; }
  const job::Clock& clock() const override { return clock_; }
  const std::vector<double>& centres() const override { return centres_; }

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
  std::vector<double> values(const std::string& variable) override;
  NsTotals totals() override;

 private:
  template <class F>
  decltype(auto) on_device(F&& f)
  {
    return std::visit(std::forward<F>(f), executor_);
  }

  void set_levels();
  void set_numbers();
  void set_boundaries();
  void set_initial();
  void set_potential_exchange();
  void fill_halo(NsState<T>& state);
  void fill_potential();
  void project(NsState<T>& state);
  void keep_bulk(NsState<T>& state);
  void run_substage(int substage);
  void step();
  double mean_u(NsState<T>& state);
  std::vector<double> values_of(std::string_view name);

  NsSetup setup_;
  comm::Communicator comm_;
  comm::Decomposition decomposition_;
  Executor executor_;
  grid::Box owned_;
  grid::Field<T> pressure_, potential_;
  NsState<T> now_, later_;
  grid::Field<T> rate_;  // u, v, w, scalar
  comm::HaloExchange potential_halo_;
  fft::Poisson<T> poisson_;
  Buffer<NsLevel<T>> levels_;
  std::vector<double> centres_, thickness_;  // of all levels
  NsStep<T> step_;
  std::array<grid::FaceConditions, 5> conditions_;  // of u, v, w, scalar, pressure
  grid::FaceFlags at_end_{};
  job::Clock clock_;
  double force_sum_ = 0;
};

/// The Poisson equation of a setup.
fft::PoissonSetup poisson_setup(const NsSetup& setup);

}  // namespace helicity::fluid::detail
