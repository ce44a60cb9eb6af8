// SPDX-License-Identifier: Apache-2.0
// CUDA: one thread per cell, or per column for the vertical sweeps; neighbours along i side by
// side.
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/weather/acoustic.hpp>
#include <helicity/weather/diagnosis.hpp>
#include <helicity/weather/dynamics.hpp>
#include <helicity/weather/rates.hpp>

#include <type_traits>

namespace helicity::weather {
namespace {

template <bool hilly, class T>
struct Diagnose
{
  Dynamics<T> d;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const Level<T>& l = d.level[k];
    diagnose_cell<hilly>(d, l, c);
    if (i > -halo_width) diagnose_u<hilly>(d, l, c);
    if (d.has_v && (d.slab || j > -halo_width)) diagnose_v<hilly>(d, l, c);
    if (k > 0) diagnose_w<hilly>(d, d.level[k - 1], l, c);
    if constexpr (!hilly) return;
    if (i == d.cells.i + halo_width - 1) return;
    if (d.slab)
      diagnose_flux_up<true>(d, l, c);
    else if (j < d.cells.j + halo_width - 1)
      diagnose_flux_up<false>(d, l, c);
  }
};

/// Right-hand sides, deviations and push: owned cells, faces at the ends of rows and columns, and
/// the halo of one cell that push has.
template <bool slab, bool hilly, class T>
struct Prepare
{
  Dynamics<T> d;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Variables<T>&x = d.deviation, &a = d.start, &b = d.stage;
    const Index c = d.at(i, j, k);
    start_push(d, c);
    if (i < 0 || j < 0) return;
    Height<T> h = height_at(d, k);
    const bool in_i = i < d.cells.i, in_j = slab || j < d.cells.j;
    h.coriolis = coriolis_at(d, j, false);
    if (in_j) {
      d.rate.u[c] = u_rate<slab, hilly>(d, h, c);
      x.u[c] = a.u[c] - b.u[c];
    }
    h.coriolis = coriolis_at(d, j, true);
    if (in_i && d.has_v) {
      d.rate.v[c] = v_rate<slab, hilly>(d, h, c);
      x.v[c] = a.v[c] - b.v[c];
    }
    if (!in_i || !in_j) return;
    if (k > 0) d.rate.w[c] = w_rate<slab, hilly>(d, h, c);
    x.w[c] = a.w[c] - b.w[c];
    const ScalarRates<T> r = scalar_rates<slab, hilly>(d, h, c);
    d.rate.rho[c] = r.rho;
    d.rate.theta[c] = r.theta;
    x.rho[c] = a.rho[c] - b.rho[c];
    x.theta[c] = a.theta[c] - b.theta[c];
  }
};

template <bool hilly, class T>
struct Eliminate
{
  Dynamics<T> d;

  __device__ void operator()(Index i, Index j, Index) const
  {
    const Sweep<T> s = sweep_of(d);
    Eliminated<T> below{};
    for (Index k = 1; k < d.cells.k; ++k)
      below = eliminate<hilly>(d, s, d.level[k], d.level[k + 1], beside_level(d, k), d.at(i, j, k),
                               below);
  }
};

template <bool hilly, class T>
struct Horizontal
{
  Dynamics<T> d;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const Level<T>& l = d.level[k];
    const bool in_i = i < d.cells.i, in_j = d.slab || j < d.cells.j;
    const bool wall_i = (i == 0 && d.wall_low_i) || (!in_i && d.wall_high_i);
    const bool wall_j = !d.slab && ((j == 0 && d.wall_low_j) || (!in_j && d.wall_high_j));
    if (in_j && !wall_i) push_u<hilly>(d, l, c);
    if (in_i && d.has_v && !wall_j) push_v<hilly>(d, l, c);
  }
};

template <bool slab, bool hilly, bool wet, class T>
struct Columns
{
  Dynamics<T> d;

  __device__ void add_flux(T* sum, const T* x, Index c) const
  {
    sum[c] = d.first ? x[c] : sum[c] + x[c];
  }

  __device__ void add_fluxes_across(Index i, Index j, Index c) const
  {
    add_flux(d.flux_u, d.deviation.u, c);
    if (i == d.cells.i - 1) add_flux(d.flux_u, d.deviation.u, c + 1);
    if constexpr (slab) return;
    add_flux(d.flux_v, d.deviation.v, c);
    if (j == d.cells.j - 1) add_flux(d.flux_v, d.deviation.v, c + d.sj);
  }

  __device__ void operator()(Index i, Index j, Index) const
  {
    const Sweep<T> s = sweep_of(d);
    Carried<T> below{};
    for (Index k = 0; k < d.cells.k; ++k) {
      const Index c = d.at(i, j, k);
      if constexpr (wet) add_fluxes_across(i, j, c);
      below = sweep_up<slab, hilly>(d, s, d.level[k], d.level[k + 1], beside_level(d, k), c, k == 0,
                                    below);
    }
    for (Index k = d.cells.k - 1; k >= 0; --k) {
      const Index c = d.at(i, j, k);
      sweep_down<hilly>(d, s, d.level[k], d.level[k + 1], beside_level(d, k), c);
      if (wet && k > 0) add_flux(d.flux_w, d.deviation.w, c);
      if (d.last) finish_cell(d, c);
    }
  }
};

