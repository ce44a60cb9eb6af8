// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: cells of a row in SIMD lanes.
#include <helicity/grid/simd_loop.hpp>
#include <helicity/weather/acoustic.hpp>
#include <helicity/weather/diagnosis.hpp>
#include <helicity/weather/rates.hpp>
#include <weather/dry_rows.hpp>

#include <algorithm>
#include <type_traits>

namespace helicity::weather {
namespace HELICITY_ISA {
namespace {

/// Ends of the faces that belong to a tile along i and j, those at the end of the grid included.
template <class T>
Index end_of_faces(const Dynamics<T>& d, const Tile& tile)
{
  return tile.last == d.cells.i ? tile.last + 1 : tile.last;
}

template <class T>
bool has_row_above(const Dynamics<T>& d, const Tile& tile)
{
  return !d.slab && tile.j == d.cells.j - 1;
}

template <bool hilly, class T>
void diagnose_cells(const Dynamics<T>& d, Index j, Index k)
{
  const Level<T> l = d.level[k], below = d.level[k > 0 ? k - 1 : 0];
  const Index row = d.at(0, j, k), n = d.cells.i;
  HELICITY_SIMD_LOOP
  for (Index i = -halo_width; i < n + halo_width; ++i) diagnose_cell<hilly>(d, l, row + i);
  HELICITY_SIMD_LOOP
  for (Index i = 1 - halo_width; i < n + halo_width; ++i) diagnose_u<hilly>(d, l, row + i);
  if (d.has_v && (d.slab || j > -halo_width)) {
    HELICITY_SIMD_LOOP
    for (Index i = -halo_width; i < n + halo_width; ++i) diagnose_v<hilly>(d, l, row + i);
  }
  if (k == 0) return;
  HELICITY_SIMD_LOOP
  for (Index i = -halo_width; i < n + halo_width; ++i) diagnose_w<hilly>(d, below, l, row + i);
}

template <bool slab, class T>
void diagnose_fluxes(const Dynamics<T>& d, Index j, Index k)
{
  const Level<T> l = d.level[k];
  const Index row = d.at(0, j, k), n = d.cells.i;
  HELICITY_SIMD_LOOP
  for (Index i = -halo_width; i < n + halo_width - 1; ++i) diagnose_flux_up<slab>(d, l, row + i);
}

template <class T>
void diagnose_row(const Dynamics<T>& given, Index j, Index k)
{
  const Dynamics<T> d = given;
  if (!d.hilly) return diagnose_cells<false>(d, j, k);
  diagnose_cells<true>(d, j, k);
  if (d.slab)
    diagnose_fluxes<true>(d, j, k);
  else if (j < d.cells.j + halo_width - 1)
    diagnose_fluxes<false>(d, j, k);
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

template <bool slab, bool hilly, class T>
void rates_of_level(const Dynamics<T>& d, const Tile& tile, Index k)
{
  Height<T> h = height_at(d, k);
  h.coriolis = coriolis_at(d, tile.j, false);
  const Index row = d.at(0, tile.j, k), faces = end_of_faces(d, tile);
  HELICITY_SIMD_LOOP
  for (Index i = tile.first; i < faces; ++i) d.rate.u[row + i] = u_rate<slab, hilly>(d, h, row + i);
  HELICITY_SIMD_LOOP
  for (Index i = tile.first; i < tile.last; ++i) {
    const ScalarRates<T> r = scalar_rates<slab, hilly>(d, h, row + i);
    d.rate.rho[row + i] = r.rho;
    d.rate.theta[row + i] = r.theta;
  }
  if (k > 0) {
    HELICITY_SIMD_LOOP
    for (Index i = tile.first; i < tile.last; ++i)
      d.rate.w[row + i] = w_rate<slab, hilly>(d, h, row + i);
  }
  if (!d.has_v) return;
  const Index rows = has_row_above(d, tile) ? 2 : 1;
  for (Index m = 0; m < rows; ++m) {
    const Index r = row + m * d.sj;
    h.coriolis = coriolis_at(d, tile.j + m, true);
    HELICITY_SIMD_LOOP
    for (Index i = tile.first; i < tile.last; ++i)
      d.rate.v[r + i] = v_rate<slab, hilly>(d, h, r + i);
  }
}

/// to = a - b on a row
template <class T>
void subtract(T* to, const T* a, const T* b, Index first, Index last)
{
  HELICITY_SIMD_LOOP
  for (Index i = first; i < last; ++i) to[i] = a[i] - b[i];
}

template <class T>
void start_deviations(const Dynamics<T>& d, const Tile& tile, Index k)
{
  const Variables<T>&x = d.deviation, &a = d.start, &b = d.stage;
  const Index row = d.at(0, tile.j, k), faces = end_of_faces(d, tile);
  subtract(x.rho + row, a.rho + row, b.rho + row, tile.first, tile.last);
  subtract(x.theta + row, a.theta + row, b.theta + row, tile.first, tile.last);
  subtract(x.w + row, a.w + row, b.w + row, tile.first, tile.last);
  subtract(x.u + row, a.u + row, b.u + row, tile.first, faces);
  if (d.has_v) subtract(x.v + row, a.v + row, b.v + row, tile.first, tile.last);
  if (has_row_above(d, tile)) {
    const Index r = row + d.sj;
    subtract(x.v + r, a.v + r, b.v + r, tile.first, tile.last);
  }
  const Index low = tile.first == 0 ? -1 : tile.first;
  const Index from = !d.slab && tile.j == 0 ? -1 : 0, to = has_row_above(d, tile) ? 1 : 0;
  for (Index m = from; m <= to; ++m) {
    const Index r = row + m * d.sj;
    HELICITY_SIMD_LOOP
    for (Index i = low; i < faces; ++i) start_push(d, r + i);
  }
}

template <bool hilly, class T>
void prepare_sweep(const Dynamics<T>& d, const Tile& tile)
{
  const Sweep<T> s = sweep_of(d);
  const Index n = tile.last - tile.first;
  T gain[tile_width] = {}, lower[tile_width] = {};
  for (Index k = 1; k < d.cells.k; ++k) {
    const Level<T> l = d.level[k], above = d.level[k + 1];
    const Beside at = beside_level(d, k);
    const Index row = d.at(tile.first, tile.j, k);
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i) {
      const Eliminated<T> e =
          eliminate<hilly>(d, s, l, above, at, row + i, Eliminated<T>{gain[i], lower[i]});
      gain[i] = e.gain;
      lower[i] = e.lower;
    }
  }
}

template <bool slab, bool hilly, class T>
void prepare(const Dynamics<T>& d, const Tile& tile)
{
  for (Index k = 0; k < d.cells.k; ++k) {
    rates_of_level<slab, hilly>(d, tile, k);
    start_deviations(d, tile, k);
  }
  prepare_sweep<hilly>(d, tile);
}

template <class T>
void prepare_tile(const Dynamics<T>& given, Tile tile)
{
  const Dynamics<T> d = given;
  with_kind(d, [&](auto slab, auto hilly) {
    prepare<decltype(slab)::value, decltype(hilly)::value>(d, tile);
  });
}

template <bool hilly, class T>
void horizontal(const Dynamics<T>& d, const Tile& tile)
{
  const Index first = tile.first == 0 && d.wall_low_i ? 1 : tile.first;
  const Index last = d.wall_high_i ? tile.last : end_of_faces(d, tile);
  const Index low = !d.slab && tile.j == 0 && d.wall_low_j ? 1 : 0;
  const Index high = has_row_above(d, tile) && !d.wall_high_j ? 2 : 1;
  for (Index k = 0; k < d.cells.k; ++k) {
    const Level<T> l = d.level[k];
    const Index row = d.at(0, tile.j, k);
    HELICITY_SIMD_LOOP
    for (Index i = first; i < last; ++i) push_u<hilly>(d, l, row + i);
    if (!d.has_v) continue;
    for (Index m = low; m < high; ++m) {
      const Index r = row + m * d.sj;
      HELICITY_SIMD_LOOP
      for (Index i = tile.first; i < tile.last; ++i) push_v<hilly>(d, l, r + i);
    }
  }
}

template <class T>
void step_horizontal(const Dynamics<T>& given, Tile tile)
{
  const Dynamics<T> d = given;
  if (d.hilly)
    horizontal<true>(d, tile);
  else
    horizontal<false>(d, tile);
}

/// sum += x on a row, or = x in the first acoustic step
template <class T>
void add_flux(const Dynamics<T>& d, T* sum, const T* x, Index n)
{
  if (d.first) {
    std::copy_n(x, n, sum);
    return;
  }
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) sum[i] = sum[i] + x[i];
}

/// @param row  of the first cell of the tile
template <bool slab, class T>
void add_fluxes_across(const Dynamics<T>& d, const Tile& tile, Index row)
{
  if (d.flux_u == nullptr) return;
  add_flux(d, d.flux_u + row, d.deviation.u + row, end_of_faces(d, tile) - tile.first);
  if constexpr (slab) return;
  for (Index m = 0; m < (has_row_above(d, tile) ? 2 : 1); ++m) {
    const Index r = row + m * d.sj;
    add_flux(d, d.flux_v + r, d.deviation.v + r, tile.last - tile.first);
  }
}

/// next = stage + deviation on a row of the tile
template <class T>
void finish_row(const Dynamics<T>& d, const Tile& tile, Index row)
{
  const Variables<T>&to = d.next, &a = d.stage, &b = d.deviation;
  const Index n = tile.last - tile.first;
  const auto add = [=](T* sum, const T* x, const T* y) {
    HELICITY_SIMD_LOOP
    for (Index i = row; i < row + n; ++i) sum[i] = x[i] + y[i];
  };
  add(to.rho, a.rho, b.rho);
  add(to.theta, a.theta, b.theta);
  add(to.u, a.u, b.u);
  if (d.has_v) add(to.v, a.v, b.v);
  add(to.w, a.w, b.w);
}

template <bool slab, bool hilly, class T>
void columns(const Dynamics<T>& d, const Tile& tile)
{
  const Sweep<T> s = sweep_of(d);
  const Index n = tile.last - tile.first;
  T pressure[tile_width], weight[tile_width], lower[tile_width];
  for (Index k = 0; k < d.cells.k; ++k) {
    const Level<T> l = d.level[k], above = d.level[k + 1];
    const Beside at = beside_level(d, k);
    const Index row = d.at(tile.first, tile.j, k);
    add_fluxes_across<slab>(d, tile, row);
    if (k == 0) {
      HELICITY_SIMD_LOOP
      for (Index i = 0; i < n; ++i) {
        const Carried<T> c = sweep_up<slab, hilly>(d, s, l, above, at, row + i, true, Carried<T>{});
        pressure[i] = c.pressure;
        weight[i] = c.weight;
        lower[i] = c.lower;
      }
      continue;
    }
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i) {
      const Carried<T> c = sweep_up<slab, hilly>(d, s, l, above, at, row + i, false,
                                                 Carried<T>{pressure[i], weight[i], lower[i]});
      pressure[i] = c.pressure;
      weight[i] = c.weight;
      lower[i] = c.lower;
    }
  }
  for (Index k = d.cells.k - 1; k >= 0; --k) {
    const Level<T> l = d.level[k], above = d.level[k + 1];
    const Beside at = beside_level(d, k);
    const Index row = d.at(tile.first, tile.j, k);
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i) sweep_down<hilly>(d, s, l, above, at, row + i);
    if (d.flux_w != nullptr && k > 0) add_flux(d, d.flux_w + row, d.deviation.w + row, n);
    if (d.last) finish_row(d, tile, row);
  }
}

template <class T>
void step_columns(const Dynamics<T>& given, Tile tile)
{
  const Dynamics<T> d = given;
  with_kind(d, [&](auto slab, auto hilly) {
    columns<decltype(slab)::value, decltype(hilly)::value>(d, tile);
  });
}

template <class T>
void finish_tile(const Dynamics<T>& d, Tile tile)
{
  for (Index k = 0; k < d.cells.k; ++k) finish_row(d, tile, d.at(tile.first, tile.j, k));
}

template <class T>
inline constexpr DryLoops<T> loops{diagnose_row<T>, prepare_tile<T>, step_horizontal<T>,
                                   step_columns<T>, finish_tile<T>};

}  // namespace

const DryLoops<float>& dry_loops_float() { return loops<float>; }
const DryLoops<double>& dry_loops_double() { return loops<double>; }

}  // namespace HELICITY_ISA
}  // namespace helicity::weather
