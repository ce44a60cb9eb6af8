// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/exact_sum.hpp>
#include <helicity/fluid/detail/ns_model.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/io/block.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helicity::fluid {
namespace detail {
namespace {

using Kind = NsEnd::Kind;

bool is_periodic(const NsSetup& s, std::size_t axis)
{
  return s.ends[axis][0].kind == Kind::periodic;
}

grid::FieldShape with_stagger(grid::FieldShape shape, grid::Stagger stagger)
{
  shape.stagger = stagger;
  return shape;
}

/// A piece that carries one plane of cells across `axis`: to the neighbour below (the high face of
/// whose last cell is our first), or above.
template <class T>
void add_plane(comm::HaloExchange& exchange, View3<T> v, int axis, int side)
{
  const Index3 n{v.ni, v.nj, v.nk};
  comm::HaloPiece piece{reinterpret_cast<std::byte*>(v.origin), static_cast<int>(sizeof(T)), v.sj,
                        v.sk};
  piece.direction[axis] = side;
  piece.send = piece.receive = grid::box_of(n);
  piece.send.lo[axis] = side > 0 ? n[axis] - 1 : 0;
  piece.send.hi[axis] = piece.send.lo[axis] + 1;
  piece.receive.lo[axis] = side > 0 ? -1 : n[axis];
  piece.receive.hi[axis] = piece.receive.lo[axis] + 1;
  exchange.add(piece);
}

}  // namespace

grid::FieldShape ns_shape(const NsSetup& s, const grid::Box& owned, int components)
{
  return {.cells = owned.size(),
          .halo = {1, s.cells.j > 1 ? 1 : 0, s.cells.k > 1 ? 1 : 0},
          .offset = owned.lo,
          .components = components};
}

template <class T>
NsState<T>::NsState(const grid::FieldShape& shape, const NsSetup& setup, grid::Field<T>& pressure,
                    const Executor& executor, const comm::Communicator& comm,
                    const comm::Decomposition& decomposition, comm::Transport transport)
    : u(with_stagger(shape, grid::Stagger::face_i), executor),
      v(with_stagger(shape, grid::Stagger::face_j), executor),
      w(with_stagger(shape, grid::Stagger::face_k), executor),
      halo(comm, decomposition, executor, transport),
      faces(comm, decomposition, executor, transport)
{
  for (grid::Field<T>* field : {&u, &v, &w, &pressure}) halo.add(*field, shape.halo);
  if (setup.has_scalar) {
    scalar = grid::Field<T>(shape, executor);
    halo.add(scalar, shape.halo);
  }
  halo.commit();
  add_plane(faces, u.view(), 0, -1);
  if (setup.cells.j > 1) add_plane(faces, v.view(), 1, -1);
  if (setup.cells.k > 1) add_plane(faces, w.view(), 2, -1);
  faces.commit();
}

template <class T>
NsFields<T> NsState<T>::fields()
{
  return {u.view().origin, v.view().origin, w.view().origin,
          scalar.buffer().empty() ? nullptr : scalar.view().origin};
}

fft::PoissonSetup poisson_setup(const NsSetup& s)
{
  fft::PoissonSetup p;
  p.cells = s.cells;
  p.spacing = s.spacing;
  for (std::size_t axis = 0; axis < 2; ++axis)
    p.across[axis] = is_periodic(s, axis) ? fft::Ends::periodic : fft::Ends::neumann;
  p.periodic_k = is_periodic(s, 2);
  const auto thickness = [&](Index k) {
    const auto n = static_cast<std::size_t>((k + s.cells.k) % s.cells.k);
    return s.faces[n + 1] - s.faces[n];
  };
  if (s.cells.k == 1) return p;
  for (Index k = 0; k < s.cells.k; ++k) {
    const double here = thickness(k);
    const auto to = [&](Index other) {
      const bool there = p.periodic_k || (other >= 0 && other < s.cells.k);
      return there ? 1 / (here * (here + thickness(other)) / 2) : 0;
    };
    p.lower.push_back(to(k - 1));
    p.upper.push_back(to(k + 1));
  }
  return p;
}

template <class T>
NsModelOf<T>::NsModelOf(const NsSetup& setup, const comm::Communicator& comm,
                        const comm::Decomposition& decomposition, const Executor& executor,
                        comm::Transport transport)
    : setup_(setup),
      comm_(comm),
      decomposition_(decomposition),
      executor_(executor),
      owned_(decomposition.box(comm.rank())),
      pressure_(ns_shape(setup, owned_, 1), executor),
      potential_(ns_shape(setup, owned_, 1), executor),
      now_(ns_shape(setup, owned_, 1), setup, pressure_, executor, comm, decomposition, transport),
      later_(ns_shape(setup, owned_, 1), setup, pressure_, executor, comm, decomposition,
             transport),
      rate_(ns_shape(setup, owned_, setup.has_scalar ? 4 : 3), executor),
      potential_halo_(comm, decomposition, executor, transport),
      poisson_(poisson_setup(setup), comm, decomposition, executor)
{
  clock_.step_seconds = setup.step;
  set_levels();
  set_numbers();
  set_boundaries();
  set_potential_exchange();
  set_initial();
  setup_.velocity = nullptr;
  setup_.scalar = nullptr;
}

/// Level -1 is the one below, or, at an end, as thick as the level inside.
template <class T>
void NsModelOf<T>::set_levels()
{
  const Index n = setup_.cells.k, own = owned_.size().k;
  const bool wraps = is_periodic(setup_, 2);
  const auto thickness = [&](Index k) {
    k = wraps ? (k + n) % n : std::clamp<Index>(k, 0, n - 1);
    const auto at = static_cast<std::size_t>(k);
    return setup_.faces[at + 1] - setup_.faces[at];
  };
  std::vector<NsLevel<T>> levels;
  for (Index k = owned_.lo.k - 1; k <= owned_.lo.k + own; ++k) {
    const double here = thickness(k), below = thickness(k - 1), gap = (here + below) / 2;
    levels.push_back({static_cast<T>(1 / here), static_cast<T>(1 / gap),
                      static_cast<T>(below / (2 * gap)), static_cast<T>(here / (2 * gap))});
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
    centres_.push_back((setup_.faces[k] + setup_.faces[k + 1]) / 2);
    thickness_.push_back(setup_.faces[k + 1] - setup_.faces[k]);
  }
  if (const auto* cuda = std::get_if<Cuda>(&executor_)) {
    levels_ = Buffer<NsLevel<T>>(MemoryKind::device, levels.size(), *cuda);
    copy_bytes(levels_.data(), levels.data(), levels_.bytes(), *cuda);
    synchronize(*cuda);
  } else {
    levels_ = Buffer<NsLevel<T>>(MemoryKind::host, levels.size());
    std::copy(levels.begin(), levels.end(), levels_.data());
  }
  step_.level = levels_.data() + 1;
}

template <class T>
void NsModelOf<T>::set_numbers()
{
  const View3<T> v = pressure_.view();
  step_.cells = owned_.size();
  step_.sj = setup_.cells.j > 1 ? v.sj : 0;
  step_.sk = setup_.cells.k > 1 ? v.sk : 0;
  step_.has_v = setup_.cells.j > 1;
  step_.has_w = setup_.cells.k > 1;
  step_.pressure = v.origin;
  step_.potential = potential_.view().origin;
  step_.rate = {rate_.view(0).origin, rate_.view(1).origin, rate_.view(2).origin,
                setup_.has_scalar ? rate_.view(3).origin : nullptr};
  step_.per_dx = static_cast<T>(1 / setup_.spacing[0]);
  step_.per_dy = static_cast<T>(1 / setup_.spacing[1]);
  step_.viscosity = static_cast<T>(setup_.viscosity);
  step_.diffusivity = static_cast<T>(setup_.diffusivity);
  step_.force_x = static_cast<T>(setup_.force[0]);
  step_.force_y = static_cast<T>(setup_.force[1]);
  step_.force_z = static_cast<T>(setup_.force[2]);
  step_.lift_x = static_cast<T>(setup_.lift[0]);
  step_.lift_y = static_cast<T>(setup_.lift[1]);
  step_.lift_z = static_cast<T>(setup_.lift[2]);
}

template <class T>
void NsModelOf<T>::set_boundaries()
{
  using grid::BoundaryKind;
  using grid::Parity;
  for (std::size_t face = 0; face < 6; ++face) {
    const std::size_t axis = face / 2;
    const NsEnd& end = setup_.ends[axis][face % 2];
    Index3 direction;
    direction[static_cast<int>(axis)] = face % 2 == 0 ? -1 : 1;
    at_end_[face] =
        end.kind != Kind::periodic && decomposition_.neighbour(comm_.rank(), direction) < 0;
    for (std::size_t m = 0; m < 3; ++m) {
      const bool held = end.kind == Kind::wall || m == axis;
      const double value = end.kind == Kind::wall && m != axis ? end.velocity[m] : 0;
      conditions_[m][face] = {held ? BoundaryKind::wall : BoundaryKind::symmetry, value,
                              held ? Parity::odd : Parity::even};
    }
    conditions_[3][face] = {BoundaryKind::wall, end.scalar.value_or(0),
                            end.scalar ? Parity::odd : Parity::even};
    conditions_[4][face] = {BoundaryKind::wall, 0, Parity::even};
  }
  step_.wall_low_i = at_end_[0];
  step_.wall_low_j = at_end_[2];
  step_.wall_low_k = at_end_[4];
}

/// The potential travels upwards by one cell: what a slope on low faces reads.
template <class T>
void NsModelOf<T>::set_potential_exchange()
{
  for (int axis = 0; axis < 3; ++axis)
    if (setup_.cells[axis] > 1 || axis == 0) add_plane(potential_halo_, potential_.view(), axis, 1);
  potential_halo_.commit();
}

template <class T>
void NsModelOf<T>::fill_halo(NsState<T>& state)
{
  state.halo.exchange();
  grid::fill_boundary(executor_, state.u, 0, conditions_[0], at_end_);
  grid::fill_boundary(executor_, state.v, 0, conditions_[1], at_end_);
  grid::fill_boundary(executor_, state.w, 0, conditions_[2], at_end_);
  if (setup_.has_scalar) grid::fill_boundary(executor_, state.scalar, 0, conditions_[3], at_end_);
  grid::fill_boundary(executor_, pressure_, 0, conditions_[4], at_end_);
}

template <class T>
void NsModelOf<T>::fill_potential()
{
  potential_halo_.exchange();
  grid::fill_boundary(executor_, potential_, 0, conditions_[4], at_end_);
}

/// Takes the divergence out of a velocity whose owned faces are set, and fills its halo.
template <class T>
void NsModelOf<T>::project(NsState<T>& state)
{
  state.faces.exchange();
  step_.next = state.fields();
  on_device([&](auto exec) { ns_divergence(exec, step_, potential_.view()); });
  poisson_.solve(potential_.view());
  fill_potential();
  on_device([&](auto exec) { ns_correct(exec, step_); });
  fill_halo(state);
}

template <class T>
double NsModelOf<T>::mean_u(NsState<T>& state)
{
  const View3<const T> u = std::as_const(state.u).view();
  const double* dz = thickness_.data() + owned_.lo.k;
  const ExactSum sum = grid::sum_cells(
      executor_, grid::box_of(owned_.size()),
      [=](Index i, Index j, Index k) { return static_cast<double>(u(i, j, k)) * dz[k]; });
  const double area = static_cast<double>(setup_.cells.i) * static_cast<double>(setup_.cells.j);
  return comm_.sum(sum).value() / (area * (setup_.faces.back() - setup_.faces.front()));
}

/// Adds what the mean along i lacks.
template <class T>
void NsModelOf<T>::keep_bulk(NsState<T>& state)
{
  const double lack = *setup_.bulk_velocity - mean_u(state);
  force_sum_ += lack;
  const View3<T> u = state.u.view();
  const T more = static_cast<T>(lack);
  grid::for_cells(executor_, grid::box_of(owned_.size()),
                  [=](Index i, Index j, Index k) { u(i, j, k) += more; });
}

template <class T>
void NsModelOf<T>::run_substage(int substage)
{
  const NsWeights weights = ns_weights[substage];
  step_.step_now = static_cast<T>(weights.now * setup_.step);
  step_.step_before = static_cast<T>(weights.before * setup_.step);
  step_.step = static_cast<T>((weights.now + weights.before) * setup_.step);
  step_.stage = now_.fields();
  step_.next = later_.fields();
  on_device([&](auto exec) { ns_advance(exec, step_); });
  if (setup_.bulk_velocity) keep_bulk(later_);
  project(later_);
  std::swap(now_, later_);
}

template <class T>
void NsModelOf<T>::step()
{
  force_sum_ = 0;
  for (int substage = 0; substage < 3; ++substage) run_substage(substage);
}

template <class T>
void NsModelOf<T>::set_initial()
{
  const grid::Box owned = owned_;
  const auto set = [&](grid::Field<T>& field, int face, auto&& value) {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(owned.cells()));
    for (Index k = owned.lo.k; k < owned.hi.k; ++k)
      for (Index j = owned.lo.j; j < owned.hi.j; ++j)
        for (Index i = owned.lo.i; i < owned.hi.i; ++i) {
          const double x = (static_cast<double>(i) + (face == 0 ? 0 : 0.5)) * setup_.spacing[0];
          const double y = (static_cast<double>(j) + (face == 1 ? 0 : 0.5)) * setup_.spacing[1];
          const auto level = static_cast<std::size_t>(k);
          const double z = face == 2 ? setup_.faces[level] : centres_[level];
          values.push_back(static_cast<T>(value(x, y, z)));
        }
    io::scatter_block(field, 0, values);
    if (const auto* cuda = std::get_if<Cuda>(&executor_)) synchronize(*cuda);
  };
  if (setup_.velocity) {
    grid::Field<T>* fields[] = {&now_.u, &now_.v, &now_.w};
    for (int m = 0; m < 3; ++m)
      if (setup_.cells[m] > 1 || m == 0)
        set(*fields[m], m, [&](double x, double y, double z) {
          return setup_.velocity(x, y, z)[static_cast<std::size_t>(m)];
        });
  }
  if (setup_.has_scalar && setup_.scalar) set(now_.scalar, 3, setup_.scalar);
  fill_halo(later_);
  fill_halo(now_);
  step_.step = static_cast<T>(setup_.step);
  project(now_);
  io::scatter_block(pressure_, 0, std::vector<T>(static_cast<std::size_t>(owned.cells()), T(0)));
  fill_halo(now_);
}

