// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace helicity {

/// Digit of a double on a fixed grid: v = sum over levels of digit * 2^(width * level + lowest).
/// Levels are absolute, so that integer sums of digits depend on nothing but the numbers summed.
namespace exact {

constexpr int width = 26;      ///< bits of a digit
constexpr int lowest = -1074;  ///< exponent of the unit of level 0
constexpr int levels = (1024 - lowest) / width + 3;

HELICITY_HD double power_of_two(int e)  // e in [-1074, 1023]
{
  const std::uint64_t bits =
      e >= -1022 ? static_cast<std::uint64_t>(e + 1023) << 52 : std::uint64_t{1} << (e + 1074);
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

HELICITY_HD int biased_exponent(double v)
{
  std::uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return static_cast<int>(bits >> 52 & 0x7ff);
}

/// Calls add(level, digit) for the digits of v: at most 4, whose sum is v exactly. @pre v is finite
template <class Add>
HELICITY_HD void for_digits(double v, Add&& add)
{
  std::uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  std::uint64_t mantissa = bits & 0xfffffffffffffULL;
  if (biased != 0) mantissa |= 0x10000000000000ULL;
  const int shift = biased == 0 ? 0 : biased - 1;  // v = mantissa * 2^(shift + lowest)
  int level = shift / width;
  int place = shift - level * width;
  const bool negative = (bits >> 63) != 0;
  while (mantissa != 0) {
    const std::uint64_t mask = (std::uint64_t{1} << (width - place)) - 1;
    const auto digit = static_cast<std::int64_t>((mantissa & mask) << place);
    add(level, negative ? -digit : digit);
    mantissa >>= width - place;
    place = 0;
    ++level;
  }
}

}  // namespace exact

/// Exact sum of doubles: the same bits whatever the order and grouping of what is added. Holds
/// 2^36 numbers before normalise() is due. Infinities and NaNs are counted, and decide value().
///
/// Source of the idea: Kulisch (2002), Advanced Arithmetic for the Digital Computer.
class HELICITY_EXPORT ExactSum
{
 public:
  using Digits = std::array<std::int64_t, exact::levels + 3>;  // + counts of +inf, -inf, NaN

  void add(double v)
  {
    if (exact::biased_exponent(v) == 0x7ff) return add_special(v);
    exact::for_digits(v, AddDigit{digits_.data()});
  }

  /// Adds n numbers; fast for numbers of like size.
  void add(const double* v, std::size_t n);

  void add(const ExactSum& other);

  /// Carries: digits are then below 2^26 in size, so that many sums may be added digit by digit.
  void normalise();

  /// The sum, rounded to nearest; infinite past the range of double; NaN if a NaN or infinities of
  /// both signs were added.
  double value() const;

  /// The raw digits, for transport; sums of Digits, element by element, are Digits of the sum.
  Digits& digits() { return digits_; }
  const Digits& digits() const { return digits_; }

 private:
  struct AddDigit  // a host lambda within for_digits would make nvcc warn in users' code
  {
    std::int64_t* digits;
    HELICITY_HD void operator()(int level, std::int64_t digit) const { digits[level] += digit; }
  };

  void add_special(double v);

  Digits digits_{};
};

}  // namespace helicity
