// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/weather/detail/storm_model.hpp>

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
State<T>::State(const grid::Box& owned, bool slab, const Executor& executor,
                comm::HaloExchange exchange)
    : scalars(storm_shape(owned, slab, 2), executor),
      u(storm_shape(owned, slab, 1, grid::Stagger::face_i), executor),
      v(storm_shape(owned, slab, 1, grid::Stagger::face_j), executor),
      w(storm_shape(owned, slab, 1, grid::Stagger::face_k), executor),
      halo(std::move(exchange))
{
  const Index3 width{halo_width, slab ? 0 : halo_width, 0};
  for (grid::Field<T>* field : {&scalars, &u, &v, &w}) halo.add(*field, width);
  halo.commit();
}

template <class T>
Variables<T> State<T>::variables()
{
  return {scalars.view(0).origin, scalars.view(1).origin, u.view().origin, v.view().origin,
          w.view().origin};
}

template <class T>
Model<T>::Model(const StormSetup& setup, const comm::Communicator& comm,
                const comm::Decomposition& decomposition, const Executor& executor,
                comm::Transport transport)
    : setup_(setup),
      comm_(comm),
      decomposition_(decomposition),
      executor_(executor),
      owned_(decomposition.box(comm.rank())),
      slab_(setup.cells.j == 1),
      column_(hydrostatic_column(setup.theta, setup.cells.k, setup.spacing[2],
                                 setup.surface_pressure, setup.constants)),
      now_(owned_, slab_, executor, {comm, decomposition, executor, transport}),
      later_(owned_, slab_, executor, {comm, decomposition, executor, transport}),
      work_(storm_shape(owned_, slab_, work_count), executor),
      push_halo_(comm, decomposition, executor, transport)
{
  clock_.step_seconds = setup.step;
  set_numbers();
  set_boundaries();
  set_levels();
  set_terrain();
  set_push_exchange();
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
  d.gamma = static_cast<T>(setup_.constants.gamma());
  d.damping = static_cast<T>(setup_.divergence_damping);
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
    for (std::size_t m = 0; m < 3; ++m) {
      const bool across = m == axis + 1;
      conditions_[m][face] = {BoundaryKind::symmetry, 0, across ? Parity::odd : Parity::even};
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

/// push travels one cell across the faces between ranks, before every acoustic step but the first.
template <class T>
void Model<T>::set_push_exchange()
{
  const View3<T> v = work_.view(work_push);
  const Index3 n = owned_.size();
  for (int axis = 0; axis < (slab_ ? 1 : 2); ++axis)
    for (const int side : {-1, 1}) {
      comm::HaloPiece piece{reinterpret_cast<std::byte*>(v.origin), static_cast<int>(sizeof(T)),
                            v.sj, v.sk};
      piece.direction[axis] = side;
      piece.send = piece.receive = grid::box_of(n);
      piece.send.lo[axis] = side > 0 ? n[axis] - 1 : 0;
      piece.send.hi[axis] = piece.send.lo[axis] + 1;
      piece.receive.lo[axis] = side > 0 ? -1 : n[axis];
      piece.receive.hi[axis] = piece.receive.lo[axis] + 1;
      push_halo_.add(piece);
    }
  push_halo_.commit();
}

template <class T>
void Model<T>::fill_halo(State<T>& state)
{
  state.halo.exchange();
  grid::fill_boundary(executor_, state.scalars, 0, conditions_[0], at_end_);
  grid::fill_boundary(executor_, state.scalars, 1, conditions_[0], at_end_);
  grid::fill_boundary(executor_, state.u, 0, conditions_[1], at_end_);
  if (dynamics_.has_v) grid::fill_boundary(executor_, state.v, 0, conditions_[2], at_end_);
  grid::fill_boundary(executor_, state.w, 0, conditions_[0], at_end_);
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
  on_device([&](auto exec) {
    diagnose(exec, d);
    prepare_stage(exec, d);
    for (int n = 0; n < count; ++n) {
      d.last = n == count - 1;
      if (n > 0) push_halo_.exchange();
      step_horizontal(exec, d);
      step_columns(exec, d);
    }
  });
  fill_halo(later_);
}

template <class T>
void Model<T>::step()
{
  for (int stage = 0; stage < 3; ++stage) run_stage(stage);
  std::swap(now_, later_);
}

template class Model<float>;
template class Model<double>;

}  // namespace detail

namespace {

void check_number(bool good, std::string_view what)
{
  if (!good) throw UsageError(std::string(what));
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
  for (const int order : {s.order_across, s.order_up})
    check_number(order >= 1 && order <= 6, fmt::format("advection of order {}: 1 to 6", order));
  check_number(s.diffusivity >= 0 && s.damping_rate >= 0,
               "diffusivity and damping are not negative");
}

}  // namespace

std::array<int, 3> short_steps_of_stages(int n) { return {std::max(1, (n + 1) / 3), n / 2, n}; }

template <class T>
std::size_t storm_bytes(Index3 owned, bool slab, bool hilly)
{
  const int fields = 2 * 5 + 18 + (hilly ? 6 : 0);
  const grid::FieldShape one = detail::storm_shape(grid::box_of(owned), slab, 1);
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
  return values * static_cast<double>(sizeof(T));
}

template <class T>
std::unique_ptr<StormModel> make_storm(const StormSetup& setup, const comm::Communicator& comm,
                                       const comm::Decomposition& decomposition,
                                       const Executor& executor, comm::Transport transport)
{
  check_setup(setup);
  detail::check_terrain(setup);
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
  template std::size_t storm_bytes<T>(Index3, bool, bool);                                         \
  template double storm_traffic<T>(const StormSetup&);                                             \
  template std::unique_ptr<StormModel> make_storm<T>(const StormSetup&, const comm::Communicator&, \
                                                     const comm::Decomposition&, const Executor&,  \
                                                     comm::Transport);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
