// SPDX-License-Identifier: Apache-2.0
// CUDA: one thread per cell, neighbours along i side by side.
#include <fluid/ns_places.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>

namespace helicity::fluid {
namespace {

using namespace detail;

template <class T>
struct Advance
{
  NsStep<T> s;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = s.at(i, j, k);
    const NsLevel<T>&below = s.level[k - 1], &l = s.level[k], &above = s.level[k + 1];
    if (!(s.wall_low_i && i == 0))
      step_value(s, s.stage.u, s.next.u, s.rate.u, c, u_rate(s, l, above, c),
                 slope_x(s, s.pressure, c));
    if (s.has_v && !(s.wall_low_j && j == 0))
      step_value(s, s.stage.v, s.next.v, s.rate.v, c, v_rate(s, l, above, c),
                 slope_y(s, s.pressure, c));
    if (s.has_w && !(s.wall_low_k && k == 0))
      step_value(s, s.stage.w, s.next.w, s.rate.w, c, w_rate(s, below, l, c),
                 slope_z(s, l, s.pressure, c));
    if (s.stage.scalar != nullptr)
      step_value(s, s.stage.scalar, s.next.scalar, s.rate.scalar, c, scalar_rate(s, l, above, c),
                 T(0));
  }
};

template <class T>
struct Divergence
{
  NsStep<T> s;
  View3<T> out;
  T per_step;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    out(i, j, k) = divergence(s, s.level[k], s.next, s.at(i, j, k)) * per_step;
  }
};

template <class T>
struct Correct
{
  NsStep<T> s;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = s.at(i, j, k);
    if (!(s.wall_low_i && i == 0)) s.next.u[c] -= s.step * slope_x(s, s.potential, c);
    if (s.has_v && !(s.wall_low_j && j == 0)) s.next.v[c] -= s.step * slope_y(s, s.potential, c);
    if (s.has_w && !(s.wall_low_k && k == 0))
      s.next.w[c] -= s.step * slope_z(s, s.level[k], s.potential, c);
    s.pressure[c] += s.potential[c];
  }
};

}  // namespace

template <class T>
void ns_advance(Cuda exec, const NsStep<T>& s)
{
  grid::for_cells(exec, grid::box_of(s.cells), Advance<T>{s});
}

template <class T>
void ns_divergence(Cuda exec, const NsStep<T>& s, View3<T> out)
{
  grid::for_cells(exec, grid::box_of(s.cells), Divergence<T>{s, out, T(1) / s.step});
}

template <class T>
void ns_correct(Cuda exec, const NsStep<T>& s)
{
  grid::for_cells(exec, grid::box_of(s.cells), Correct<T>{s});
}

template <class T>
std::int64_t ns_first_bad_cell(Cuda exec, const NsStep<T>& s, Index3 offset, Index3 global, T step,
                               T limit)
{
  using First = grid::Min<std::int64_t>;
  const std::int64_t first = grid::reduce_cells<First>(
      exec, grid::box_of(s.cells), NsBadPlace<T>{s, offset, global, step, limit, First::identity});
  return first == First::identity ? -1 : first;
}

template <class T>
double ns_largest_divergence(Cuda exec, const NsStep<T>& s)
{
  const double largest =
      grid::reduce_cells<grid::Max<double>>(exec, grid::box_of(s.cells), NsDivergenceSize<T>{s});
  return largest > 0 ? largest : 0;
}

#define HELICITY_INSTANTIATE(T)                                                          \
  template void ns_advance(Cuda, const NsStep<T>&);                                      \
  template void ns_divergence(Cuda, const NsStep<T>&, View3<T>);                         \
  template void ns_correct(Cuda, const NsStep<T>&);                                      \
  template std::int64_t ns_first_bad_cell(Cuda, const NsStep<T>&, Index3, Index3, T, T); \
  template double ns_largest_divergence(Cuda, const NsStep<T>&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::fluid
