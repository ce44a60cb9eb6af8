// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/buffer.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/fft/view.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Discrete Fourier, cosine and sine transforms over one to three axes of strided views.
///
///     std::vector<std::complex<double>> a(n0 * n1 * n2);
///     auto view = fft::dense(a.data(), {n0, n1, n2});
///     auto plan = fft::make_plan(Cpu{threads}, view, view,
///                                {{0, 1, 2}, fft::Direction::forward, fft::Norm::backward});
///     auto scratch = plan.make_scratch();
///     plan.execute(a.data(), a.data(), scratch.span());

namespace helicity::fft {

/// Sign of the exponent: forward is X[k] = sum_j x[j] exp(-2 pi i j k / n).
enum class Direction : std::uint8_t { forward, backward };

/// Factor of the results, with N the product of the logical sizes of the axes: none 1; forward 1/N
/// in forward transforms; backward 1/N in backward ones; ortho 1/sqrt(N) in both.
enum class Norm : std::uint8_t { none, forward, backward, ortho };

/// Cosine and sine transforms, in FFTW's convention (REDFT00, 10, 01, 11, RODFT00, 10, 01, 11):
/// not scaled, dct2 is X[k] = 2 sum_j x[j] cos(pi (j + 1/2) k / n). Their logical sizes are 2 n,
/// for dct1 2 (n - 1), for dst1 2 (n + 1). Direction::backward does the inverse of the kind named:
/// 2 and 3 change places. Norm::ortho also weights the ends so that the matrix is orthogonal.
enum class Kind : std::uint8_t { dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

/// What to transform. There is no default for the norm.
struct Transform
{
  Transform(std::vector<int> axes_in, Direction direction_in, Norm norm_in)
      : axes(std::move(axes_in)), direction(direction_in), norm(norm_in)
  {}

  std::vector<int> axes;  ///< 1 to 3 dimensions; real-to-complex kinds halve the first named
  Direction direction;
  Norm norm;
  std::vector<Kind> kinds = {};  ///< real to real: one for each axis
  double scale = 1;              ///< further factor of the results
  bool allow_destroy = false;    ///< complex to real over several axes may overwrite its input
};

namespace detail {
template <class T>
class PlanState;

template <class T>
struct RealOf
{
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>>
{
  using type = T;
};
}  // namespace detail

/// Transform of fixed shape, strides and place (in place or not). Move-only.
template <class In, class Out>
class HELICITY_EXPORT Plan
{
 public:
  using Real = typename detail::RealOf<Out>::type;

  explicit Plan(std::unique_ptr<const detail::PlanState<Real>> state);
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  /// Bytes that execute() needs besides input and output.
  std::size_t scratch_bytes() const;

  /// Memory of that size. @throws RuntimeFault if there is not so much
  Buffer<std::byte> make_scratch() const;

  /// Transforms views of the planned extents and strides at these addresses. The input is kept,
  /// but in place and with allow_destroy.
  /// @pre scratch is used by no other call at the same time
  /// @throws UsageError if addresses are equal (different) in a plan out of (in) place, if the two
  ///   overlap otherwise, or if scratch is too small
  /// @note thread-safe; allocates no room for numbers; returns when the results are there
  void execute(const In* in, Out* out, std::span<std::byte> scratch) const;

  /// Steps, one a line: axis, passes over it, scratch.
  std::string describe() const;

 private:
  std::unique_ptr<const detail::PlanState<Real>> state_;
};

namespace detail {
template <class In, class Out>
HELICITY_EXPORT Plan<In, Out> plan_views(const Executor& exec, View<const In> in, View<Out> out,
                                         const Transform& transform);
}  // namespace detail

/// Plans a transform between complex views (extents equal), from real to complex (the first axis
/// named has n / 2 + 1 places in the complex view), from complex to real, or between real views
/// (`kinds`). Dimensions that are not named are a batch. In place: the same address, and lines that
/// stay where they are (equal strides in bytes; real lines within the room of their complex ones).
///
/// Results do not depend on threads, instruction set, batch or strides: the same line gives the
/// same bits.
/// @throws UsageError for views or axes that do not fit together, zero extents, extents or strides
/// that overflow,
///   output elements or input and output that overlap, a kind too short for its axis, or an
///   executor that this build cannot serve
template <class In, class Out>
Plan<std::remove_const_t<In>, Out> make_plan(const Executor& exec, View<In> in, View<Out> out,
                                             const Transform& transform)
{
  return detail::plan_views<std::remove_const_t<In>, Out>(exec, in, out, transform);
}

}  // namespace helicity::fft
