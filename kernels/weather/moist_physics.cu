// SPDX-License-Identifier: Apache-2.0
// CUDA: one thread per column, and per cell for momenta; neighbours along i side by side.
#include <helicity/grid/for_cells.hpp>
#include <helicity/weather/microphysics.hpp>
#include <weather/moist_cells.hpp>

namespace helicity::weather {
namespace {

template <Scheme scheme, bool hilly, class T>
struct Change
{
  Dynamics<T> d;
  Water<T> w;
  Microphysics<T> m;

  template <Species species>
  __device__ void fall(Index ground, T step) const
  {
    T above = 0;
    for (Index k = d.cells.k - 1; k >= 0; --k)
      above =
          fall_through<scheme, species, hilly>(d, w, m, d.level[k], ground + k * d.sk, step, above);
    w.fallen[ground] = w.fallen[ground] + above * (T(1) / d.per_dz);
  }

  __device__ void operator()(Index i, Index j, Index) const
  {
    const Index ground = d.at(i, j, 0);
    T courant = 0;
    for (Index k = 0; k < d.cells.k; ++k)
      courant = most(courant, change_cell<scheme, hilly>(d, w, m, d.level[k], ground + k * d.sk));
    if constexpr (!rains<scheme>) return;
    const int substeps = substeps_of(m, courant);
    const T step = m.step / static_cast<T>(substeps);
    for (int s = 0; s < substeps; ++s) {
      fall<rain>(ground, step);
      if constexpr (freezes<scheme>) {
        fall<cloud_ice>(ground, step);
        fall<snow>(ground, step);
        fall<graupel>(ground, step);
      }
    }
  }
};

template <bool hilly, class T>
struct Keep
{
  Dynamics<T> d;
  Water<T> w;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const Index c = d.at(i, j, k);
    const Level<T>& l = d.level[k];
    if (i > -halo_width) d.start.u[c] = d.start.u[c] * density_ratio<hilly>(d, w, l, c - 1, l, c);
    if (d.has_v && (d.slab || j > -halo_width))
      d.start.v[c] = d.start.v[c] * density_ratio<hilly>(d, w, l, c - d.sj, l, c);
    if (k > 0)
      d.start.w[c] = d.start.w[c] * density_ratio<hilly>(d, w, d.level[k - 1], c - d.sk, l, c);
  }
};

/// Owned cells and those of the halo.
template <class T>
grid::Box box_of(const Dynamics<T>& d, Index levels)
{
  const Index beside = d.slab ? 0 : halo_width;
  return {{-halo_width, -beside, 0}, {d.cells.i + halo_width, d.cells.j + beside, levels}};
}

template <Scheme scheme, class T>
void change(Cuda exec, const Dynamics<T>& d, const Water<T>& w, const Microphysics<T>& m)
{
  if (d.hilly)
    grid::for_cells(exec, box_of(d, 1), Change<scheme, true, T>{d, w, m});
  else
    grid::for_cells(exec, box_of(d, 1), Change<scheme, false, T>{d, w, m});
}

}  // namespace

template <class T>
void moist_physics(Cuda exec, const Dynamics<T>& d, const Water<T>& w, const Microphysics<T>& m)
{
  switch (m.scheme) {
    case Scheme::condensation: return change<Scheme::condensation>(exec, d, w, m);
    case Scheme::kessler: return change<Scheme::kessler>(exec, d, w, m);
    case Scheme::klemp_wilhelmson: return change<Scheme::klemp_wilhelmson>(exec, d, w, m);
    case Scheme::ice: return change<Scheme::ice>(exec, d, w, m);
  }
}

template <class T>
void keep_velocities(Cuda exec, const Dynamics<T>& d, const Water<T>& w)
{
  if (d.hilly)
    grid::for_cells(exec, box_of(d, d.cells.k), Keep<true, T>{d, w});
  else
    grid::for_cells(exec, box_of(d, d.cells.k), Keep<false, T>{d, w});
}

#define HELICITY_INSTANTIATE(T)                                                                   \
  template void moist_physics(Cuda, const Dynamics<T>&, const Water<T>&, const Microphysics<T>&); \
  template void keep_velocities(Cuda, const Dynamics<T>&, const Water<T>&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
