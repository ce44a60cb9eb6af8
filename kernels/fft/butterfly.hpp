// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fft/lanes.hpp>

/// Forward DFTs of R points in registers, in place and in order: a[k] = sum_j a[j] w^(jk), with
/// w = exp(-2 pi i / R).

namespace helicity::fft {
namespace HELICITY_ISA {
namespace {

constexpr long double pi = 3.14159265358979323846264338327950288L;

/// Taylor series about 0 for |x| <= pi / 4, from the term `first` on: 0 cosine, 1 sine.
constexpr long double series(long double x, int first)
{
  long double term = first == 0 ? 1 : x;
  long double sum = term;
  for (int n = first; n < 30; n += 2) {
    term *= -x * x / static_cast<long double>((n + 1) * (n + 2));
    sum += term;
  }
  return sum;
}

/// cos(2 pi k / n).
constexpr long double cosine(int k, int n)
{
  k %= n;
  if (2 * k > n) k = n - k;                    // [0, pi]
  const bool left = 4 * k > n;                 // (pi/2, pi]
  const int twice = left ? n - 2 * k : 2 * k;  // angle = pi twice / n, in [0, pi/2]
  const long double value =
      4 * twice <= n ? series(pi * twice / n, 0) : series(pi * (n - 2 * twice) / (2 * n), 1);
  return left ? -value : value;
}

/// sin(2 pi k / n) = cos(2 pi (n - 4 k) / (4 n)).
constexpr long double sine(int k, int n)
{
  const int quarter = (n - 4 * (k % n)) % (4 * n);
  return cosine(quarter < 0 ? -quarter : quarter, 4 * n);
}

template <class T, int V>
HELICITY_HD void dft2(Complex<T, V>& a, Complex<T, V>& b)
{
  const Complex<T, V> sum = a + b;
  b = a - b;
  a = sum;
}

template <class T, int V>
HELICITY_HD void dft4(Complex<T, V>& a0, Complex<T, V>& a1, Complex<T, V>& a2, Complex<T, V>& a3)
{
  const Complex<T, V> even = a0 + a2, even_difference = a0 - a2;
  const Complex<T, V> odd = a1 + a3, odd_difference = minus_i(a1 - a3);
  a0 = even + odd;
  a1 = even_difference + odd_difference;
  a2 = even - odd;
  a3 = even_difference - odd_difference;
}

/// a exp(-i pi / 4).
template <class T, int V>
HELICITY_HD Complex<T, V> times_eighth(Complex<T, V> a)
{
  constexpr T c = static_cast<T>(cosine(1, 8));
  return {(a.re + a.im) * c, (a.im - a.re) * c};
}

/// a exp(-3 i pi / 4).
template <class T, int V>
HELICITY_HD Complex<T, V> times_three_eighths(Complex<T, V> a)
{
  constexpr T c = static_cast<T>(cosine(1, 8));
  return {(a.im - a.re) * c, (a.re + a.im) * -c};
}

template <class T, int V>
HELICITY_HD void dft8(Complex<T, V>* a)
{
  dft4(a[0], a[2], a[4], a[6]);
  dft4(a[1], a[3], a[5], a[7]);
  const Complex<T, V> o1 = times_eighth(a[3]), o2 = minus_i(a[5]), o3 = times_three_eighths(a[7]);
  const Complex<T, V> e0 = a[0], e1 = a[2], e2 = a[4], e3 = a[6], o0 = a[1];
  a[0] = e0 + o0;
  a[4] = e0 - o0;
  a[1] = e1 + o1;
  a[5] = e1 - o1;
  a[2] = e2 + o2;
  a[6] = e2 - o2;
  a[3] = e3 + o3;
  a[7] = e3 - o3;
}

/// Four by four: columns b, b + 4, b + 8, b + 12, the factors exp(-2 pi i b k / 16), rows.
template <class T, int V>
HELICITY_HD void dft16(Complex<T, V>* a)
{
  constexpr T c = static_cast<T>(cosine(1, 16)), s = static_cast<T>(sine(1, 16));
  each<4>([&](auto b) HELICITY_LAMBDA_INLINE {
    dft4(a[b.value], a[b.value + 4], a[b.value + 8], a[b.value + 12]);
  });
  a[5] = times(a[5], c, -s);
  a[9] = times_eighth(a[9]);
  a[13] = times(a[13], s, -c);
  a[6] = times_eighth(a[6]);
  a[10] = minus_i(a[10]);
  a[14] = times_three_eighths(a[14]);
  a[7] = times(a[7], s, -c);
  a[11] = times_three_eighths(a[11]);
  a[15] = times(a[15], -c, s);
  each<4>([&](auto k) HELICITY_LAMBDA_INLINE {
    dft4(a[4 * k.value], a[4 * k.value + 1], a[4 * k.value + 2], a[4 * k.value + 3]);
  });
  Complex<T, V> y[16];
  each<16>([&](auto k) HELICITY_LAMBDA_INLINE { y[k.value] = a[4 * (k.value % 4) + k.value / 4]; });
  each<16>([&](auto k) HELICITY_LAMBDA_INLINE { a[k.value] = y[k.value]; });
}

/// Odd R, from sums and differences of a[j] and a[R - j].
template <int R, class T, int V>
HELICITY_HD void dft_odd(Complex<T, V>* a)
{
  constexpr int h = (R - 1) / 2;
  Complex<T, V> sum[h], difference[h];
  each<h>([&](auto j) HELICITY_LAMBDA_INLINE {
    sum[j.value] = a[j.value + 1] + a[R - 1 - j.value];
    difference[j.value] = a[j.value + 1] - a[R - 1 - j.value];
  });
  const Complex<T, V> first = a[0];
  each<h>([&](auto j) HELICITY_LAMBDA_INLINE { a[0] = a[0] + sum[j.value]; });
  each<h>([&](auto k) HELICITY_LAMBDA_INLINE {
    Complex<T, V> p = first, q = {};
    each<h>([&](auto j) HELICITY_LAMBDA_INLINE {
      constexpr T c = static_cast<T>(cosine((j.value + 1) * (k.value + 1), R));
      constexpr T s = static_cast<T>(sine((j.value + 1) * (k.value + 1), R));
      p.re = p.re + sum[j.value].re * c;
      p.im = p.im + sum[j.value].im * c;
      if constexpr (j.value == 0) {
        q = {difference[0].re * s, difference[0].im * s};
      } else {
        q.re = q.re + difference[j.value].re * s;
        q.im = q.im + difference[j.value].im * s;
      }
    });
    a[k.value + 1] = {p.re + q.im, p.im - q.re};
    a[R - 1 - k.value] = {p.re - q.im, p.im + q.re};
  });
}

template <int R, class T, int V>
HELICITY_HD void dft(Complex<T, V>* a)
{
  if constexpr (R == 2)
    dft2(a[0], a[1]);
  else if constexpr (R == 4)
    dft4(a[0], a[1], a[2], a[3]);
  else if constexpr (R == 8)
    dft8(a);
  else if constexpr (R == 16)
    dft16(a);
  else
    dft_odd<R>(a);
}

}  // namespace
}  // namespace HELICITY_ISA
}  // namespace helicity::fft
