// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: columns side by side in SIMD lanes.
#include <helicity/grid/simd_loop.hpp>
#include <weather/moist_cells.hpp>
#include <weather/moist_rows.hpp>

#include <type_traits>

namespace helicity::weather {
namespace HELICITY_ISA {
namespace {

/// Copied before loops: what they write can then be none of it.
template <class T>
struct Given
{
  Dynamics<T> d;
  Water<T> w;
  Microphysics<T> m;
};

/// Phase changes of the columns of a tile. @param courant  greatest of every column
template <Scheme scheme, bool hilly, class T>
void change_columns(const Given<T>& given, const Tile& tile, T* courant)
{
  const auto [d, w, m] = given;
  const Index n = tile.last - tile.first;
  for (Index i = 0; i < n; ++i) courant[i] = 0;
  for (Index k = 0; k < d.cells.k; ++k) {
    const Level<T> l = d.level[k];
    const Index row = d.at(tile.first, tile.j, k);
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i)
      courant[i] = most(courant[i], change_cell<scheme, hilly>(d, w, m, l, row + i));
  }
}

/// One substep of a species in the columns of a tile.
/// @param step  of every column   @param above  to work in
template <Scheme scheme, Species species, bool hilly, class T>
void fall(const Given<T>& given, const Tile& tile, const T* step, T* above)
{
  const auto [d, w, m] = given;
  const Index n = tile.last - tile.first;
  for (Index i = 0; i < n; ++i) above[i] = 0;
  for (Index k = d.cells.k - 1; k >= 0; --k) {
    const Level<T> l = d.level[k];
    const Index row = d.at(tile.first, tile.j, k);
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i)
      above[i] = fall_through<scheme, species, hilly>(d, w, m, l, row + i, step[i], above[i]);
  }
  T* fallen = w.fallen + d.at(tile.first, tile.j, 0);
  const T depth = T(1) / d.per_dz;
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) fallen[i] = fallen[i] + above[i] * depth;
}

template <Scheme scheme, bool hilly, class T>
void change_tile(const Given<T>& given, const Tile& tile)
{
  const Microphysics<T>& m = given.m;
  T courant[tile_width], step[tile_width], above[tile_width];
  change_columns<scheme, hilly>(given, tile, courant);
  if constexpr (!rains<scheme>) return;
  const Index n = tile.last - tile.first;
  int substeps[tile_width], last = 1;
  for (Index i = 0; i < n; ++i) {
    substeps[i] = substeps_of(m, courant[i]);
    last = most(last, substeps[i]);
  }
  for (int s = 0; s < last; ++s) {
    for (Index i = 0; i < n; ++i)
      step[i] = s < substeps[i] ? m.step / static_cast<T>(substeps[i]) : T(0);
    fall<scheme, rain, hilly>(given, tile, step, above);
    if constexpr (freezes<scheme>) {
      fall<scheme, cloud_ice, hilly>(given, tile, step, above);
      fall<scheme, snow, hilly>(given, tile, step, above);
      fall<scheme, graupel, hilly>(given, tile, step, above);
    }
  }
}

template <bool hilly, class T>
void change_tile_over(const Given<T>& given, const Tile& tile)
{
  switch (given.m.scheme) {
    case Scheme::condensation: return change_tile<Scheme::condensation, hilly>(given, tile);
    case Scheme::kessler: return change_tile<Scheme::kessler, hilly>(given, tile);
    case Scheme::klemp_wilhelmson: return change_tile<Scheme::klemp_wilhelmson, hilly>(given, tile);
    case Scheme::ice: return change_tile<Scheme::ice, hilly>(given, tile);
  }
}

template <class T>
void change_tile_of(const Dynamics<T>& d, const Water<T>& w, const Microphysics<T>& m, Tile tile)
{
  const Given<T> given{d, w, m};
  if (d.hilly)
    change_tile_over<true>(given, tile);
  else
    change_tile_over<false>(given, tile);
}

template <bool hilly, class T>
void keep(const Dynamics<T>& d, const Water<T>& w, Index j, Index k)
{
  const Level<T> l = d.level[k], below = d.level[k > 0 ? k - 1 : 0];
  const Index row = d.at(0, j, k), n = d.cells.i + halo_width;
  HELICITY_SIMD_LOOP
  for (Index i = 1 - halo_width; i < n; ++i)
    d.start.u[row + i] =
        d.start.u[row + i] * density_ratio<hilly>(d, w, l, row + i - 1, l, row + i);
  if (d.has_v && (d.slab || j > -halo_width)) {
    HELICITY_SIMD_LOOP
    for (Index i = -halo_width; i < n; ++i)
      d.start.v[row + i] =
          d.start.v[row + i] * density_ratio<hilly>(d, w, l, row + i - d.sj, l, row + i);
  }
  if (k == 0) return;
  HELICITY_SIMD_LOOP
  for (Index i = -halo_width; i < n; ++i)
    d.start.w[row + i] =
        d.start.w[row + i] * density_ratio<hilly>(d, w, below, row + i - d.sk, l, row + i);
}

template <class T>
void keep_row(const Dynamics<T>& given, const Water<T>& w, Index j, Index k)
{
  const Dynamics<T> d = given;
  if (d.hilly)
    keep<true>(d, w, j, k);
  else
    keep<false>(d, w, j, k);
}

template <class T>
constexpr MoistLoops<T> loops{change_tile_of<T>, keep_row<T>};

}  // namespace

const MoistLoops<float>& moist_loops_float() { return loops<float>; }
const MoistLoops<double>& moist_loops_double() { return loops<double>; }

}  // namespace HELICITY_ISA
}  // namespace helicity::weather
