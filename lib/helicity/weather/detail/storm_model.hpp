// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/halo.hpp>
#include <helicity/core/graph.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/grid/boundary.hpp>
#include <helicity/grid/field.hpp>
#include <helicity/weather/dynamics.hpp>
#include <helicity/weather/microphysics.hpp>
#include <helicity/weather/mixing.hpp>
#include <helicity/weather/open_sides.hpp>
#include <helicity/weather/storm_model.hpp>
#include <helicity/weather/water.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace helicity::weather::detail {

/// Shape of the fields of a rank; all have the same strides.
grid::FieldShape storm_shape(const grid::Box& owned, bool slab, int components,
                             grid::Stagger stagger = grid::Stagger::centre);

/// The prognostic variables at one time, and the exchange of their halos.
template <class T>
struct State
{
  State(const grid::Box& owned, const StormSetup& setup, const Executor& executor,
        comm::HaloExchange exchange);

  /// Momenta through the high faces of the owned cells along an axis, on the host, i fastest.
  std::vector<T> high_faces(int axis);
  void set_high_faces(int axis, std::vector<T> values);

  Variables<T> variables();
  T* water_of(int species) { return water.view(species).origin; }

  grid::Field<T> scalars;  ///< rho', Theta', e if it is a variable
  grid::Field<T> u, v, w;
  grid::Field<T> water;  ///< rho q of the species, if any
  comm::HaloExchange halo;
};

/// StormModel for values of type T. Stepping in storm_model.cpp, reading in storm_output.cpp.
template <class T>
class Model final : public StormModel
{
 public:
  Model(const StormSetup& setup, const comm::Communicator& comm,
        const comm::Decomposition& decomposition, const Executor& executor,
        comm::Transport transport);

  const comm::Communicator& communicator() const override { return comm_; }
  const comm::Decomposition& decomposition() const override { return decomposition_; }
  const job::Clock& clock() const override { return clock_; }
  const Column& column() const override { return column_; }