template <class T>
struct Finish
{
  Dynamics<T> d;

  __device__ void operator()(Index i, Index j, Index k) const { finish_cell(d, d.at(i, j, k)); }
};

template <class T>
struct Centre
{
  Dynamics<T> d;

  __device__ void operator()(Index i, Index j, Index k) const { centre_velocity(d, d.at(i, j, k)); }
};

template <class T>
struct BadCell
{
  Dynamics<T> d;
  Index3 offset, global;
  HealthLimits limits;

  __device__ std::int64_t operator()(Index i, Index j, Index k) const
  {
    if (!is_bad(d, d.level[k], d.at(i, j, k), limits)) return INT64_MAX;
    return (offset.i + i) + global.i * ((offset.j + j) + global.j * (offset.k + k));
  }
};

/// Owned cells with `low` and `high` more on the sides of i, and of j but in a slab.
template <class T>
grid::Box box_of(const Dynamics<T>& d, Index low, Index high)
{
  const Index beside = d.slab ? 0 : 1;
  return {{-low, -low * beside, 0}, {d.cells.i + high, d.cells.j + high * beside, d.cells.k}};
}

/// Calls f with the marks slab and hilly as constants.
template <class T, class F>
void with_kind(const Dynamics<T>& d, F&& f)
{
  using Yes = std::true_type;
  using No = std::false_type;
  if (d.slab)
    d.hilly ? f(Yes{}, Yes{}) : f(Yes{}, No{});
  else
    d.hilly ? f(No{}, Yes{}) : f(No{}, No{});
}

template <class T>
grid::Box columns_of(const Dynamics<T>& d)
{
  return grid::box_of(Index3{d.cells.i, d.cells.j, 1});
}

}  // namespace

template <class T>
void diagnose(Cuda exec, const Dynamics<T>& d)
{
  with_kind(d, [&](auto, auto hilly) {
    grid::for_cells(exec, box_of(d, halo_width, halo_width),
                    Diagnose<decltype(hilly)::value, T>{d});
  });
}

template <class T>
void prepare_stage(Cuda exec, const Dynamics<T>& d)
{
  with_kind(d, [&](auto slab, auto hilly) {
    constexpr bool is_hilly = decltype(hilly)::value;
    grid::for_cells(exec, box_of(d, 1, 1), Prepare<decltype(slab)::value, is_hilly, T>{d});
    grid::for_cells(exec, columns_of(d), Eliminate<is_hilly, T>{d});
  });
}

template <class T>
void step_horizontal(Cuda exec, const Dynamics<T>& d)
{
  with_kind(d, [&](auto, auto hilly) {
    grid::for_cells(exec, box_of(d, 0, 1), Horizontal<decltype(hilly)::value, T>{d});
  });
}

template <class T>
void step_columns(Cuda exec, const Dynamics<T>& d)
{
  with_kind(d, [&](auto slab, auto hilly) {
    constexpr bool is_slab = decltype(slab)::value, is_hilly = decltype(hilly)::value;
    if (d.flux_u != nullptr)
      grid::for_cells(exec, columns_of(d), Columns<is_slab, is_hilly, true, T>{d});
    else
      grid::for_cells(exec, columns_of(d), Columns<is_slab, is_hilly, false, T>{d});
  });
}

template <class T>
void finish_stage(Cuda exec, const Dynamics<T>& d)
{
  grid::for_cells(exec, grid::box_of(d.cells), Finish<T>{d});
}

template <class T>
void centre_velocities(Cuda exec, const Dynamics<T>& d)
{
  grid::for_cells(exec, grid::box_of(d.cells), Centre<T>{d});
}

template <class T>
std::int64_t first_bad_cell(Cuda exec, const Dynamics<T>& d, Index3 offset, Index3 global,
                            const HealthLimits& limits)
{
  using First = grid::Min<std::int64_t>;
  const std::int64_t first =
      grid::reduce_cells<First>(exec, grid::box_of(d.cells), BadCell<T>{d, offset, global, limits});
  return first == First::identity ? -1 : first;
}

#define HELICITY_INSTANTIATE(T)                                                  \
  template void diagnose(Cuda, const Dynamics<T>&);                              \
  template void prepare_stage(Cuda, const Dynamics<T>&);                         \
  template void step_horizontal(Cuda, const Dynamics<T>&);                       \
  template void step_columns(Cuda, const Dynamics<T>&);                          \
  template void finish_stage(Cuda, const Dynamics<T>&);                          \
  template void centre_velocities(Cuda, const Dynamics<T>&);                     \
  template std::int64_t first_bad_cell(Cuda, const Dynamics<T>&, Index3, Index3, \
                                       const HealthLimits&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