template struct NsState<float>;
template struct NsState<double>;
template class NsModelOf<float>;
template class NsModelOf<double>;

}  // namespace detail

namespace {

using Kind = NsEnd::Kind;

void check(bool good, const std::string& what)
{
  if (!good) throw UsageError(what);
}

void check_ends(const NsSetup& s)
{
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& [low, high] = s.ends[axis];
    check((low.kind == Kind::periodic) == (high.kind == Kind::periodic),
          fmt::format("one end along {} is periodic and the other is not", "xyz"[axis]));
    const bool one = s.cells[static_cast<int>(axis)] == 1;
    check(!one || low.kind == Kind::periodic || axis == 0,
          fmt::format("one cell along {}: that axis is periodic", "xyz"[axis]));
    for (const NsEnd& end : {low, high})
      check(end.velocity[axis] == 0,
            fmt::format("a wall along {} that moves through itself", "xyz"[axis]));
  }
  check(!s.bulk_velocity || s.ends[0][0].kind == Kind::periodic,
        "a bulk velocity is kept along x only where it is periodic");
}

void check_setup(const NsSetup& s)
{
  check(s.cells.i >= 2 && s.cells.j >= 1 && s.cells.k >= 1,
        fmt::format("{} x {} x {} cells: two along x at least", s.cells.i, s.cells.j, s.cells.k));
  check(s.spacing[0] > 0 && s.spacing[1] > 0, "cells need a size");
  check(s.faces.size() == static_cast<std::size_t>(s.cells.k) + 1,
        fmt::format("{} faces along z for {} cells", s.faces.size(), s.cells.k));
  for (std::size_t k = 0; k + 1 < s.faces.size(); ++k)
    check(s.faces[k + 1] > s.faces[k],
          fmt::format("faces along z do not ascend from {:.6g}", s.faces[k]));
  check(s.step > 0, "the step must be above 0");
  check(s.viscosity >= 0 && s.diffusivity >= 0, "viscosity and diffusivity are not negative");
  check(s.cells.k != 2 || s.ends[2][0].kind != Kind::periodic,
        "two cells along z that is periodic: 1, or 3 and more");
  check_ends(s);
}

}  // namespace

