// SPDX-License-Identifier: Apache-2.0
// CUDA: one thread per cell, neighbours along i side by side.
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/weather/transport.hpp>

#include <type_traits>

namespace helicity::weather {
namespace {

template <bool hilly, class T>
struct Contents
{
  Dynamics<T> d;
  Water<T> w;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const T rho = full_rho<hilly>(d, d.level[k], c);
    for (int s = 0; s < w.species; ++s) w.content[s][c] = w.stage[s][c] / rho;
  }
};

template <bool slab, bool hilly, class T>
struct Expand
{
  Dynamics<T> d;
  Water<T> w;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    d.rate.theta[c] = d.rate.theta[c] + expansion_rate<slab, hilly>(d, w, height_at(d, k), c);
  }
};

/// Owned cells, and faces at the ends of rows and columns.
template <class T>
struct AverageAcross
{
  Dynamics<T> d;
  Water<T> w;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    if (d.slab || j < d.cells.j) d.flux_u[c] = d.stage.u[c] + w.per_count * d.flux_u[c];
    if (!d.slab && i < d.cells.i) d.flux_v[c] = d.stage.v[c] + w.per_count * d.flux_v[c];
  }
};

template <bool slab, bool hilly, class T>
struct AverageUp
{
  Dynamics<T> d;
  Water<T> w;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    if (k > 0) d.flux_w[c] = mean_flux_up<slab, hilly>(d, w, d.level[k], c);
  }
};

/// Owned cells and those next to them.
template <bool slab, bool weno, class T>
struct Limit
{
  Dynamics<T> d;
  Water<T> w;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const bool owned = i >= 0 && i < d.cells.i && j >= 0 && j < d.cells.j;
    const Height<T> h = height_at(d, k);
    for (int s = 0; s < w.species; ++s)
      w.keep[s][c] = owned ? affordable<slab>(d, w, water_fluxes<slab, weno>(d, h, w.content[s], c),
                                              w.start[s][c])
                           : T(1);
  }
};

template <bool slab, bool weno, bool limited, class T>
struct Move
{
  Dynamics<T> d;
  Water<T> w;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const Height<T> h = height_at(d, k);
    for (int s = 0; s < w.species; ++s)
      w.next[s][c] = moved_water<slab, weno, limited>(d, w, h, s, c);
  }
};

template <class T>
struct BadWater
{
  Dynamics<T> d;
  Water<T> w;
  Index3 offset, global;

  __device__ std::int64_t operator()(Index i, Index j, Index k) const
  {
    if (!is_bad_water(w, d.at(i, j, k))) return INT64_MAX;
    return (offset.i + i) + global.i * ((offset.j + j) + global.j * (offset.k + k));
  }
};

/// Owned cells with `low` and `high` more on the sides of i, and of j but in a slab.
template <class T>
grid::Box grown_box(const Dynamics<T>& d, Index low, Index high)
{
  const Index beside = d.slab ? 0 : 1;
  return {{-low, -low * beside, 0}, {d.cells.i + high, d.cells.j + high * beside, d.cells.k}};
}

/// Calls f with two marks as constants.
template <class F>
void with_marks(bool a, bool b, F&& f)
{
  using Yes = std::true_type;
  using No = std::false_type;
  if (a)
    b ? f(Yes{}, Yes{}) : f(Yes{}, No{});
  else
    b ? f(No{}, Yes{}) : f(No{}, No{});
}

}  // namespace

template <class T>
void find_contents(Cuda exec, const Dynamics<T>& d, const Water<T>& w)
{
  const grid::Box box = grown_box(d, halo_width, halo_width);
  if (d.hilly)
    grid::for_cells(exec, box, Contents<true, T>{d, w});
  else
    grid::for_cells(exec, box, Contents<false, T>{d, w});
}

template <class T>
void add_expansion(Cuda exec, const Dynamics<T>& d, const Water<T>& w)
{
  with_marks(d.slab, d.hilly, [&](auto slab, auto hilly) {
    grid::for_cells(exec, grid::box_of(d.cells),
                    Expand<decltype(slab)::value, decltype(hilly)::value, T>{d, w});
  });
}

template <class T>
void average_fluxes(Cuda exec, const Dynamics<T>& d, const Water<T>& w)
{
  grid::for_cells(exec, grown_box(d, 0, 1), AverageAcross<T>{d, w});
  with_marks(d.slab, d.hilly, [&](auto slab, auto hilly) {
    grid::for_cells(exec, grid::box_of(d.cells),
                    AverageUp<decltype(slab)::value, decltype(hilly)::value, T>{d, w});
  });
}

template <class T>
void limit_outflow(Cuda exec, const Dynamics<T>& d, const Water<T>& w)
{
  with_marks(d.slab, w.weno, [&](auto slab, auto weno) {
    grid::for_cells(exec, grown_box(d, 1, 1),
                    Limit<decltype(slab)::value, decltype(weno)::value, T>{d, w});
  });
}

template <class T>
void move_water(Cuda exec, const Dynamics<T>& d, const Water<T>& w, bool limited)
{
  with_marks(d.slab, w.weno, [&](auto slab, auto weno) {
    constexpr bool is_slab = decltype(slab)::value, is_weno = decltype(weno)::value;
    if (limited)
      grid::for_cells(exec, grid::box_of(d.cells), Move<is_slab, is_weno, true, T>{d, w});
    else
      grid::for_cells(exec, grid::box_of(d.cells), Move<is_slab, is_weno, false, T>{d, w});
  });
}

template <class T>
std::int64_t first_bad_water(Cuda exec, const Dynamics<T>& d, const Water<T>& w, Index3 offset,
                             Index3 global)
{
  using First = grid::Min<std::int64_t>;
  const std::int64_t first =
      grid::reduce_cells<First>(exec, grid::box_of(d.cells), BadWater<T>{d, w, offset, global});
  return first == First::identity ? -1 : first;
}

#define HELICITY_INSTANTIATE(T)                                              \
  template void find_contents(Cuda, const Dynamics<T>&, const Water<T>&);    \
  template void add_expansion(Cuda, const Dynamics<T>&, const Water<T>&);    \
  template void average_fluxes(Cuda, const Dynamics<T>&, const Water<T>&);   \
  template void limit_outflow(Cuda, const Dynamics<T>&, const Water<T>&);    \
  template void move_water(Cuda, const Dynamics<T>&, const Water<T>&, bool); \
  template std::int64_t first_bad_water(Cuda, const Dynamics<T>&, const Water<T>&, Index3, Index3);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
