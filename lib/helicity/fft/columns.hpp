// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

#include <memory>
#include <vector>

namespace helicity::fft {

/// Tridiagonal equations, one column per mode (i, j), over levels k that ranks share, one range
/// each, ascending by rank:
///   lower[k] x[k-1] - (lower[k] + upper[k] + minus(i, j)) x[k] + upper[k] x[k+1] = f[k]
struct ColumnEquations
{
  Index modes_i = 1, modes_j = 1;
  Index levels = 1;       ///< of all ranks
  Index first = 0;        ///< level that this rank begins with
  Index count = 1;        ///< levels of this rank
  bool periodic = false;  ///< level -1 is levels - 1; else lower[0] = upper[levels - 1] = 0
  std::vector<double> lower, upper;      ///< of all levels
  std::vector<double> minus_i, minus_j;  ///< minus(i, j) = minus_i[i] + minus_j[j] >= 0
  bool complex_values = false;           ///< values are pairs (re, im)
};

/// Solves ColumnEquations by elimination from level 0 upwards and back. Ranks pass planes on in
/// pieces, so that they work at the same time; the bits do not depend on how many there are. The
/// column whose minus is 0 everywhere and that no end holds fast is singular: its x at the last
/// level is 0 (periodic: level - 1 too is solved with it), which any f that sums to 0 allows.
/// T = float or double. All functions are collective.
template <class T>
class HELICITY_EXPORT Columns
{
 public:
  /// @throws UsageError if there are fewer than 3 levels along a periodic axis, or sizes differ
  Columns(const ColumnEquations& equations, const comm::Communicator& comm, Cpu exec);
  ~Columns();
  Columns(Columns&&) noexcept;
  Columns& operator=(Columns&&) noexcept;

  /// f becomes x. Element (i, j, k) of a complex column lies at f + 2 i + j sj + k sk, strides in
  /// T's.
  void solve(T* f, Index sj, Index sk);

  std::size_t bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace helicity::fft
