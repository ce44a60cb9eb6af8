// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/grid/field.hpp>

#include <array>
#include <cstdint>

namespace helicity::grid {

/// What stands beyond an end of the domain.
enum class BoundaryKind : std::uint8_t {
  periodic,  ///< the other end: comm::HaloExchange fills it
  wall,      ///< reflection about a solid wall
  symmetry,  ///< reflection about a plane
  inflow,    ///< a fixed value
  outflow,   ///< zero gradient
  user       ///< what the caller writes afterwards, with for_cells
};

/// Sign of a variable's reflection.
enum class Parity : std::uint8_t {
  even,  ///< ghost = mirror: scalars, velocity along a symmetry plane or a wall with slip
  odd    ///< ghost = 2 * value - mirror: velocity normal to the plane, or on a wall without slip
};

/// What one variable does at one face of the domain.
struct FaceCondition
{
  BoundaryKind kind = BoundaryKind::periodic;
  double value = 0;  ///< inflow: in the halo; odd reflection: on the plane itself
  Parity parity = Parity::even;
};

/// Faces of the domain: low and high end of i, of j, of k.
using FaceConditions = std::array<FaceCondition, 6>;
using FaceFlags = std::array<bool, 6>;

/// Fills the halo of one component beyond those ends of the domain that this rank has, edges and
/// corners too: i, then j, then k, each over the whole width of the field with its halo, so that
/// the last axis decides in corners. Halos between ranks and across periodic ends come first
/// (comm::HaloExchange). An axis along which the field has no halo is left alone.
///
/// Cell centres and faces along the plane: the plane lies half a cell beyond the last centre.
/// Faces across it (Stagger::face_i at the ends of i, ...): the plane holds face 0 or face n. Odd
/// reflection and inflow set that face to `value`; outflow gives it the value of the next face
/// inside; even reflection leaves it as it is, but for the reflection about it.
///
/// @param at_end  whether the rank's cells reach that face of the domain
/// @throws UsageError if a component is not there, or a reflection is wider than the owned cells
/// @note asynchronous on CUDA. T is float or double.
template <class T>
HELICITY_EXPORT void fill_boundary(const Executor& executor, Field<T>& field, int component,
                                   const FaceConditions& conditions, const FaceFlags& at_end);

extern template HELICITY_EXPORT void fill_boundary(const Executor&, Field<float>&, int,
                                                   const FaceConditions&, const FaceFlags&);
extern template HELICITY_EXPORT void fill_boundary(const Executor&, Field<double>&, int,
                                                   const FaceConditions&, const FaceFlags&);

}  // namespace helicity::grid
