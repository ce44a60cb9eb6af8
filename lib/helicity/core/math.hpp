// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

/// Elementary functions of plain multiplications and additions: the same bits on host and device
/// and in lanes of any width, given IEEE arithmetic without contraction. No branches, no tables.
/// T is float or double. Errors are below 2 units in the last place, subnormal results included;
/// special cases are those of C unless stated.
/// @see Tang (1989), ACM TOMS 15, 144 and (1990), ACM TOMS 16, 378 (reductions); Dekker (1971),
///   Numer. Math. 18, 224 (pairs)
namespace helicity::math {

namespace detail {

/// c0 + c1 x + c2 x^2 + ...
template <class T>
HELICITY_HD T polynomial(T, T c0)
{
  return c0;
}

template <class T, class... More>
HELICITY_HD T polynomial(T x, T c0, More... more)
{
  return c0 + x * polynomial(x, more...);
}

template <class T>
struct Format;

template <>
struct Format<float>
{
  using Bits = std::uint32_t;
  static constexpr int fraction = 23;
  static constexpr Bits bias = 127, ones = 0x007fffff;
  static constexpr Bits root_half = 0x3f3504f3;        ///< bits of sqrt(1/2)
  static constexpr float integer = 8388608.0F;         ///< 2^23: low bits of integer + n are n
  static constexpr float rounder = 12582912.0F;        ///< 1.5 * 2^23
  static constexpr float lowest = -104, highest = 89;  ///< exp is 0 below and infinite above
  static constexpr float log2_e = 1.44269504F;
  static constexpr float ln2_high = 0.693145751953125F, ln2_low = 1.42860682030941723e-6F;
  /// (exp(r) - 1 - r) / r^2, |r| <= ln(2) / 2
  HELICITY_HD static float exp_series(float r)
  {
    return polynomial(r, 0.5F, 0.166665763055606383F, 0.0416665537625676384F,
                      0.00836329275303060231F, 0.00139263256181334621F);
  }
  /// (2 atanh(s) - 2 s) / s^3 of z = s^2, s <= (sqrt(2) - 1) / (sqrt(2) + 1)
  HELICITY_HD static float log_series(float z)
  {
    return polynomial(z, 0.666666850954290687F, 0.39988757716604847F, 0.295809859299744226F);
  }
};

template <>
struct Format<double>
{
  using Bits = std::uint64_t;
  static constexpr int fraction = 52;
  static constexpr Bits bias = 1023, ones = 0x000fffffffffffff;
  static constexpr Bits root_half = 0x3fe6a09e667f3bcd;
  static constexpr double integer = 4503599627370496.0;
  static constexpr double rounder = 6755399441055744.0;
  static constexpr double lowest = -746, highest = 710;
  static constexpr double log2_e = 1.4426950408889634;
  static constexpr double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
  HELICITY_HD static double exp_series(double r)
  {
    return polynomial(r, 0.5, 0.166666666666666711, 0.0416666666666666698, 0.00833333333332602495,
                      0.00138888888888836696, 0.000198412698752050768, 0.0000248015873258222821,
                      2.7557254913486702e-6, 2.75572732955397243e-7, 2.51054191920163364e-8,
                      2.09148313513804106e-9);
  }
  HELICITY_HD static double log_series(double z)
  {
    return polynomial(z, 0.666666666666666971, 0.399999999998988905, 0.285714286262538376,
                      0.222222110893794962, 0.181828924325368712, 0.153316117220550079,
                      0.14617807153417325);
  }
};

template <class T>
HELICITY_HD typename Format<T>::Bits bits_of(T x)
{
  typename Format<T>::Bits bits = 0;
  memcpy(&bits, &x, sizeof x);
  return bits;
}

template <class T>
HELICITY_HD T of_bits(typename Format<T>::Bits bits)
{
  T x = 0;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/// exp(x + low). @pre low is below the last place of x, or 0
template <class T>
HELICITY_HD T exp_of_sum(T x, T low)
{
  using F = Format<T>;
  using Bits = typename F::Bits;
  x = x < F::lowest ? F::lowest : x;
  x = x > F::highest ? F::highest : x;
  const T shifted = x * F::log2_e + F::rounder, n = shifted - F::rounder;
  const T r = ((x - n * F::ln2_high) - n * F::ln2_low) + low;
  const T value = T(1) + (r + (r * r) * F::exp_series(r));
  // 2^n as two factors: subnormal results are rounded once
  const Bits power = bits_of(shifted) - bits_of(F::rounder) + 2 * F::bias;
  const Bits half = (power & (4 * F::bias + 3)) >> 1;
  const T first = of_bits<T>(half << F::fraction);
  const T second = of_bits<T>((power - half) << F::fraction);
  return (value * first) * second;
}

/// x = 2^exponent * (1 + f), sqrt(1/2) <= 1 + f < sqrt(2)
template <class T>
struct Parts
{
  T exponent, f;
};

/// @pre x is positive and finite
template <class T>
HELICITY_HD Parts<T> parts_of(T x)
{
  using F = Format<T>;
  using Bits = typename F::Bits;
  const bool subnormal = x < std::numeric_limits<T>::min();
  const Bits bits = bits_of(subnormal ? x * (F::integer * T(4)) : x);
  const Bits from = bits + (Bits{F::bias} << F::fraction) - F::root_half;
  const T biased = of_bits<T>((from >> F::fraction) | bits_of(F::integer)) - F::integer;
  const T exponent = biased - (subnormal ? T(F::bias + F::fraction + 2) : T(F::bias));
  return {exponent, of_bits<T>((from & F::ones) + F::root_half) - T(1)};
}

/// log of positive finite x, else what log gives for it
template <class T>
HELICITY_HD T log_or_special(T x, T log)
{
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const T special = x == T(0) ? -infinity : x > T(0) ? x : std::numeric_limits<T>::quiet_NaN();
  return x > T(0) && x < infinity ? log : special;
}

/// The unevaluated sum of two numbers, `low` below the last place of `high`.
struct Pair
{
  double high, low;
};

/// @pre |a| >= |b|, or a is 0
HELICITY_HD Pair fast_sum(double a, double b)
{
  const double s = a + b;
  return {s, b - (s - a)};
}

HELICITY_HD Pair exact_product(double a, double b)
{
  constexpr double splitter = 134217729;  // 2^27 + 1
  const double p = a * splitter, q = b * splitter;
  const double a1 = p - (p - a), b1 = q - (q - b), a2 = a - a1, b2 = b - b1;
  const double product = a * b;
  return {product, ((a1 * b1 - product) + (a1 * b2 + a2 * b1)) + a2 * b2};
}

HELICITY_HD Pair product(Pair a, Pair b)
{
  const Pair p = exact_product(a.high, b.high);
  return fast_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/// @pre |a| >= |b|, or a is 0
HELICITY_HD Pair sum(Pair a, Pair b)
{
  const Pair s = fast_sum(a.high, b.high);
  return fast_sum(s.high, s.low + (a.low + b.low));
}

/// log(x) to about 2^-68 of itself. @pre x is positive and finite
HELICITY_HD Pair log_pair(double x)
{
  using F = Format<double>;
  const Parts<double> p = parts_of(x);
  const Pair below = fast_sum(2, p.f);
  const double ratio = p.f / below.high;
  const Pair back = exact_product(ratio, below.high);
  const double rest = ((p.f - back.high) - back.low) - ratio * below.low;
  const Pair s = fast_sum(ratio, rest / below.high);
  const Pair z = product(s, s);
  const double tail = polynomial(z.high, 0.285714285714285713, 0.222222222222229532,
                                 0.181818181812978165, 0.153846155255945575, 0.133333146035621151,
                                 0.117660540365896037, 0.104727949954474499, 0.106181939458986026);
  const Pair fifth = sum({0.4, -2.22044604925031308e-17}, exact_product(z.high, tail));
  const Pair third = sum({2.0 / 3, 3.70074341541718847e-17}, product(z, fifth));
  const Pair log = sum({2 * s.high, 2 * s.low}, product(s, product(z, third)));
  return sum(fast_sum(p.exponent * F::ln2_high, p.exponent * F::ln2_low), log);
}

}  // namespace detail

/// e^x
template <class T>
HELICITY_HD T exp(T x)
{
  return detail::exp_of_sum(x, T(0));
}

/// Correctly rounded.
HELICITY_HD float sqrt(float x) { return ::sqrtf(x); }
HELICITY_HD double sqrt(double x) { return ::sqrt(x); }

/// Natural logarithm: -inf of 0, NaN of x < 0.
template <class T>
HELICITY_HD T log(T x)
{
  using F = detail::Format<T>;
  const detail::Parts<T> p = detail::parts_of(x);
  const T s = p.f / (T(2) + p.f), z = s * s, half = T(0.5) * p.f * p.f;
  const T rest = s * (half + z * F::log_series(z)) + p.exponent * F::ln2_low;
  return detail::log_or_special(x, p.exponent * F::ln2_high - ((half - rest) - p.f));
}

/// x^y of x >= 0; 1 where y is 0 or x is 1, whatever the other. NaN of x < 0, whole y included.
template <class T>
HELICITY_HD T pow(T x, T y)
{
  T value = 0;
  if constexpr (sizeof(T) == 4) {
    value = static_cast<T>(exp(static_cast<double>(y) * log(static_cast<double>(x))));
  } else {
    constexpr T most = 36893488147419103232.0, infinity = std::numeric_limits<T>::infinity();
    const T small = y < -most ? -most : y > most ? most : y;
    const detail::Pair p = detail::product(detail::log_pair(x), {small, T(0)});
    const bool ordinary = x > T(0) && x < infinity && p.high > T(-800) && p.high < T(800);
    value = ordinary ? detail::exp_of_sum(p.high, p.low) : exp(y * log(x));
  }
  return y == T(0) || x == T(1) ? T(1) : value;
}

/// Cube root, of negative x too.
template <class T>
HELICITY_HD T cbrt(T x)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double given = static_cast<double>(x), size = given < 0 ? -given : given;
  const bool small = size<0x1p-800, large = size> 0x1p800;
  const double a = size * (small ? 0x1p300 : large ? 0x1p-300 : 1);
  // a third of the exponent, with the fraction as its continuation: to 4 bits
  double t = detail::of_bits<double>(detail::bits_of(a) / 3 + 0x2a9f7893782da1ce);
  for (int n = 0; n < 3; ++n) {  // Halley's iteration
    const double cube = t * t * t;
    t = t * ((cube + (a + a)) / ((cube + cube) + a));
  }
  const detail::Pair square = detail::exact_product(t, t);
  const detail::Pair cube = detail::exact_product(square.high, t);
  t = t + ((a - cube.high) - (cube.low + square.low * t)) / (3 * square.high);
  t = t * (small ? 0x1p-100 : large ? 0x1p100 : 1);
  const double value = given == 0 || !(size < infinity) ? given : given < 0 ? -t : t;
  return static_cast<T>(value);
}

}  // namespace helicity::math
