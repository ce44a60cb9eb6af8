// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/fluid/detail/lbm_model.hpp>
#include <helicity/io/block.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace helicity::fluid {
namespace detail {
namespace {

template <class T>
Relaxation<T> relaxation_of(const LbmSetup& setup)
{
  const double even = 1 / (3 * setup.viscosity + 0.5);
  const double odd = setup.single_rate ? even : 1 / (setup.magic / (1 / even - 0.5) + 0.5);
  if (!(setup.viscosity > 0) || !(even > 0 && even < 2) || !(odd > 0 && odd < 2))
    throw UsageError(fmt::format(
        "viscosity {} (lattice units) and Lambda {} give relaxation rates {} and {}: both must lie "
        "between 0 and 2",
        setup.viscosity, setup.magic, even, odd));
  Relaxation<T> r{static_cast<T>(even), static_cast<T>(odd)};
  for (std::size_t x = 0; x < 3; ++x) r.force[x] = static_cast<T>(setup.force[x]);
  r.forced = r.force[0] != 0 || r.force[1] != 0 || r.force[2] != 0;
  return r;
}

}  // namespace

template <class T>
Model<T>::Model(const LbmSetup& setup, const LbmUnits& units, const comm::Communicator& comm,
                const comm::Decomposition& decomposition, const Executor& executor,
                comm::Transport transport)
    : setup_(setup),
      units_(units),
      comm_(comm),
      decomposition_(decomposition),
      executor_(executor),
      relaxation_(relaxation_of<T>(setup)),
      owned_(decomposition.box(comm.rank())),
      f_(shape(velocities(setup.lattice), 1), executor),
      flags_({.cells = owned_.size(), .halo = {1, 1, 1}, .offset = owned_.lo}, executor),
      exchange_(comm, decomposition, executor, transport)
{
  clock_.step_seconds = units.dt;
  set_geometry();
  exchange_.add(setup.lattice, populations(), owned_.size());
  exchange_.commit();
  set_initial();
  setup_.solid = nullptr;
  setup_.initial = nullptr;
}

template <class T>
void Model<T>::set_geometry()
{
  LbmGeometry<T> geometry = make_geometry(setup_, owned_, populations());
  has_solids_ = geometry.has_solids;
  fluid_cells_ = geometry.fluid_cells;
  runs_ = std::move(geometry.runs);
  solid_block_ = io::gather_block(geometry.flags);

  const auto* cuda = std::get_if<Cuda>(&executor_);
  const auto kind = cuda ? MemoryKind::device : MemoryKind::host;
  const std::size_t count = geometry.links.size();
  if (cuda != nullptr) {
    copy_bytes(flags_.buffer().data(), geometry.flags.buffer().data(), flags_.buffer().bytes(),
               *cuda);
    if (count > 0) links_ = Buffer<LinkRun<T>>(kind, count, *cuda);
    if (count > 0) copy_bytes(links_.data(), geometry.links.data(), links_.bytes(), *cuda);
    synchronize(*cuda);
  } else {
    flags_ = std::move(geometry.flags);
    if (count > 0) links_ = Buffer<LinkRun<T>>(kind, count);
    std::copy(geometry.links.begin(), geometry.links.end(), links_.data());
  }

  grid::Sides open{};
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      Index3 direction;
      direction[axis] = side == 0 ? -1 : 1;
      const int other = decomposition_.neighbour(comm_.rank(), direction);
      open[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)] =
          other >= 0 && other != comm_.rank();
    }
  split_ = grid::peel(grid::box_of(owned_.size()), open);
}

/// Populations of planes [first, first + n.k) from ten components.
template <class T>
void Model<T>::set_planes(Index first, grid::Field<T>& planes, bool has_strain)
{
  Populations<T> f = populations();
  f.origin += first * f.sk;
  f.cells = planes.shape().cells;
  on_device([&](auto exec) {
    lbm_set_moments(exec, setup_.lattice, read_only(components(planes)), has_strain, relaxation_,
                    f);
  });
}

template <class T>
void Model<T>::set_initial()
{
  const Index3 n = owned_.size();
  const Index most = std::clamp<Index>((Index{1} << 20) / (n.i * n.j), 1, n.k);
  for (Index first = 0; first < n.k; first += most) {
    const grid::FieldShape slab{.cells = {n.i, n.j, std::min(most, n.k - first)}, .components = 10};
    grid::Field<T> host(slab, Cpu{});
    if (setup_.initial) evaluate_initial(host, owned_.lo + Index3{0, 0, first});
    if (!f_.on_device()) {
      set_planes(first, host, static_cast<bool>(setup_.initial));
      continue;
    }
    const Cuda cuda = std::get<Cuda>(executor_);
    grid::Field<T> device(slab, executor_);
    copy_bytes(device.buffer().data(), host.buffer().data(), host.buffer().bytes(), cuda);
    set_planes(first, device, static_cast<bool>(setup_.initial));
    synchronize(cuda);
  }
}

