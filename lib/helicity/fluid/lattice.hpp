// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

#include <cstdint>

namespace helicity::fluid {

/// Velocity sets. Population 0 rests; 2 p + 1 and 2 p + 2 are opposite, p = 0, 1, ...
enum class LatticeKind : std::uint8_t { d2q9, d3q19 };

/// Nine velocities in the plane: rest, axes, diagonals.
/// @see Qian, d'Humieres & Lallemand (1992), Europhys. Lett. 17
struct D2Q9
{
  static constexpr int q = 9;
  static constexpr int dimensions = 2;
  static constexpr int c[q][3] = {{0, 0, 0}, {1, 0, 0},   {-1, 0, 0}, {0, 1, 0}, {0, -1, 0},
                                  {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}};
  static constexpr double w[q] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                                  1. / 36, 1. / 36, 1. / 36, 1. / 36};
};

/// Nineteen velocities in space: rest, axes, edges.
struct D3Q19
{
  static constexpr int q = 19;
  static constexpr int dimensions = 3;
  static constexpr int c[q][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                  {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                  {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                  {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
  static constexpr double w[q] = {1. / 3,  1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18,
                                  1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36,
                                  1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
};

/// The population that moves the other way.
HELICITY_HD constexpr int opposite(int i) { return i == 0 ? 0 : ((i - 1) ^ 1) + 1; }

/// Velocity i as an offset in cells.
template <class L>
constexpr Index3 velocity(int i)
{
  return {L::c[i][0], L::c[i][1], L::c[i][2]};
}

/// Calls f with an object of the velocity set: what picks a kernel's instance at run time.
template <class F>
decltype(auto) with_lattice(LatticeKind kind, F&& f)
{
  if (kind == LatticeKind::d2q9) return f(D2Q9{});
  return f(D3Q19{});
}

}  // namespace helicity::fluid
