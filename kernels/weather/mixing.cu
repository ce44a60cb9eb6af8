// SPDX-License-Identifier: Apache-2.0
// CUDA: one thread per cell, neighbours along i side by side.
#include <helicity/grid/for_cells.hpp>
#include <helicity/weather/eddies.hpp>

#include <type_traits>

namespace helicity::weather {
namespace {

template <bool slab, bool hilly, class T>
struct Deform
{
  Dynamics<T> d;
  Mixing<T> m;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const Level<T>& l = d.level[k];
    deform_centre<slab, hilly>(d, m, l, c);
    if (d.has_v) deform_xy<slab, hilly>(d, m, l, c);
    if (k == 0) return;
    m.xz[c] = deform_up<hilly>(d, l, d.u, c, Index{1}, d.per_dx, d.terrain.slope_u);
    if (d.has_v) m.yz[c] = deform_up<hilly>(d, l, d.v, c, d.sj, d.per_dy, d.terrain.slope_v);
  }
};

template <bool slab, bool hilly, class T>
struct SetEddies
{
  Dynamics<T> d;
  Mixing<T> m;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    set_eddies<slab, hilly>(d, m, height_at(d, k), d.at(i, j, k));
  }
};

template <bool slab, bool hilly, class T>
struct Stress
{
  Dynamics<T> d;
  Mixing<T> m;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const Level<T>& l = d.level[k];
    stress_centre<slab>(m, c);
    if (i < 0 || j < 0) return;
    if (d.has_v) stress_xy(d, m, c);
    stress_xz<hilly>(d, m, l, c);
    if (d.has_v) stress_yz<hilly>(d, m, l, c);
  }
};

template <bool slab, bool hilly, class T>
struct MixingRates
{
  Dynamics<T> d;
  Mixing<T> m;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Height<T> h = height_at(d, k);
    const Level<T>& l = h.here;
    const Index c = d.at(i, j, k);
    const bool in_i = i < d.cells.i, in_j = slab || j < d.cells.j;
    if (in_j)
      m.rate.u[c] =
          mixing_rate_u<slab, hilly>(d, m, h, c) + lowered_wind<hilly>(d, m, l, d.u, c, Index{1});
    if (in_i && d.has_v)
      m.rate.v[c] =
          mixing_rate_v<slab, hilly>(d, m, h, c) + lowered_wind<hilly>(d, m, l, d.v, c, d.sj);
    if (!in_i || !in_j) return;
    if (k > 0) m.rate.w[c] = mixing_rate_w<slab, hilly>(d, m, h, c);
    m.rate.theta[c] = mixing_rate_theta<slab, hilly>(d, m, h, c);
    if (m.energy != nullptr) mix_energy<slab, hilly>(d, m, h, c);
  }
};

template <class T>
struct Add
{
  Dynamics<T> d;
  Mixing<T> m;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const bool in_i = i < d.cells.i, in_j = d.slab || j < d.cells.j;
    if (in_j) d.rate.u[c] = d.rate.u[c] + m.rate.u[c];
    if (in_i && d.has_v) d.rate.v[c] = d.rate.v[c] + m.rate.v[c];
    if (!in_i || !in_j) return;
    d.rate.theta[c] = d.rate.theta[c] + m.rate.theta[c];
    if (k > 0) d.rate.w[c] = d.rate.w[c] + m.rate.w[c];
  }
};

template <bool slab, bool hilly, class T>
struct CarryEnergy
{
  Dynamics<T> d;
  Mixing<T> m;
  T step;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    next_energy<slab, hilly>(d, m, height_at(d, k), step, d.at(i, j, k));
  }
};

template <class T>
struct KeepEnergy
{
  Dynamics<T> d;
  Mixing<T> m;
  T* to;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    to[d.at(i, j, k)] = m.energy_next[d.at(i, j, k)];
  }
};

template <bool slab, bool hilly, class T>
struct MixContent
{
  Dynamics<T> d;
  Mixing<T> m;
  const T* q;
  T flux;
  T* rate;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    rate[c] = mixed_content<slab, hilly>(d, m, height_at(d, k), q, c, flux);
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

}  // namespace

template <class T>
void evaluate_mixing(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m)
{
  with_kind(d, [&](auto slab, auto hilly) {
    constexpr bool is_slab = decltype(slab)::value, is_hilly = decltype(hilly)::value;
    grid::for_cells(exec, box_of(d, 1, 2), Deform<is_slab, is_hilly, T>{d, m});
    grid::for_cells(exec, box_of(d, 1, 1), SetEddies<is_slab, is_hilly, T>{d, m});
    grid::for_cells(exec, box_of(d, 1, 1), Stress<is_slab, is_hilly, T>{d, m});
    grid::for_cells(exec, box_of(d, 0, 1), MixingRates<is_slab, is_hilly, T>{d, m});
  });
}

template <class T>
void carry_energy(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m, T step)
{
  with_kind(d, [&](auto slab, auto hilly) {
    grid::for_cells(exec, box_of(d, 0, 0),
                    CarryEnergy<decltype(slab)::value, decltype(hilly)::value, T>{d, m, step});
  });
}

template <class T>
void keep_energy(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m, T* to)
{
  grid::for_cells(exec, box_of(d, 0, 0), KeepEnergy<T>{d, m, to});
}

template <class T>
void add_mixing(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m)
{
  grid::for_cells(exec, box_of(d, 0, 1), Add<T>{d, m});
}

template <class T>
void mix_content(Cuda exec, const Dynamics<T>& d, const Mixing<T>& m, const T* q, T flux, T* rate)
{
  with_kind(d, [&](auto slab, auto hilly) {
    grid::for_cells(
        exec, box_of(d, 0, 0),
        MixContent<decltype(slab)::value, decltype(hilly)::value, T>{d, m, q, flux, rate});
  });
}

#define HELICITY_INSTANTIATE(T)                                              \
  template void evaluate_mixing(Cuda, const Dynamics<T>&, const Mixing<T>&); \
  template void add_mixing(Cuda, const Dynamics<T>&, const Mixing<T>&);      \
  template void carry_energy(Cuda, const Dynamics<T>&, const Mixing<T>&, T); \
  template void keep_energy(Cuda, const Dynamics<T>&, const Mixing<T>&, T*); \
  template void mix_content(Cuda, const Dynamics<T>&, const Mixing<T>&, const T*, T, T*);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
