// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/io/block.hpp>
#include <helicity/weather/detail/storm_model.hpp>
#include <helicity/weather/open_sides.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace helicity::weather {
namespace detail {

grid::FieldShape storm_shape(const grid::Box& owned, bool slab, int components,
                             grid::Stagger stagger)
{
  return {.cells = owned.size(),
          .halo = {halo_width, slab ? 0 : halo_width, 1},
          .offset = owned.lo,
          .components = components,
          .stagger = stagger};
}

template <class T>
State<T>::State(const grid::Box& owned, const StormSetup& setup, const Executor& executor,
                comm::HaloExchange exchange)
    : scalars(
          storm_shape(owned, setup.cells.j == 1, setup.mixing.closure == Closure::energy ? 3 : 2),
          executor),
      u(storm_shape(owned, setup.cells.j == 1, 1, grid::Stagger::face_i), executor),
      v(storm_shape(owned, setup.cells.j == 1, 1, grid::Stagger::face_j), executor),
      w(storm_shape(owned, setup.cells.j == 1, 1, grid::Stagger::face_k), executor),
      halo(std::move(exchange))
{
  const bool slab = setup.cells.j == 1;
  const Index3 width{halo_width, slab ? 0 : halo_width, 0};
  for (grid::Field<T>* field : {&scalars, &u, &v, &w}) halo.add(*field, width);
  if (setup.species > 0) {
    water = grid::Field<T>(storm_shape(owned, slab, setup.species), executor);
    halo.add(water, width);
  }
}

template <class T>
Variables<T> State<T>::variables()
{
  return {scalars.view(0).origin, scalars.view(1).origin, u.view().origin, v.view().origin,
          w.view().origin};
}

namespace {

/// io::gather_block and io::scatter_block of the faces after the owned ones.
template <class T>
void copy_high_faces(grid::Field<T>& field, int axis, T* block, bool to_block)
{
  const View3<T> v = field.view();
  T* first = v.origin + (axis == 0 ? 1 : v.sj);
  io::detail::copy_rows(field.executor(), field.shape(), reinterpret_cast<std::byte*>(first), v.sj,
                        v.sk, reinterpret_cast<std::byte*>(block), sizeof(T), to_block);
}

}  // namespace

template <class T>
std::vector<T> State<T>::high_faces(int axis)
{
  std::vector<T> values(static_cast<std::size_t>(u.owned().cells()));
  copy_high_faces(axis == 0 ? u : v, axis, values.data(), true);
  return values;
}

template <class T>
void State<T>::set_high_faces(int axis, std::vector<T> values)
{
  copy_high_faces(axis == 0 ? u : v, axis, values.data(), false);
}

/// Halos of one rank stay on the device, so that its steps can be recorded.
bool records(const StormSetup& setup, const comm::Communicator& comm, const Executor& executor)
{
  return setup.recorded && comm.size() == 1 && std::holds_alternative<Cuda>(executor);
}

/// The default stream cannot be recorded: a new one instead.
Executor recordable(const Executor& executor, std::optional<Stream>& own)
{
  const Cuda& cuda = std::get<Cuda>(executor);
  if (cuda.stream != nullptr) return executor;
  own.emplace(cuda.device_id);
  return own->exec();
}

template <class T>
Model<T>::Model(const StormSetup& setup, const comm::Communicator& comm,
                const comm::Decomposition& decomposition, const Executor& executor,
                comm::Transport transport)
    : setup_(setup),
      comm_(comm),
      decomposition_(decomposition),
      executor_(records(setup, comm, executor) ? recordable(executor, stream_) : executor),
      owned_(decomposition.box(comm.rank())),
      slab_(setup.cells.j == 1),
      energy_on_(setup.mixing.closure == Closure::energy),
      column_(hydrostatic_column(setup.theta, setup.cells.k, setup.spacing[2],
                                 setup.surface_pressure, setup.constants)),
      now_(owned_, setup, executor_, {comm, decomposition, executor_, transport}),
      later_(owned_, setup, executor_, {comm, decomposition, executor_, transport}),
      work_(storm_shape(owned_, slab_, work_count), executor_),
      push_halo_(comm, decomposition, executor_, transport),
      keep_halo_(comm, decomposition, executor_, transport),
      recorded_(records(setup, comm, executor))
{
  clock_.step_seconds = setup.step;
  set_numbers();
  set_boundaries();
  for (State<T>* state : {&now_, &later_}) {
    exchange_end_faces(*state);
    state->halo.commit();
  }
  set_levels();
  set_terrain();
  set_mixing();
  set_water();
  set_exchanges();
  set_initial();
  fill_halo(now_);
  setup_.initial = nullptr;
}

template <class T>
Variables<T> Model<T>::work_variables(int first)
{
  return {work(first), work(first + 1), work(first + 2), work(first + 3), work(first + 4)};
}

template <class T>
void Model<T>::set_numbers()
{
  Dynamics<T>& d = dynamics_;
  const View3<T> v = work_.view();
  d.cells = owned_.size();
  d.sj = slab_ ? 0 : v.sj;
  d.sk = v.sk;
  d.slab = slab_;
  d.has_v = !slab_ || setup_.coriolis != 0;
  d.rate = work_variables(work_rate);
  d.deviation = work_variables(work_deviation);
  d.u = work(work_u);
  d.v = work(work_v);
  d.w = work(work_w);
  d.theta = work(work_theta);
  d.pressure = work(work_pressure);
  d.stiffness = work(work_stiffness);
  d.push = work(work_push);
  d.pivot = work(work_pivot);
  d.per_dx = static_cast<T>(1 / setup_.spacing[0]);
  d.per_dy = static_cast<T>(1 / setup_.spacing[1]);
  d.per_dz = static_cast<T>(1 / setup_.spacing[2]);
  d.gravity = static_cast<T>(setup_.constants.gravity);
  d.coriolis = static_cast<T>(setup_.coriolis);
  d.beta = static_cast<T>(setup_.beta * setup_.spacing[1] / 2);
  d.twice_middle = 2 * owned_.lo.j - setup_.cells.j;
  d.gamma = static_cast<T>(setup_.constants.gamma());
  d.damping = static_cast<T>(setup_.divergence_damping);
  d.phase_speed = static_cast<T>(setup_.phase_speed);
  d.ahead = static_cast<T>((1 + setup_.off_centring) / 2);
  d.across = weights_of_order<T>(setup_.order_across);
  double term = 1;
  for (int n = 0; n < series_terms<T>; ++n) {
    term *= (setup_.constants.gamma() - n) / (n + 1);
    d.series[n] = static_cast<T>(term);
  }
}

template <class T>
void Model<T>::set_boundaries()
{
  using grid::BoundaryKind;
  using grid::Parity;
  for (std::size_t face = 0; face < 4; ++face) {
    const std::size_t axis = face / 2;
    Index3 direction;
    direction[static_cast<int>(axis)] = face % 2 == 0 ? -1 : 1;
    at_end_[face] = !setup_.periodic[axis] && decomposition_.neighbour(comm_.rank(), direction) < 0;
    const bool open = setup_.open[axis][face % 2];
    dynamics_.open[face] = at_end_[face] && open;
    for (std::size_t m = 0; m < 3; ++m) {
      const bool across = m == axis + 1;
      conditions_[m][face] = {open ? BoundaryKind::user : BoundaryKind::symmetry, 0,
                              across ? Parity::odd : Parity::even};
    }
  }
  dynamics_.wall_low_i = at_end_[0];
  dynamics_.wall_high_i = at_end_[1];
  dynamics_.wall_low_j = at_end_[2];
  dynamics_.wall_high_j = at_end_[3];
}

template <class T>
void Model<T>::set_levels()
{
  host_levels_ = make_levels<T>(setup_, column_);
  const std::size_t count = host_levels_.size();
  if (const auto* cuda = std::get_if<Cuda>(&executor_)) {
    levels_ = Buffer<Level<T>>(MemoryKind::device, count, *cuda);
    copy_bytes(levels_.data(), host_levels_.data(), levels_.bytes(), *cuda);
    synchronize(*cuda);
  } else {
    levels_ = Buffer<Level<T>>(MemoryKind::host, count);
    std::copy(host_levels_.begin(), host_levels_.end(), levels_.data());
  }
  dynamics_.level = levels_.data();
}

/// A component of work fields that travels one cell across the faces between ranks.
template <class T>
void Model<T>::add_beside(comm::HaloExchange& halo, T* origin)
{
  const View3<T> v = work_.view();
  const Index3 n = owned_.size();
  for (int axis = 0; axis < (slab_ ? 1 : 2); ++axis)
    for (const int side : {-1, 1}) {
      comm::HaloPiece piece{reinterpret_cast<std::byte*>(origin), static_cast<int>(sizeof(T)), v.sj,
                            v.sk};
      piece.direction[axis] = side;
      piece.send = piece.receive = grid::box_of(n);
      piece.send.lo[axis] = side > 0 ? n[axis] - 1 : 0;
      piece.send.hi[axis] = piece.send.lo[axis] + 1;
      piece.receive.lo[axis] = side > 0 ? -1 : n[axis];
      piece.receive.hi[axis] = piece.receive.lo[axis] + 1;
      halo.add(piece);
    }
}

/// push before every acoustic step but the first, keep in the last stage.
template <class T>
void Model<T>::set_exchanges()
{
  add_beside(push_halo_, dynamics_.push);
  push_halo_.commit();
  if (water_.species == 0) return;
  for (int s = 0; s < water_.species; ++s) add_beside(keep_halo_, water_.keep[s]);
  keep_halo_.commit();
}

template <class T>
bool Model<T>::any_open() const
{
  return std::ranges::any_of(dynamics_.open, [](bool open) { return open; });
}

/// The face at an open high end belongs to no cell: it travels along the end on its own.
template <class T>
void Model<T>::exchange_end_faces(State<T>& state)
{
  for (int axis = 0; axis < (slab_ ? 1 : 2); ++axis) {
    if (!dynamics_.open[2 * axis + 1] || slab_) continue;
    const View3<T> v = (axis == 0 ? state.u : state.v).view();
    const int along = 1 - axis;
    const Index3 n = owned_.size();
    for (const int side : {-1, 1}) {
      comm::HaloPiece piece{reinterpret_cast<std::byte*>(v.origin), static_cast<int>(sizeof(T)),
                            v.sj, v.sk};
      piece.direction[along] = side;
      piece.send = piece.receive = grid::box_of(n);
      piece.send.lo[axis] = piece.receive.lo[axis] = n[axis];
      piece.send.hi[axis] = piece.receive.hi[axis] = n[axis] + 1;
      piece.send.lo[along] = side > 0 ? n[along] - halo_width : 0;
      piece.send.hi[along] = piece.send.lo[along] + halo_width;
      piece.receive.lo[along] = side > 0 ? -halo_width : n[along];
      piece.receive.hi[along] = piece.receive.lo[along] + halo_width;
      state.halo.add(piece);
    }
  }
}

template <class T>
void Model<T>::fill_halo(State<T>& state)
{
  state.halo.exchange();
  grid::fill_boundary(executor_, state.scalars, 0, conditions_[0], at_end_);
  grid::fill_boundary(executor_, state.scalars, 1, conditions_[0], at_end_);
  if (energy_on_) grid::fill_boundary(executor_, state.scalars, 2, conditions_[0], at_end_);
  grid::fill_boundary(executor_, state.u, 0, conditions_[1], at_end_);
  if (dynamics_.has_v) grid::fill_boundary(executor_, state.v, 0, conditions_[2], at_end_);
  grid::fill_boundary(executor_, state.w, 0, conditions_[0], at_end_);
  for (int s = 0; s < water_.species; ++s)
    grid::fill_boundary(executor_, state.water, s, conditions_[0], at_end_);
  if (!any_open()) return;
  on_device([&](auto exec) {
    for (int axis = 0; axis < (slab_ ? 1 : 2); ++axis)
      fill_open(exec, dynamics_, state.variables(), open_water_of(state), axis);
  });
}

template <class T>
void Model<T>::run_stage(int stage)
{
  const int count = short_steps_of_stages(setup_.short_steps)[static_cast<std::size_t>(stage)];
  Dynamics<T>& d = dynamics_;
  d.start = now_.variables();
  d.stage = stage == 0 ? d.start : later_.variables();
  d.next = later_.variables();
  d.short_step = static_cast<T>(setup_.step / (3 - stage) / count);
  const bool wet = water_.species > 0;
  if (wet) set_water_stage(stage, count);
  on_device([&](auto exec) {
    diagnose(exec, d);
    prepare_stage(exec, d);
    if (mixing_on_) {
      if (energy_on_) set_energy(stage);
      if (stage == 0) evaluate_mixing(exec, d, mixing_);
      add_mixing(exec, d, mixing_);
      if (energy_on_) carry_energy(exec, d, mixing_, static_cast<T>(setup_.step / (3 - stage)));
    }
    if (wet) {
      find_contents(exec, d, water_);
      add_expansion(exec, d, water_);
    }
    if (any_open()) open_rates(exec, d);
    for (int n = 0; n < count; ++n) {
      d.first = n == 0;
      d.last = !wet && n == count - 1;
      if (n > 0) push_halo_.exchange();
      step_horizontal(exec, d);
      if (any_open()) open_step(exec, d);
      step_columns(exec, d);
    }
    if (wet) {  // means want the momenta of the stage, which `next` overwrites
      average_fluxes(exec, d, water_);
      finish_stage(exec, d);
    }
    if (any_open()) open_finish(exec, d);
    if (energy_on_) keep_energy(exec, d, mixing_, later_.scalars.view(2).origin);
  });
  if (wet) carry_water(stage);
  fill_halo(later_);
}

template <class T>
void Model<T>::step()
{
  for (int stage = 0; stage < 3; ++stage) run_stage(stage);
  std::swap(now_, later_);
  if (setup_.scheme) change_water();
}

/// Nothing that a step is given changes with time.
template <class T>
void Model<T>::replay()
{
  const Cuda exec = std::get<Cuda>(executor_);
  Recorded& recorded = recordings_[now_.u.view().origin];
  if (recorded.graph.empty()) {
    recorded.graph = Graph::record(exec, [&] { step(); });
    recorded.dynamics = dynamics_;
    recorded.water = water_;
    recorded.mixing = mixing_;
    recorded.physics = physics_;
  } else {
    std::swap(now_, later_);
    dynamics_ = recorded.dynamics;
    water_ = recorded.water;
    mixing_ = recorded.mixing;
    physics_ = recorded.physics;
  }
  recorded.graph.launch(exec);
}

template struct State<float>;
template struct State<double>;
template class Model<float>;
template class Model<double>;

}  // namespace detail

