// SPDX-License-Identifier: Apache-2.0
// CUDA: one thread per cell, a warp on 32 cells of a row, so that own slots are read and written in
// whole 128-byte lines (float).
#include <fluid/lbm_cell.hpp>
#include <fluid/tuning.cuh>
#include <helicity/core/device.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <support/check.cuh>
#include <support/launch.cuh>

namespace helicity::fluid {
namespace {

template <class L, Layout layout, bool forced, bool masked, class T>
__global__ void __launch_bounds__(tuning::step_threads)
    step_kernel(Populations<T> f, grid::Box box, Index rows_before, Index first, Relaxation<T> r,
                View3<const std::uint8_t> flags)
{
  const Index row = rows_before + blockIdx.y * static_cast<Index>(blockDim.y) + threadIdx.y;
  const Index nj = box.hi.j - box.lo.j;
  const Index j = box.lo.j + row % nj, k = box.lo.k + row / nj;
  const Index i = first + blockIdx.x * static_cast<Index>(blockDim.x) + threadIdx.x;
  if (k >= box.hi.k || i < box.lo.i || i >= box.hi.i) return;
  if constexpr (masked) {
    if (flags(i, j, k) != 0) return;
  }
  step_cell<L, layout, forced, T>(
      CellPlaces<L, layout, T>{f.origin + f.offset(i, j, k), f.sj, f.sk, f.sc}, r);
}

/// Launches over rows of a box; a grid has at most 65535 blocks in y, so several if need be.
template <class L, Layout layout, bool forced, bool masked, class T>
void launch_step(Cuda exec, Populations<T> f, grid::Box box, const Relaxation<T>& r,
                 View3<const std::uint8_t> flags)
{
  constexpr Index line = 128 / static_cast<Index>(sizeof(T));
  const Index first = box.lo.i - ((box.lo.i % line) + line) % line;  // a row's lines start at 0
  const Index width = box.hi.i - first;
  const unsigned x = width > 64 ? 128 : width > 32 ? 64 : 32;
  const dim3 block(x, tuning::step_threads / x);
  const Index rows = (box.hi.j - box.lo.j) * (box.hi.k - box.lo.k);
  const Index most = Index{65535} * block.y;
  for (Index before = 0; before < rows; before += most) {
    const Index here = rows - before < most ? rows - before : most;
    const dim3 grid(static_cast<unsigned>((width + x - 1) / x),
                    static_cast<unsigned>((here + block.y - 1) / block.y));
    step_kernel<L, layout, forced, masked>
        <<<grid, block, 0, exec.stream>>>(f, box, before, first, r, flags);
    check_cuda(cudaGetLastError(), "lbm_step");
  }
}

template <class L, Layout layout, class T>
void choose_step(Cuda exec, const Populations<T>& f, const grid::Box& box, const Relaxation<T>& r,
                 View3<const std::uint8_t> flags)
{
  const bool masked = flags.origin != nullptr;
  if (r.forced && masked) return launch_step<L, layout, true, true>(exec, f, box, r, flags);
  if (r.forced) return launch_step<L, layout, true, false>(exec, f, box, r, flags);
  if (masked) return launch_step<L, layout, false, true>(exec, f, box, r, flags);
  launch_step<L, layout, false, false>(exec, f, box, r, flags);
}

template <class T>
__global__ void links_kernel(Populations<T> f, const LinkRun<T>* links, Index count, bool before)
{
  const Index warps = static_cast<Index>(gridDim.x) * blockDim.y;
  for (Index n = blockIdx.x * static_cast<Index>(blockDim.y) + threadIdx.y; n < count; n += warps) {
    const LinkRun<T> link = links[n];
    T* to = f.origin + (before ? link.solid : link.fluid);
    const T* from = f.origin + (before ? link.fluid : link.solid);
    for (Index i = threadIdx.x; i < link.length; i += blockDim.x) to[i] = from[i] + link.gain;
  }
}

template <class L, Layout layout, bool forced, class T>
struct WriteMoments
{
  Populations<const T> f;
  Relaxation<T> r;
  View3<const std::uint8_t> flags;
  Populations<T> out;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    Moments<T> m;
    if (flags(i, j, k) == 0) m = moments_at<L, layout, forced>(f, i, j, k, r);
    T* cell = out.origin + out.offset(i, j, k);
    cell[0] = m.density;
    for (int x = 0; x < 3; ++x) cell[(x + 1) * out.sc] = m.u[x];
  }
};

template <class L, Layout layout, class T>
void write_moments(Cuda exec, const Populations<const T>& f, const Relaxation<T>& r,
                   View3<const std::uint8_t> flags, const Populations<T>& out)
{
  const grid::Box box = grid::box_of(f.cells);
  if (r.forced)
    grid::for_cells(exec, box, WriteMoments<L, layout, true, T>{f, r, flags, out});
  else
    grid::for_cells(exec, box, WriteMoments<L, layout, false, T>{f, r, flags, out});
}

template <class T>
struct WritePopulation
{
  Layout layout;
  Populations<const T> f;
  int n;
  Index3 c;  // velocity n
  View3<const std::uint8_t> flags;
  View3<T> out;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    out(i, j, k) = flags(i, j, k) == 0 ? population_at(layout, f, n, c, i, j, k) : T(0);
  }
};