std::vector<double> stretched_faces(Index cells, double height, double a)
{
  std::vector<double> faces;
  for (Index n = 0; n <= cells; ++n) {
    const double x = 2 * static_cast<double>(n) / static_cast<double>(cells) - 1;
    faces.push_back(height * (1 + (a > 0 ? std::tanh(a * x) / std::tanh(a) : x)) / 2);
  }
  faces.front() = 0;
  faces.back() = height;
  return faces;
}

template <class T>
std::size_t ns_bytes(const NsSetup& s, Index3 owned)
{
  const int fields = 2 + 2 * (s.has_scalar ? 4 : 3) + (s.has_scalar ? 4 : 3) + 3;
  const auto one = static_cast<std::size_t>(
      grid::Field<T>::bytes_for(detail::ns_shape(s, grid::box_of(owned), 1)));
  return one * static_cast<std::size_t>(fields);
}

template <class T>
double ns_traffic(const NsSetup& s)
{
  // advance: 4 read, 3 rates read and written, 3 written; divergence 3 + 1; transforms 2 + 2 each
  // way and elimination 4 + 1; correction 4 read, 4 written, pressure read.
  const double values = (4 + 6 + 3) + 4 + (8 + 5) + 9 + (s.has_scalar ? 4 : 0);
  return 3 * values * static_cast<double>(sizeof(T));
}

template <class T>
std::unique_ptr<NsModel> make_ns(const NsSetup& setup, const comm::Communicator& comm,
                                 const comm::Decomposition& decomposition, const Executor& executor,
                                 comm::Transport transport)
{
  check_setup(setup);
  return std::make_unique<detail::NsModelOf<T>>(setup, comm, decomposition, executor, transport);
}

comm::DecompositionOptions decomposition_options(const NsSetup& s)
{
  comm::DecompositionOptions options;
  options.ranks = {1, 1, 0};
  options.least = {1, 1, 2};  // what a reflection at an end reads
  for (std::size_t axis = 0; axis < 3; ++axis)
    options.periodic[axis] = s.ends[axis][0].kind == Kind::periodic;
  return options;
}

#define HELICITY_INSTANTIATE(T)                                                             \
  template std::size_t ns_bytes<T>(const NsSetup&, Index3);                                 \
  template double ns_traffic<T>(const NsSetup&);                                            \
  template std::unique_ptr<NsModel> make_ns<T>(const NsSetup&, const comm::Communicator&,   \
                                               const comm::Decomposition&, const Executor&, \
                                               comm::Transport);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::fluid