namespace {

void check_number(bool good, std::string_view what)
{
  if (!good) throw UsageError(std::string(what));
}

void check_water(const StormSetup& s)
{
  check_number(s.species == 0 || s.species == 2 || s.species == 3 || s.species == 6,
               fmt::format("{} species of water: 0, 2, 3 or 6", s.species));
  check_number(!s.scheme || s.species == species_of(*s.scheme),
               fmt::format("{} species of water: the scheme has {}", s.species,
                           s.scheme ? species_of(*s.scheme) : 0));
  check_number(s.species == 0 || !detail::mixes(s),
               "closures, surface and forcing act on dry air in this version: water.kind must be "
               "none with them");
  check_number(s.species > 0 || (!s.vapour && !s.cloud), "water of the column needs species");
}

void check_setup(const StormSetup& s)
{
  check_number(static_cast<bool>(s.theta), "a storm needs theta(z) of its column");
  check_number(s.spacing[0] > 0 && s.spacing[1] > 0 && s.spacing[2] > 0, "cells need a size");
  check_number(s.step > 0, "the step must be above 0");
  check_number(s.short_steps >= 2 && s.short_steps % 2 == 0,
               fmt::format("{} acoustic steps: an even number is needed", s.short_steps));
  check_number(s.cells.k >= 2, "a column needs two levels or more");
  const auto wide = [](Index n) { return n > halo_width; };
  check_number(
      wide(s.cells.i) && (s.cells.j == 1 || wide(s.cells.j)),
      fmt::format("{} x {} cells: at least {} are needed along x, and as many or 1 along y",
                  s.cells.i, s.cells.j, halo_width + 1));
  check_number(s.cells.j > 1 || s.periodic[1], "one cell along y: that axis is periodic");
  for (const std::size_t axis : {0u, 1u})
    check_number(!s.periodic[axis] || (!s.open[axis][0] && !s.open[axis][1]),
                 "an axis is periodic or has open ends");
  check_number(s.beta == 0 || (s.cells.j > 1 && !s.periodic[1]),
               "a beta plane needs rows along y that are not periodic");
  check_number(s.phase_speed >= 0, "the phase speed of open ends is not negative");
  for (const int order : {s.order_across, s.order_up})
    check_number(order >= 1 && order <= 6, fmt::format("advection of order {}: 1 to 6", order));
  check_water(s);
  check_number(s.diffusivity >= 0 && s.damping_rate >= 0,
               "diffusivity and damping are not negative");
}

}  // namespace

