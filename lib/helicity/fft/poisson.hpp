// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace helicity::fft {

/// What a solution does at both ends of an axis of cell centres.
enum class Ends : std::uint8_t {
  periodic,
  neumann,   ///< no slope half a cell beyond the last centre
  dirichlet  ///< 0 half a cell beyond the last centre
};

/// Poisson's equation (shift = 0) or Helmholtz's, with second differences, on a grid that may be
/// stretched along k:
///   x_ii / dx2 + x_jj / dy2 + lower[k] (x[k-1] - x[k]) + upper[k] (x[k+1] - x[k]) - shift x = f
/// so that the solution is the exact inverse of the same differences, to rounding.
struct PoissonSetup
{
  Index3 cells{1, 1, 1};
  std::array<double, 2> spacing{1, 1};  ///< along i, j
  std::array<Ends, 2> across{Ends::periodic, Ends::periodic};
  bool periodic_k = false;
  /// 1 / (thickness of k times distance to k - 1, k + 1); 0 beyond an end without slope; empty: one
  /// level.
  std::vector<double> lower, upper;
  double shift = 0;  ///< >= 0
};

/// Solver by transforms along i and j and elimination along k. Ranks share levels, one range each:
/// nothing is transposed, and each piece of a plane travels up and down once. The bits do not
/// depend on ranks, threads or instruction set. Where the equation leaves a constant free (no
/// dirichlet end, shift = 0) f must sum to 0, weighted with the thickness; the constant is of no
/// meaning. T = float or double. Functions are collective.
template <class T>
class HELICITY_EXPORT Poisson
{
 public:
  /// @param decomposition  of setup.cells, split along k only
  /// @throws UsageError for another split, sizes that differ, a negative shift, or an executor that
  ///   this build cannot serve
  Poisson(const PoissonSetup& setup, const comm::Communicator& comm,
          const comm::Decomposition& decomposition, const Executor& executor);
  ~Poisson();
  Poisson(Poisson&&) noexcept;
  Poisson& operator=(Poisson&&) noexcept;

  /// f on the owned cells becomes x. The view has always the same strides.
  void solve(View3<T> f);

  std::size_t bytes() const;  ///< beside f

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace helicity::fft