template <class L, class T>
struct SetMoments
{
  Populations<const T> in;
  bool has_strain;
  Relaxation<T> r;
  Populations<T> f;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    set_cell<L>(in, has_strain, r, f, i, j, k);
  }
};

template <class T>
struct BadPlace
{
  Populations<const T> m;
  Index3 offset, global;
  T limit;

  __device__ std::int64_t operator()(Index i, Index j, Index k) const
  {
    const T* c = m.origin + m.offset(i, j, k);
    if (!is_bad(c[0], c[m.sc], c[2 * m.sc], c[3 * m.sc], limit))
      return grid::Min<std::int64_t>::identity;
    return (offset.i + i) + global.i * ((offset.j + j) + global.j * (offset.k + k));
  }
};

}  // namespace

template <class T>
void lbm_step(Cuda exec, LatticeKind lattice, Layout layout, Populations<T> f, grid::Box box,
              const Relaxation<T>& relaxation, const FluidCells& fluid)
{
  if (box.empty()) return;
  const DeviceGuard guard(exec.device_id);
  with_lattice(lattice, [&]<class L>(L) {
    if (layout == Layout::own)
      choose_step<L, Layout::own>(exec, f, box, relaxation, fluid.flags);
    else
      choose_step<L, Layout::neighbour>(exec, f, box, relaxation, fluid.flags);
  });
}

template <class T>
void apply_links(Cuda exec, Populations<T> f, const LinkRun<T>* links, Index count, bool before)
{
  if (count == 0) return;
  const DeviceGuard guard(exec.device_id);
  constexpr unsigned lanes = tuning::link_lanes;
  const dim3 block(lanes, tuning::link_threads / lanes);
  const Index blocks = (count + block.y - 1) / block.y;
  links_kernel<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), block, 0, exec.stream>>>(
      f, links, count, before);
  check_cuda(cudaGetLastError(), "apply_links");
}

template <class T>
void lbm_moments(Cuda exec, LatticeKind lattice, Layout layout, Populations<const T> f,
                 const Relaxation<T>& relaxation, View3<const std::uint8_t> flags,
                 Populations<T> out)
{
  with_lattice(lattice, [&]<class L>(L) {
    if (layout == Layout::own)
      write_moments<L, Layout::own>(exec, f, relaxation, flags, out);
    else
      write_moments<L, Layout::neighbour>(exec, f, relaxation, flags, out);
  });
}

template <class T>
void lbm_population(Cuda exec, LatticeKind lattice, Layout layout, Populations<const T> f, int n,
                    View3<const std::uint8_t> flags, View3<T> out)
{
  const Index3 c = with_lattice(lattice, [&]<class L>(L) { return velocity<L>(n); });
  grid::for_cells(exec, grid::box_of(f.cells), WritePopulation<T>{layout, f, n, c, flags, out});
}

template <class T>
void lbm_set_moments(Cuda exec, LatticeKind lattice, Populations<const T> macroscopic,
                     bool has_strain, const Relaxation<T>& relaxation, Populations<T> f)
{
  with_lattice(lattice, [&]<class L>(L) {
    grid::for_cells(exec, grid::box_of(f.cells),
                    SetMoments<L, T>{macroscopic, has_strain, relaxation, f});
  });
}

template <class T>
std::int64_t first_bad_cell(Cuda exec, Populations<const T> m, Index3 offset, Index3 global,
                            T limit)
{
  using First = grid::Min<std::int64_t>;
  const std::int64_t first =
      grid::reduce_cells<First>(exec, grid::box_of(m.cells), BadPlace<T>{m, offset, global, limit});
  return first == First::identity ? -1 : first;
}

#define HELICITY_INSTANTIATE(T)                                                                    \
  template void lbm_step(Cuda, LatticeKind, Layout, Populations<T>, grid::Box,                     \
                         const Relaxation<T>&, const FluidCells&);                                 \
  template void apply_links(Cuda, Populations<T>, const LinkRun<T>*, Index, bool);                 \
  template void lbm_moments(Cuda, LatticeKind, Layout, Populations<const T>, const Relaxation<T>&, \
                            View3<const std::uint8_t>, Populations<T>);                            \
  template void lbm_population(Cuda, LatticeKind, Layout, Populations<const T>, int,               \
                               View3<const std::uint8_t>, View3<T>);                               \
  template void lbm_set_moments(Cuda, LatticeKind, Populations<const T>, bool,                     \
                                const Relaxation<T>&, Populations<T>);                             \
  template std::int64_t first_bad_cell(Cuda, Populations<const T>, Index3, Index3, T);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::fluid