template <class T>
void Model<T>::evaluate_initial(grid::Field<T>& host, Index3 offset) const
{
  const View3<T> v = host.view();
  const Index sc = host.component_stride();
  for (Index k = 0; k < v.nk; ++k)
    for (Index j = 0; j < v.nj; ++j)
      for (Index i = 0; i < v.ni; ++i) {
        const LbmInitial s = setup_.initial(offset + Index3{i, j, k});
        T* c = &v(i, j, k);
        *c = static_cast<T>(s.density);
        for (const double u : s.velocity) *(c += sc) = static_cast<T>(u);
        for (const double e : s.strain) *(c += sc) = static_cast<T>(e);
      }
}

template <class T>
void Model<T>::sweep(const grid::Box& box)
{
  FluidCells fluid;
  if (has_solids_ && f_.on_device()) fluid.flags = std::as_const(flags_).view();
  if (has_solids_ && !f_.on_device()) fluid.runs = runs_.data();
  fluid.run_count = static_cast<Index>(runs_.size());
  on_device([&](auto exec) {
    lbm_step(exec, setup_.lattice, layout_, populations(), box, relaxation_, fluid);
  });
}

template <class T>
void Model<T>::links(bool before)
{
  on_device([&](auto exec) {
    apply_links(exec, populations(), links_.data(), static_cast<Index>(links_.size()), before);
  });
}

/// Boundary cells first, then messages fly while the inner cells are done. From layout `own` the
/// messages fill the halo that the next step reads; from `neighbour` they bring home what this step
/// left in it.
template <class T>
void Model<T>::step()
{
  const bool from_neighbours = layout_ == Layout::neighbour;
  const auto way = from_neighbours ? LbmExchange::home : LbmExchange::out;
  if (from_neighbours) links(true);
  for (const grid::Box& box : split_.outer) sweep(box);
  auto flight = exchange_.start(way);
  sweep(split_.inner);
  exchange_.exchange_within(way);
  flight.finish();
  if (from_neighbours) links(false);
  layout_ = from_neighbours ? Layout::own : Layout::neighbour;
}

template class Model<float>;
template class Model<double>;

}  // namespace detail

namespace {

void check_setup(const LbmSetup& setup)
{
  if (setup.lattice == LatticeKind::d2q9 && setup.cells.k != 1)
    throw UsageError("D2Q9 is a lattice of the plane: the third number of cells must be 1");
  constexpr std::string_view axes[] = {"x", "y", "z"};
  for (std::size_t a = 0; a < 3; ++a)
    if (setup.ends[a][0].wall != setup.ends[a][1].wall)
      throw UsageError(fmt::format("one end along {} is a wall and the other periodic", axes[a]));
}

}  // namespace

template <class T>
std::size_t lbm_bytes(LatticeKind lattice, Index3 owned)
{
  grid::FieldShape shape{
      .cells = owned, .halo = {1, 1, 1}, .components = detail::velocities(lattice)};
  Index bytes = grid::Field<T>::bytes_for(shape);
  shape.components = 1;
  bytes += grid::Field<std::uint8_t>::bytes_for(shape);
  shape.halo = {0, 0, 0};
  bytes += grid::Field<T>::bytes_for(shape);
  shape.components = 4;
  return static_cast<std::size_t>(bytes + grid::Field<T>::bytes_for(shape));
}

template <class T>
std::unique_ptr<LbmModel> make_lbm(const LbmSetup& setup, const LbmUnits& units,
                                   const comm::Communicator& comm,
                                   const comm::Decomposition& decomposition,
                                   const Executor& executor, comm::Transport transport)
{
  check_setup(setup);
  return std::make_unique<detail::Model<T>>(setup, units, comm, decomposition, executor, transport);
}

comm::DecompositionOptions decomposition_options(const LbmSetup& setup)
{
  comm::DecompositionOptions options;
  for (std::size_t a = 0; a < 3; ++a) options.periodic[a] = !setup.ends[a][0].wall;
  return options;
}

#define HELICITY_INSTANTIATE(T)                                                                \
  template std::size_t lbm_bytes<T>(LatticeKind, Index3);                                      \
  template std::unique_ptr<LbmModel> make_lbm<T>(                                              \
      const LbmSetup&, const LbmUnits&, const comm::Communicator&, const comm::Decomposition&, \
      const Executor&, comm::Transport);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::fluid
