// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

/// Transforms along one axis: what the steps of a plan are made of. Defined in kernels/fft.

namespace helicity::fft::detail {

/// What is done with a line of numbers.
enum class LineKind : std::uint8_t {
  c2c,
  r2c,
  c2r,
  dct1,
  dct2,
  dct3,
  dct4,
  dst1,
  dst2,
  dst3,
  dst4
};

constexpr bool reads_real(LineKind kind) { return kind != LineKind::c2c && kind != LineKind::c2r; }
constexpr bool writes_real(LineKind kind) { return kind != LineKind::c2c && kind != LineKind::r2c; }

/// One-dimensional transform of n points in space.
struct LineRequest
{
  LineKind kind = LineKind::c2c;
  bool backward = false;  ///< c2c: exp(+2 pi i j k / n)
  Index n = 0;
  double scale = 1;
  bool orthonormal_ends =
      false;  ///< cosine and sine kinds: ends weighted so that rows are orthogonal
  Index turn_n =
      0;  ///< c2c: result k of column c is multiplied by exp(-+2 pi i k c / turn_n); 0: not
};

/// Lines next to each other. Offsets and strides in real numbers (a complex number is two).
template <class T>
struct LineBatch
{
  const T* in = nullptr;
  T* out = nullptr;
  Index in_row = 0, in_column = 0, out_row = 0, out_column = 0;
  Index columns = 0;
  Index first_column = 0;  ///< for turn_n
  T* work = nullptr;       ///< work_numbers(), aligned to 64 bytes
};

template <class T>
class LineTransform
{
 public:
  virtual ~LineTransform() = default;

  /// Real numbers of work space for a call of run().
  virtual Index work_numbers() const = 0;

  /// Whether lines whose numbers follow each other are best done one by one.
  virtual bool works_within() const = 0;

  /// Transforms all columns. A line may be overwritten by its own result.
  virtual void run(const LineBatch<T>& batch) const = 0;

  /// Passes over a line: "16 x 8 x 8".
  virtual std::string describe() const = 0;
};

/// @throws RuntimeFault if there is not enough memory for its tables
template <class T>
std::shared_ptr<const LineTransform<T>> make_line(const LineRequest& request);

/// Factors n1 n2 = n for which a line of n numbers is best done in two rounds through memory; {0,
/// 0} if it is not.
struct LongSplit
{
  Index n1 = 0, n2 = 0;
};
LongSplit long_split(Index n, std::size_t bytes_of_number);

}  // namespace helicity::fft::detail
