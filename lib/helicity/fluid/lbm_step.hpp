// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>
#include <helicity/fluid/collision.hpp>
#include <helicity/fluid/lattice.hpp>
#include <helicity/grid/box.hpp>

#include <cstdint>

/// Kernels of the in-place lattice Boltzmann step (AA pattern): one copy of the populations. Slot i
/// of a cell is element component i of a Field. The populations of time t stand in one of two ways:
///
///   Layout::own       f_i(x) in slot i of x;
///   Layout::neighbour f_i(x) in slot opposite(i) of x - c_i, where its cell of origin left it.
///
/// A step from `own` reads and writes only the cell's own slots and leaves `neighbour`; a step from
/// `neighbour` reads and writes slots of neighbours and leaves `own`. In both, a cell reads and
/// writes the same places, which no other cell touches: any order of cells gives the same bits.
///
/// Half-way walls need no test in these loops. Slots of solid cells (and of halo cells beyond a
/// wall) are mailboxes, one per link between a fluid cell and a solid one: apply_links puts into
/// them what bounces back before a step from `neighbour`, and takes out what arrived after it.
///
/// @see Bailey, Myre, Walsh, Lilja & Saar (2009), ICPP (AA pattern); Ladd (1994), J. Fluid Mech.
///   271 (moving half-way walls)
namespace helicity::fluid {

enum class Layout : std::uint8_t { own, neighbour };

/// Shifted populations f_i - w_i of a field with one component per velocity.
template <class T>
struct Populations
{
  T* origin = nullptr;  ///< slot 0 of cell (0, 0, 0)
  Index sj = 0, sk = 0, sc = 0;
  Index3 cells;

  HELICITY_HD Index offset(Index i, Index j, Index k) const { return i + j * sj + k * sk; }
};

/// Cells of one row between solids.
struct RowRun
{
  std::int32_t j, k, first, last;
};

/// Where there is fluid: for CPUs runs of cells, for devices a flag per cell (0: fluid). Both null:
/// everywhere.
struct FluidCells
{
  const RowRun* runs = nullptr;
  Index run_count = 0;
  View3<const std::uint8_t> flags;
};

/// Links along a row between fluid cells x + n and solid cells s + n, 0 <= n < length.
template <class T>
struct LinkRun
{
  Index solid;  ///< offset of s, in the slot of the velocity from x to s, from origin
  Index fluid;  ///< offset of x, in the slot of the opposite velocity
  Index length;
  T gain;  ///< -2 w rho c . u_wall / cs^2: what a moving wall adds
};

/// One time step of the cells of a box. @note asynchronous on Cuda; allocates nothing
template <class T>
HELICITY_EXPORT void lbm_step(Cpu exec, LatticeKind lattice, Layout layout, Populations<T> f,
                              grid::Box box, const Relaxation<T>& relaxation,
                              const FluidCells& fluid);
template <class T>
HELICITY_EXPORT void lbm_step(Cuda exec, LatticeKind lattice, Layout layout, Populations<T> f,
                              grid::Box box, const Relaxation<T>& relaxation,
                              const FluidCells& fluid);

/// Fills the mailboxes of links before a step from `neighbour` (before = true), or hands back what
/// arrived in them after it. `links` is in memory of the executor.
template <class T>
HELICITY_EXPORT void apply_links(Cpu exec, Populations<T> f, const LinkRun<T>* links, Index count,
                                 bool before);
template <class T>
HELICITY_EXPORT void apply_links(Cuda exec, Populations<T> f, const LinkRun<T>* links, Index count,
                                 bool before);

/// Density deviation and velocity, four components of `out`; zero in solids.
/// @pre in layout `neighbour` halos and mailboxes are filled
template <class T>
HELICITY_EXPORT void lbm_moments(Cpu exec, LatticeKind lattice, Layout layout,
                                 Populations<const T> f, const Relaxation<T>& relaxation,
                                 View3<const std::uint8_t> flags, Populations<T> out);
template <class T>
HELICITY_EXPORT void lbm_moments(Cuda exec, LatticeKind lattice, Layout layout,
                                 Populations<const T> f, const Relaxation<T>& relaxation,
                                 View3<const std::uint8_t> flags, Populations<T> out);

/// Population i of every cell, whatever the layout; zero in solids. @pre as lbm_moments
template <class T>
HELICITY_EXPORT void lbm_population(Cpu exec, LatticeKind lattice, Layout layout,
                                    Populations<const T> f, int i, View3<const std::uint8_t> flags,
                                    View3<T> out);
template <class T>
HELICITY_EXPORT void lbm_population(Cuda exec, LatticeKind lattice, Layout layout,
                                    Populations<const T> f, int i, View3<const std::uint8_t> flags,
                                    View3<T> out);

/// Sets layout `own` to the equilibrium of `macroscopic` (four components, as lbm_moments) plus the
/// part that its velocity gradient makes: components 4 to 9 hold the strain rate xx, yy, zz, xy,
/// xz, yz if has_strain.
template <class T>
HELICITY_EXPORT void lbm_set_moments(Cpu exec, LatticeKind lattice,
                                     Populations<const T> macroscopic, bool has_strain,
                                     const Relaxation<T>& relaxation, Populations<T> f);
template <class T>
HELICITY_EXPORT void lbm_set_moments(Cuda exec, LatticeKind lattice,
                                     Populations<const T> macroscopic, bool has_strain,
                                     const Relaxation<T>& relaxation, Populations<T> f);

/// First cell in global order whose moments (lbm_moments' output) are not finite, whose density is
/// not positive or whose speed is above `limit`: its linear index in `global`, or -1.
template <class T>
HELICITY_EXPORT std::int64_t first_bad_cell(Cpu exec, Populations<const T> moments, Index3 offset,
                                            Index3 global, T limit);
template <class T>
HELICITY_EXPORT std::int64_t first_bad_cell(Cuda exec, Populations<const T> moments, Index3 offset,
                                            Index3 global, T limit);

}  // namespace helicity::fluid
