// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: cells of a row in SIMD lanes.
#include <helicity/grid/simd_loop.hpp>
#include <helicity/weather/eddies.hpp>
#include <weather/mixing_rows.hpp>

#include <type_traits>

namespace helicity::weather {
namespace HELICITY_ISA {
namespace {

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

template <bool slab, bool hilly, class T>
void deform(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k)
{
  const Level<T> l = d.level[k];
  const Index row = d.at(0, j, k), last = d.cells.i + 2;
  HELICITY_SIMD_LOOP
  for (Index i = -1; i < last; ++i) deform_centre<slab, hilly>(d, m, l, row + i);
  if (d.has_v) {
    HELICITY_SIMD_LOOP
    for (Index i = -1; i < last; ++i) deform_xy<slab, hilly>(d, m, l, row + i);
  }
  if (k == 0) return;
  HELICITY_SIMD_LOOP
  for (Index i = -1; i < last; ++i)
    m.xz[row + i] = deform_up<hilly>(d, l, d.u, row + i, Index{1}, d.per_dx, d.terrain.slope_u);
  if (!d.has_v) return;
  HELICITY_SIMD_LOOP
  for (Index i = -1; i < last; ++i)
    m.yz[row + i] = deform_up<hilly>(d, l, d.v, row + i, d.sj, d.per_dy, d.terrain.slope_v);
}

template <class T>
void deform_row(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k)
{
  with_kind(d, [&](auto slab, auto hilly) {
    deform<decltype(slab)::value, decltype(hilly)::value>(d, m, j, k);
  });
}

template <class T>
void eddies_row(const Dynamics<T>& given, const Mixing<T>& m_given, Index j, Index k)
{
  const Dynamics<T> d = given;
  const Mixing<T> m = m_given;
  with_kind(d, [&](auto slab, auto hilly) {
    const Height<T> h = height_at(d, k);
    const Index row = d.at(0, j, k), last = d.cells.i + 1;
    HELICITY_SIMD_LOOP
    for (Index i = -1; i < last; ++i)
      set_eddies<decltype(slab)::value, decltype(hilly)::value>(d, m, h, row + i);
  });
}

template <bool slab, bool hilly, class T>
void stress(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k)
{
  const Level<T> l = d.level[k];
  const Index row = d.at(0, j, k), last = d.cells.i + 1;
  HELICITY_SIMD_LOOP
  for (Index i = -1; i < last; ++i) stress_centre<slab>(m, row + i);
  if (j < 0) return;
  if (d.has_v) {
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < last; ++i) stress_xy(d, m, row + i);
  }
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < last; ++i) stress_xz<hilly>(d, m, l, row + i);
  if (!d.has_v) return;
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < last; ++i) stress_yz<hilly>(d, m, l, row + i);
}

template <class T>
void stress_row(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k)
{
  with_kind(d, [&](auto slab, auto hilly) {
    stress<decltype(slab)::value, decltype(hilly)::value>(d, m, j, k);
  });
}

template <bool slab, bool hilly, class T>
void wind_rates(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k)
{
  const Height<T> h = height_at(d, k);
  const Level<T>& l = h.here;
  const Index row = d.at(0, j, k), n = d.cells.i;
  const bool owned = slab || j < d.cells.j;
  if (owned) {
    HELICITY_SIMD_LOOP
    for (Index i = 0; i <= n; ++i)
      m.rate.u[row + i] = mixing_rate_u<slab, hilly>(d, m, h, row + i) +
                          lowered_wind<hilly>(d, m, l, d.u, row + i, Index{1});
  }
  if (d.has_v) {
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i)
      m.rate.v[row + i] = mixing_rate_v<slab, hilly>(d, m, h, row + i) +
                          lowered_wind<hilly>(d, m, l, d.v, row + i, d.sj);
  }
  if (!owned || k == 0) return;
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) m.rate.w[row + i] = mixing_rate_w<slab, hilly>(d, m, h, row + i);
}

template <class T>
void rates_row(const Dynamics<T>& given, const Mixing<T>& m_given, Index j, Index k)
{
  const Dynamics<T> d = given;
  const Mixing<T> m = m_given;
  with_kind(d, [&](auto slab, auto hilly) {
    constexpr bool flat = decltype(slab)::value, hills = decltype(hilly)::value;
    wind_rates<flat, hills>(d, m, j, k);
    if (!flat && j == d.cells.j) return;
    const Height<T> h = height_at(d, k);
    const Index row = d.at(0, j, k), n = d.cells.i;
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i)
      m.rate.theta[row + i] = mixing_rate_theta<flat, hills>(d, m, h, row + i);
    if (m.energy == nullptr) return;
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i) mix_energy<flat, hills>(d, m, h, row + i);
  });
}

template <class T>
void add(T* to, const T* x, Index first, Index last)
{
  HELICITY_SIMD_LOOP
  for (Index n = first; n < last; ++n) to[n] = to[n] + x[n];
}

template <class T>
void add_row(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k)
{
  const Index row = d.at(0, j, k), end = row + d.cells.i;
  const bool owned = d.slab || j < d.cells.j;
  if (d.has_v) add(d.rate.v, m.rate.v, row, end);
  if (!owned) return;
  add(d.rate.u, m.rate.u, row, end + 1);
  add(d.rate.theta, m.rate.theta, row, end);
  if (k > 0) add(d.rate.w, m.rate.w, row, end);
}

template <class T>
void carry_row(const Dynamics<T>& given, const Mixing<T>& m_given, T step, Index j, Index k)
{
  const Dynamics<T> d = given;
  const Mixing<T> m = m_given;
  with_kind(d, [&](auto slab, auto hilly) {
    const Height<T> h = height_at(d, k);
    const Index row = d.at(0, j, k), n = d.cells.i;
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i)
      next_energy<decltype(slab)::value, decltype(hilly)::value>(d, m, h, step, row + i);
  });
}

template <class T>
void content_row(const Dynamics<T>& given, const Mixing<T>& m_given, const T* q, T flux, T* rate,
                 Index j, Index k)
{
  const Dynamics<T> d = given;
  const Mixing<T> m = m_given;
  with_kind(d, [&](auto slab, auto hilly) {
    const Height<T> h = height_at(d, k);
    const Index row = d.at(0, j, k), n = d.cells.i;
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i)
      rate[row + i] =
          mixed_content<decltype(slab)::value, decltype(hilly)::value>(d, m, h, q, row + i, flux);
  });
}

template <class T>
inline constexpr MixingLoops<T> loops{deform_row<T>, eddies_row<T>, stress_row<T>, rates_row<T>,
                                      add_row<T>,    carry_row<T>,  content_row<T>};

}  // namespace

const MixingLoops<float>& mixing_loops_float() { return loops<float>; }
const MixingLoops<double>& mixing_loops_double() { return loops<double>; }

}  // namespace HELICITY_ISA
}  // namespace helicity::weather