  void advance(std::int64_t steps) override
  {
    for (; steps > 0; --steps) {
      if (recorded_)
        replay();
      else
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
  StormTotals totals() override;
  std::pair<double, double> traffic_per_step() const override;

 private:
  /// Components of the reference and of the ground.
  enum Reference : int {
    reference_rho,
    reference_density,
    reference_theta,
    reference_pressure,
    reference_full_theta,
    reference_flux_up,
    reference_count
  };
  enum Ground : int {
    ground_per_jacobian,
    ground_jacobian_u,
    ground_jacobian_v,
    ground_slope_u,
    ground_slope_v,
    ground_slope_x,
    ground_slope_y,
    ground_count
  };

  /// Components of the work field of water; contents follow.
  enum Carried : int {
    carried_flux_u,
    carried_flux_v,
    carried_flux_w,
    carried_loss,
    carried_content
  };

  /// Components of the work field.
  enum Work : int {
    work_u,
    work_v,
    work_w,
    work_theta,
    work_pressure,
    work_stiffness,
    work_push,
    work_pivot,
    work_rate,
    work_deviation = work_rate + 5,
    work_count = work_deviation + 5
  };

  /// Components of what mixing needs.
  enum MixingWork : int {
    mixing_xx,
    mixing_yy,
    mixing_zz,
    mixing_xy,
    mixing_xz,
    mixing_yz,
    mixing_k_up,
    mixing_heat_up,
    mixing_k_across,
    mixing_heat_across,
    mixing_rate,
    mixing_energy_source = mixing_rate + 4,
    mixing_energy_next,
    mixing_count
  };

  template <class F>
  decltype(auto) on_device(F&& f)
  {
    return std::visit(std::forward<F>(f), executor_);
  }

  T* work(int component) { return work_.view(component).origin; }
  Variables<T> work_variables(int first);
  void set_numbers();
  void set_boundaries();
  void set_levels();
  void set_terrain();
  void set_mixing();
  void set_forcing();
  void set_energy(int stage);
  void set_initial();
  void set_water();
  OpenWater<T> open_water_of(State<T>& state);
  void add_beside(comm::HaloExchange& halo, T* origin);
  void set_exchanges();
  bool any_open() const;
  void exchange_end_faces(State<T>& state);
  void fill_halo(State<T>& state);
  void step();
  void replay();
  void run_stage(int stage);
  void set_water_stage(int stage, int count);
  void carry_water(int stage);
  void change_water();
  Dynamics<T> diagnosed();
  std::uint64_t hash_of_end(int axis, std::uint64_t base);
  std::vector<T> block(std::string_view variable);
  template <class F>
  std::vector<double> per_cell(F&& value) const;
  std::vector<double> heights() const;
  std::vector<double> jacobians() const;
  /// Reference rho, or rho theta, of the owned cells, times G.
  std::vector<double> reference_block(bool density)
  {
    return density ? reference_values(reference_density, column_.density)
                   : reference_values(reference_rho, column_.rho);
  }
  std::vector<T> content_block(int species);
  std::vector<T> fallen_block();
  std::vector<T> theta_block();
  std::vector<double> internal_energy_block(const std::vector<T>& pressure);
  std::vector<double> column_block(const std::function<double(double)>& of_height) const;
  std::vector<double> reference_values(int component, const std::vector<double>& flat);
  std::int64_t bad_water();
  void write_water(io::StateWriter& out);
  void read_water(io::StateReader& in);
  job::Trouble trouble_at(Index3 cell, const std::array<double, 8>& x,
                          const HealthLimits& limits) const;

  StormSetup setup_;
  comm::Communicator comm_;
  comm::Decomposition decomposition_;
  std::optional<Stream> stream_;  ///< where steps are recorded and the caller has named none
  Executor executor_;
  grid::Box owned_;
  bool slab_, energy_on_;
  Column column_;
  State<T> now_, later_;
  grid::Field<T> work_;
  comm::HaloExchange push_halo_, keep_halo_;
  grid::Field<T> carried_, fallen_;  // of water
  Water<T> water_;
  Microphysics<T> physics_;
  grid::Field<T> reference_, ground_;  // over terrain
  grid::Field<T> mixing_work_;         // where something mixes
  Buffer<Forced<T>> forced_;
  Mixing<T> mixing_;
  bool mixing_on_ = false;
  Buffer<Level<T>> levels_;
  std::vector<Level<T>> host_levels_;
  Dynamics<T> dynamics_;
  std::array<grid::FaceConditions, 3> conditions_;  ///< of scalars and W, of U, of V
  grid::FaceFlags at_end_{};
  job::Clock clock_;

  /// A step as it was recorded, from one state or the other, and what it leaves on the host.
  struct Recorded
  {
    Graph graph;
    Dynamics<T> dynamics;
    Water<T> water;
    Mixing<T> mixing;
    Microphysics<T> physics;
  };
  bool recorded_ = false;                    ///< steps are: one rank, on a stream
  std::map<const T*, Recorded> recordings_;  ///< by where u is
};

/// The ground by global cell index, beyond the ends too.
class GroundHeight
{
 public:
  explicit GroundHeight(const StormSetup& setup) : setup_(setup) {}

  bool flat() const { return !setup_.terrain; }
  double top() const { return static_cast<double>(setup_.cells.k) * setup_.spacing[2]; }
  double height(Index i, Index j) const;  ///< 0 where flat
  double jacobian(Index i, Index j) const { return 1 - height(i, j) / top(); }
  double cell_slope(Index i, Index j, int axis) const;  ///< as advection sees it
  double slope(Index i, Index j, int axis) const;       ///< on the low face across an axis

  /// Height of a point at `zeta` over flat ground.
  double level(double ground, double zeta) const { return zeta + ground * (1 - zeta / top()); }

 private:
  const StormSetup& setup_;
};

/// @throws UsageError for ground that is below 0, too high or too steep
void check_terrain(const StormSetup& setup);

/// Whether anything mixes besides a constant diffusivity over flat ground.
bool mixes(const StormSetup& setup);

/// @throws UsageError for closures, ground or forcing that make no sense
void check_mixing(const StormSetup& setup);

/// The tables of a column: level by level, and the upper lid.
template <class T>
std::vector<Level<T>> make_levels(const StormSetup& setup, const Column& column);

}  // namespace helicity::weather::detail