std::array<int, 3> short_steps_of_stages(int n) { return {std::max(1, (n + 1) / 3), n / 2, n}; }

template <class T>
std::size_t storm_bytes(Index3 owned, const StormSetup& s)
{
  const int fields = 2 * 5 + 18 + (s.terrain ? 6 : 0) + (detail::mixes(s) ? 16 : 0) +
                     (s.mixing.closure == Closure::energy ? 2 : 0) +
                     (s.species > 0 ? 3 * s.species + 4 : 0);
  const grid::FieldShape one = detail::storm_shape(grid::box_of(owned), s.cells.j == 1, 1);
  return static_cast<std::size_t>(grid::Field<T>::bytes_for(one)) * fields +
         static_cast<std::size_t>(owned.k + 1) * sizeof(Level<T>);
}

template <class T>
double storm_traffic(const StormSetup& s)
{
  const bool has_v = s.cells.j > 1 || s.coriolis != 0;
  const double n = has_v ? 5 : 4;
  const auto short_steps = short_steps_of_stages(s.short_steps);
  // diagnose: n + n + 1; prepare: 2 n read (once in the first stage, where start is stage), n + 1
  // diagnosed, 2 n + 1 written; matrix: 3; the last acoustic step: n of stage read, n written.
  double values = 3 * ((2 * n + 1) + (5 * n + 2) + 3 + 2 * n + (s.terrain ? 10 : 0)) - n;
  for (const int m : short_steps) values += m * ((has_v ? 7 : 4) + (has_v ? 15 : 14));
  if (s.species > 0) {
    // an own pass that finishes; sums of fluxes: read, add, write; contents; X; means; transport,
    // the last limited; physics.
    const double q = s.species, fluxes = has_v ? 3 : 2;
    values += 3 * n;
    for (const int m : short_steps) values += m * (2 * fluxes);
    values += 3 * ((2 * q + 1) + (q + fluxes + 3) + (3 * fluxes + 2) + (3 * q + fluxes));
    values += 4 * q + fluxes;
    if (s.scheme) values += 2 * (q + 2) + 1 + (2 * fluxes + 2);
  }
  // deformations: 4 read, 6 written; eddies: 8, 2; stresses: 8, 6; rates: 12, 4; added: 3 x 12.
  if (detail::mixes(s)) values += 10 + 10 + 14 + 16 + 36;
  return values * static_cast<double>(sizeof(T));
}

template <class T>
std::unique_ptr<StormModel> make_storm(const StormSetup& setup, const comm::Communicator& comm,
                                       const comm::Decomposition& decomposition,
                                       const Executor& executor, comm::Transport transport)
{
  check_setup(setup);
  detail::check_terrain(setup);
  detail::check_mixing(setup);
  return std::make_unique<detail::Model<T>>(setup, comm, decomposition, executor, transport);
}

comm::DecompositionOptions decomposition_options(const StormSetup& setup)
{
  comm::DecompositionOptions options;
  options.periodic = {setup.periodic[0], setup.periodic[1], false};
  options.ranks.k = 1;
  options.least = {halo_width + 1, halo_width + 1, 1};
  return options;
}

#define HELICITY_INSTANTIATE(T)                                                                    \
  template std::size_t storm_bytes<T>(Index3, const StormSetup&);                                  \
  template double storm_traffic<T>(const StormSetup&);                                             \
  template std::unique_ptr<StormModel> make_storm<T>(const StormSetup&, const comm::Communicator&, \
                                                     const comm::Decomposition&, const Executor&,  \
                                                     comm::Transport);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
