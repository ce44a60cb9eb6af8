// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fft/passes.hpp>

/// DFTs of real lines, and cosine and sine transforms made of them, one line in each lane.

namespace helicity::fft {
namespace HELICITY_ISA {
namespace {

/// Places k and m - k of the DFT of 2 m real numbers from those of the DFT of m complex ones:
/// even + w odd, and the conjugate of even - w odd; w = exp(-2 pi i k / (2 m)).
template <class T, int V, class W>
HELICITY_HD void unpack_pair(Complex<T, V>& a, Complex<T, V>& b, W re, W im)
{
  const Complex<T, V> even{a.re + b.re, a.im - b.im};
  const Complex<T, V> odd = minus_i(times(Complex<T, V>{a.re - b.re, a.im + b.im}, re, im));
  a = {(even.re + odd.re) * T(0.5), (even.im + odd.im) * T(0.5)};
  b = {(even.re - odd.re) * T(0.5), (odd.im - even.im) * T(0.5)};
}

/// The conjugates of what the inverse DFT of m complex numbers wants, from places k and m - k.
template <class T, int V, class W>
HELICITY_HD void pack_pair(Complex<T, V>& a, Complex<T, V>& b, W re, W im)
{
  const Complex<T, V> even{a.re + b.re, a.im - b.im};
  const Complex<T, V> odd = times(Complex<T, V>{a.re - b.re, a.im + b.im}, re, -im);
  a = {even.re - odd.im, -(even.im + odd.re)};
  b = {even.re + odd.im, even.im - odd.re};
}

/// Forward DFT of program.real_n numbers in each lane: places 0 ... real_n / 2 to `out`, which has
/// room for real_n + 1. Changes `x`.
template <class T, int V>
void real_forward(const LineProgram<T>& program, T* x, Split<T, V> out, T* work)
{
  const Index n = program.real_n, m = n / 2;
  if (n % 2 == 1) {
    for (Index i = 0; i < n; ++i) out.put(i, {load<T, V>(x + i * V), Lanes<T, V>{}});
    line_in_place<T, V>(program.line, out.base, work);
    return out.put(0, {out.get(0).re, Lanes<T, V>{}});
  }
  const Split<T, V> z{x};
  line_in_place<T, V>(program.line, x, work);
  const Complex<T, V> z0 = z.get(0);
  out.put(0, {z0.re + z0.im, Lanes<T, V>{}});
  out.put(m, {z0.re - z0.im, Lanes<T, V>{}});
  const T* const re = program.half;
  const T* const im = re + m / 2 + 1;
  for (Index k = 1; 2 * k < m; ++k) {
    Complex<T, V> a = z.get(k), b = z.get(m - k);
    unpack_pair(a, b, re[k], im[k]);
    out.put(k, a);
    out.put(m - k, b);
  }
  if (m % 2 == 0) {
    const Complex<T, V> middle = z.get(m / 2);
    out.put(m / 2, {middle.re, -middle.im});
  }
}

/// Backward DFT (not scaled) of a half spectrum of room for real_n + 1: real_n real numbers to `x`.
/// Changes `in`; imaginary parts of places 0 and, for even real_n, real_n / 2 are not looked at.
template <class T, int V>
void real_backward(const LineProgram<T>& program, Split<T, V> in, T* x, T* work)
{
  const Index n = program.real_n, m = n / 2;
  if (n % 2 == 1) {
    in.put(0, {in.get(0).re, Lanes<T, V>{}});
    for (Index k = 1; k <= m; ++k) {
      const Complex<T, V> z = in.get(k);
      in.put(n - k, z);
      in.put(k, {z.re, -z.im});
    }
    line_in_place<T, V>(program.line, in.base, work);
    for (Index i = 0; i < n; ++i) store<T, V>(x + i * V, in.get(i).re);
    return;
  }
  const Split<T, V> z{x};
  const Lanes<T, V> first = in.get(0).re, last = in.get(m).re;
  z.put(0, {first + last, last - first});
  const T* const re = program.half;
  const T* const im = re + m / 2 + 1;
  for (Index k = 1; 2 * k < m; ++k) {
    Complex<T, V> a = in.get(k), b = in.get(m - k);
    pack_pair(a, b, re[k], im[k]);
    z.put(k, a);
    z.put(m - k, b);
  }
  if (m % 2 == 0) {
    const Complex<T, V> middle = in.get(m / 2);
    z.put(m / 2, {middle.re * T(2), middle.im * T(2)});
  }
  line_in_place<T, V>(program.line, x, work);
  for (Index i = 0; i < m; ++i) store<T, V>(x + (2 * i + 1) * V, -z.get(i).im);
}

/// Real numbers of V lanes.
template <class T, int V>
struct Numbers
{
  T* base;
  HELICITY_HD Lanes<T, V> get(Index i) const { return load<T, V>(base + i * V); }
  HELICITY_HD void put(Index i, Lanes<T, V> x) const { store<T, V>(base + i * V, x); }
};

/// What the transforms below work on: `n` numbers in x, replaced by `n` numbers; y and z are room
/// for real_n numbers and real_n + 1 complex ones.
template <class T, int V>
struct RealLine
{
  const LineProgram<T>& program;
  Numbers<T, V> x, y;
  Split<T, V> z;
  T* work;
};

/// Both even and odd extension, of length 2 (n - 1) and 2 (n + 1).
template <class T, int V>
void run_dct1(const RealLine<T, V>& l)
{
  const Index n = l.program.n, size = l.program.real_n;
  for (Index i = 0; i < n; ++i) l.y.put(i, l.x.get(i));
  for (Index i = 1; i + 1 < n; ++i) l.y.put(size - i, l.x.get(i));
  real_forward<T, V>(l.program, l.y.base, l.z, l.work);
  for (Index i = 0; i < n; ++i) l.x.put(i, l.z.get(i).re);
}

template <class T, int V>
void run_dst1(const RealLine<T, V>& l)
{
  const Index n = l.program.n, size = l.program.real_n;
  l.y.put(0, Lanes<T, V>{});
  l.y.put(n + 1, Lanes<T, V>{});
  for (Index i = 0; i < n; ++i) {
    l.y.put(i + 1, l.x.get(i));
    l.y.put(size - 1 - i, -l.x.get(i));
  }
  real_forward<T, V>(l.program, l.y.base, l.z, l.work);
  for (Index i = 0; i < n; ++i) l.x.put(i, -l.z.get(i + 1).im);
}

/// Makhoul (1980): even places upwards, odd ones downwards. `sine` turns DCT into DST.
template <class T, int V>
void run_dct2(const RealLine<T, V>& l, bool sine)
{
  const Index n = l.program.n;
  const T* const turn = l.program.turn;
  for (Index i = 0; 2 * i < n; ++i) l.y.put(i, l.x.get(2 * i));
  for (Index i = 0; 2 * i + 1 < n; ++i)
    l.y.put(n - 1 - i, sine ? -l.x.get(2 * i + 1) : l.x.get(2 * i + 1));
  real_forward<T, V>(l.program, l.y.base, l.z, l.work);
  for (Index k = 0; 2 * k <= n; ++k) {
    const Complex<T, V> v = times(l.z.get(k), turn[2 * k], turn[2 * k + 1]);
    const Index mirror = n - k;
    l.x.put(sine ? n - 1 - k : k, v.re * T(2));
    if (k > 0 && mirror != k) l.x.put(sine ? n - 1 - mirror : mirror, v.im * T(-2));
  }
}

template <class T, int V>
void run_dct3(const RealLine<T, V>& l, bool sine)
{
  const Index n = l.program.n;
  const T* const turn = l.program.turn;
  l.z.put(0, {l.x.get(sine ? n - 1 : 0), Lanes<T, V>{}});
  for (Index k = 1; 2 * k <= n; ++k) {
    const Lanes<T, V> a = l.x.get(sine ? n - 1 - k : k), b = l.x.get(sine ? k - 1 : n - k);
    l.z.put(k, times(Complex<T, V>{a, -b}, turn[2 * k], -turn[2 * k + 1]));
  }
  real_backward<T, V>(l.program, l.z, l.y.base, l.work);
  for (Index i = 0; 2 * i < n; ++i) l.x.put(2 * i, l.y.get(i));
  for (Index i = 0; 2 * i + 1 < n; ++i)
    l.x.put(2 * i + 1, sine ? -l.y.get(n - 1 - i) : l.y.get(n - 1 - i));
}

/// Even n: one complex DFT of n / 2 numbers x[2 i] + i x[n - 1 - 2 i], turned before and after.
template <class T, int V>
void run_dct4_even(const RealLine<T, V>& l, bool sine)
{
  const Index n = l.program.n, m = n / 2;
  const T* const turn = l.program.turn;
  const Split<T, V> z = l.z;
  for (Index i = 0; i < m; ++i) {
    const Lanes<T, V> a = l.x.get(2 * i), b = l.x.get(n - 1 - 2 * i);
    z.put(i, times(Complex<T, V>{sine ? b : a, sine ? a : b}, turn[2 * i], turn[2 * i + 1]));
  }
  line_in_place<T, V>(l.program.line, z.base, l.work);
  for (Index k = 0; k < m; ++k) {
    const Complex<T, V> y = times(z.get(k), turn[2 * k], turn[2 * k + 1]);
    l.x.put(2 * k, y.re * T(2));
    l.x.put(n - 1 - 2 * k, y.im * (sine ? T(2) : T(-2)));
  }
}

/// Odd n: cos(2 pi a b / (8 n)) with odd a, b. Up to sign each has one image that is n mod 8, so
/// that with a = n + 8 t, b = n + 8 u the sum is a real DFT of n points, permuted and turned by
/// n / 8 of a circle.
template <class T, int V>
void run_dct4_odd(const RealLine<T, V>& l, bool sine)
{
  const Index n = l.program.n;
  const Index* const from = l.program.place;
  const Index* const source = from + n;
  const T* const sign = l.program.sign;
  const T* const turn = l.program.turn;
  for (Index t = 0; t < n; ++t) l.y.put(t, l.x.get(sine ? n - 1 - from[t] : from[t]) * sign[t]);
  real_forward<T, V>(l.program, l.y.base, l.z, l.work);
  for (Index u = 0; u < n; ++u) {
    const Index r = source[u], k = from[u];
    const Complex<T, V> y = l.z.get(2 * r > n ? n - r : r);
    const Lanes<T, V> im = 2 * r > n ? -y.im : y.im;
    const T f = sine && k % 2 == 1 ? -sign[u] : sign[u];
    l.x.put(k, (y.re * turn[0] + im * turn[1]) * f);
  }
}

template <class T, int V>
void run_real_line(const RealLine<T, V>& l)
{
  const bool even = l.program.n % 2 == 0;
  switch (l.program.kind) {
    case LineKind::dct1: return run_dct1<T, V>(l);
    case LineKind::dct2: return run_dct2<T, V>(l, false);
    case LineKind::dct3: return run_dct3<T, V>(l, false);
    case LineKind::dct4: return even ? run_dct4_even<T, V>(l, false) : run_dct4_odd<T, V>(l, false);
    case LineKind::dst1: return run_dst1<T, V>(l);
    case LineKind::dst2: return run_dct2<T, V>(l, true);
    case LineKind::dst3: return run_dct3<T, V>(l, true);
    case LineKind::dst4: return even ? run_dct4_even<T, V>(l, true) : run_dct4_odd<T, V>(l, true);
    default: return;
  }
}

}  // namespace
}  // namespace HELICITY_ISA
}  // namespace helicity::fft
