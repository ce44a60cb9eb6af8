// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: cells of a row in SIMD lanes.
#include <helicity/grid/simd_loop.hpp>
#include <helicity/weather/transport.hpp>
#include <weather/water_rows.hpp>

#include <algorithm>
#include <type_traits>

namespace helicity::weather {
namespace HELICITY_ISA {
namespace {

using Yes = std::true_type;
using No = std::false_type;

/// Calls f with two marks as constants.
template <class F>
void with_marks(bool a, bool b, F&& f)
{
  if (a)
    b ? f(Yes{}, Yes{}) : f(Yes{}, No{});
  else
    b ? f(No{}, Yes{}) : f(No{}, No{});
}

template <bool hilly, class T>
void contents_of_row(const Dynamics<T>& d, const Water<T>& w, Index row, const Level<T>& l)
{
  for (int s = 0; s < w.species; ++s) {
    const T* density = w.stage[s];
    T* content = w.content[s];
    HELICITY_SIMD_LOOP
    for (Index i = -halo_width; i < d.cells.i + halo_width; ++i)
      content[row + i] = density[row + i] / full_rho<hilly>(d, l, row + i);
  }
}

template <class T>
void contents(const Dynamics<T>& given, const Water<T>& w, Index j, Index k)
{
  const Dynamics<T> d = given;
  const Index row = d.at(0, j, k);
  if (d.hilly)
    contents_of_row<true>(d, w, row, d.level[k]);
  else
    contents_of_row<false>(d, w, row, d.level[k]);
}

template <class T>
void expand(const Dynamics<T>& given, const Water<T>& given_water, Tile tile)
{
  const Dynamics<T> d = given;
  const Water<T> w = given_water;
  with_marks(d.slab, d.hilly, [&](auto slab, auto hilly) {
    for (Index k = 0; k < d.cells.k; ++k) {
      const Height<T> h = height_at(d, k);
      const Index row = d.at(0, tile.j, k);
      HELICITY_SIMD_LOOP
      for (Index i = tile.first; i < tile.last; ++i)
        d.rate.theta[row + i] =
            d.rate.theta[row + i] +
            expansion_rate<decltype(slab)::value, decltype(hilly)::value>(d, w, h, row + i);
    }
  });
}

/// mean = momentum + sum per_count
template <class T>
void average_row(T* mean, const T* momentum, T per_count, Index n)
{
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) mean[i] = momentum[i] + per_count * mean[i];
}

template <class T>
void average_across(const Dynamics<T>& d, const Water<T>& w, Tile tile, Index k)
{
  const Index row = d.at(tile.first, tile.j, k), n = tile.last - tile.first;
  const Index faces = tile.last == d.cells.i ? n + 1 : n;
  average_row(d.flux_u + row, d.stage.u + row, w.per_count, faces);
  if (d.slab) return;
  for (Index m = 0; m < (tile.j == d.cells.j - 1 ? 2 : 1); ++m) {
    const Index r = row + m * d.sj;
    average_row(d.flux_v + r, d.stage.v + r, w.per_count, n);
  }
}

/// Over terrain, fluxes through levels need these of neighbouring tiles.
template <class T>
void average_tile(const Dynamics<T>& given, const Water<T>& w, Tile tile)
{
  const Dynamics<T> d = given;
  for (Index k = 0; k < d.cells.k; ++k) average_across(d, w, tile, k);
}

template <class T>
void average_up(const Dynamics<T>& given, const Water<T>& given_water, Tile tile)
{
  const Dynamics<T> d = given;
  const Water<T> w = given_water;
  with_marks(d.slab, d.hilly, [&](auto slab, auto hilly) {
    for (Index k = 1; k < d.cells.k; ++k) {
      const Level<T> l = d.level[k];
      const Index row = d.at(0, tile.j, k);
      HELICITY_SIMD_LOOP
      for (Index i = tile.first; i < tile.last; ++i)
        d.flux_w[row + i] =
            mean_flux_up<decltype(slab)::value, decltype(hilly)::value>(d, w, l, row + i);
    }
  });
}

/// keep = 1 on the cells of a level next to the tile that nobody owns here.
template <class T>
void keep_all_beside(const Dynamics<T>& d, T* keep, const Tile& tile, Index k)
{
  const Index n = d.cells.i;
  if (tile.first == 0) keep[d.at(-1, tile.j, k)] = T(1);
  if (tile.last == n) keep[d.at(n, tile.j, k)] = T(1);
  if (d.slab) return;
  const Index width = tile.last - tile.first;
  if (tile.j == 0) std::fill_n(keep + d.at(tile.first, -1, k), width, T(1));
  if (tile.j == d.cells.j - 1) std::fill_n(keep + d.at(tile.first, tile.j + 1, k), width, T(1));
}

template <bool slab, bool weno, class T>
void limit_level(const Dynamics<T>& d, const Water<T>& w, const Tile& tile, Index k)
{
  const Height<T> h = height_at(d, k);
  const Index row = d.at(0, tile.j, k);
  for (int s = 0; s < w.species; ++s) {
    T* keep = w.keep[s];
    const T *q = w.content[s], *start = w.start[s];
    HELICITY_SIMD_LOOP
    for (Index i = tile.first; i < tile.last; ++i) {
      const Index c = row + i;
      keep[c] = affordable<slab>(d, w, water_fluxes<slab, weno>(d, h, q, c), start[c]);
    }
    keep_all_beside(d, keep, tile, k);
  }
}

template <class T>
void limit(const Dynamics<T>& given, const Water<T>& given_water, Tile tile)
{
  const Dynamics<T> d = given;
  const Water<T> w = given_water;
  with_marks(d.slab, w.weno, [&](auto slab, auto weno) {
    for (Index k = 0; k < d.cells.k; ++k)
      limit_level<decltype(slab)::value, decltype(weno)::value>(d, w, tile, k);
  });
}

template <bool slab, bool weno, bool limited, class T>
void move_level(const Dynamics<T>& d, const Water<T>& w, const Tile& tile, Index k)
{
  const Height<T> h = height_at(d, k);
  const Index row = d.at(0, tile.j, k);
  for (int s = 0; s < w.species; ++s) {
    T* next = w.next[s];
    HELICITY_SIMD_LOOP
    for (Index i = tile.first; i < tile.last; ++i)
      next[row + i] = moved_water<slab, weno, limited>(d, w, h, s, row + i);
  }
}

template <class T>
void move(const Dynamics<T>& given, const Water<T>& given_water, Tile tile, bool limited)
{
  const Dynamics<T> d = given;
  const Water<T> w = given_water;
  with_marks(d.slab, w.weno, [&](auto slab, auto weno) {
    constexpr bool is_slab = decltype(slab)::value, is_weno = decltype(weno)::value;
    for (Index k = 0; k < d.cells.k; ++k)
      limited ? move_level<is_slab, is_weno, true>(d, w, tile, k)
              : move_level<is_slab, is_weno, false>(d, w, tile, k);
  });
}

template <class T>
inline constexpr WaterLoops<T> loops{contents<T>,   expand<T>, average_tile<T>,
                                     average_up<T>, limit<T>,  move<T>};

}  // namespace

const WaterLoops<float>& water_loops_float() { return loops<float>; }
const WaterLoops<double>& water_loops_double() { return loops<double>; }

}  // namespace HELICITY_ISA
}  // namespace helicity::weather
