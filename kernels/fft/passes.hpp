// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fft/butterfly.hpp>
#include <fft/program.hpp>

/// DFTs of many lines at once, one in each lane, and the passes they consist of.

namespace helicity::fft {
namespace HELICITY_ISA {
namespace {

/// Complex numbers in work space: the real parts of V lanes, then their imaginary parts.
template <class T, int V>
struct Split
{
  T* base;

  HELICITY_HD Complex<T, V> get(Index i) const
  {
    return {load<T, V>(base + 2 * V * i), load<T, V>(base + 2 * V * i + V)};
  }
  HELICITY_HD void put(Index i, Complex<T, V> z) const
  {
    store<T, V>(base + 2 * V * i, z.re);
    store<T, V>(base + 2 * V * i + V, z.im);
  }
};

/// Complex numbers of the caller, V next to each other: imaginary parts are multiplied by `sign`.
template <class T, int V>
struct Source
{
  const T* base;
  Index step;
  T sign;

  HELICITY_HD Complex<T, V> get(Index i) const
  {
    Complex<T, V> z = load_complex<T, V>(base + step * i);
    z.im = z.im * sign;
    return z;
  }
};

/// The same to write to, with a factor for each part.
template <class T, int V>
struct Sink
{
  T* base;
  Index step;
  T re, im;

  HELICITY_HD void put(Index i, Complex<T, V> z) const
  {
    store_complex<T, V>(base + step * i, {z.re * re, z.im * im});
  }
};

template <int R, bool twiddled, class T, int V, class In, class Out>
void pass_radix(const Pass<T>& pass, Index s, const In& from, const Out& to)
{
  const In in = from;
  const Out out = to;
  const Index m = pass.m;
  for (Index p = 0; p < m; ++p) {
    const T* w = pass.twiddle + (p / table_block) * (R - 1) * 2 * table_block + p % table_block;
    for (Index q = 0; q < s; ++q) {
      Complex<T, V> a[R];
      each<R>([&](auto j)
                  HELICITY_LAMBDA_INLINE { a[j.value] = in.get(q + s * (p + m * j.value)); });
      dft<R>(&a[0]);
      out.put(q + s * R * p, a[0]);
      each<R - 1>([&](auto k) HELICITY_LAMBDA_INLINE {
        constexpr int K = k.value + 1;
        constexpr Index at = k.value * 2 * table_block;
        if constexpr (twiddled)
          out.put(q + s * (R * p + K), times(a[K], w[at], w[at + table_block]));
        else
          out.put(q + s * (R * p + K), a[K]);
      });
    }
  }
}

template <class T, int V>
void line_in_place(const Line<T>& line, T* x, T* work);

/// C_q A_q for Rader; both are conjugate, since the DFT that follows stands for an inverse one.
template <class T, int V>
void convolve(const Convolution<T>& c, Split<T, V> x, T* work)
{
  const Index size = c.line.n;
  line_in_place<T, V>(c.line, x.base, work);
  for (Index q = 0; q < size; ++q) {
    const Complex<T, V> product = times(x.get(q), c.kernel[2 * q], c.kernel[2 * q + 1]);
    x.put(q, {product.re, -product.im});
  }
}

template <class T, int V>
void rader(const Convolution<T>& c, Split<T, V> a, T* work)
{
  const Index size = c.line.n;
  const Split<T, V> x{work};
  T* const rest = work + 2 * V * size;
  for (Index q = 0; q < size; ++q) x.put(q, a.get(c.gather[q]));
  line_in_place<T, V>(c.line, x.base, rest);
  const Complex<T, V> first = a.get(0), sum = x.get(0);
  for (Index q = 0; q < size; ++q) {
    Complex<T, V> product = times(x.get(q), c.kernel[2 * q], c.kernel[2 * q + 1]);
    if (q == 0) product = product + first;
    x.put(q, {product.re, -product.im});
  }
  line_in_place<T, V>(c.line, x.base, rest);
  a.put(0, first + sum);
  for (Index q = 0; q < size; ++q) {
    const Complex<T, V> z = x.get(q);
    a.put(c.scatter[q], {z.re, -z.im});
  }
}

template <class T, int V>
void bluestein(const Convolution<T>& c, Split<T, V> a, T* work)
{
  const Split<T, V> x{work};
  T* const rest = work + 2 * V * c.line.n;
  for (Index j = 0; j < c.n; ++j) x.put(j, times(a.get(j), c.chirp[2 * j], c.chirp[2 * j + 1]));
  for (Index j = c.n; j < c.line.n; ++j) x.put(j, Complex<T, V>{});
  convolve<T, V>(c, x, rest);
  line_in_place<T, V>(c.line, x.base, rest);
  for (Index j = 0; j < c.n; ++j) {
    const Complex<T, V> z = x.get(j);
    a.put(j, times(Complex<T, V>{z.re, -z.im}, c.chirp[2 * j], c.chirp[2 * j + 1]));
  }
}

template <class T, int V>
void transform_in_place(const Convolution<T>& c, Split<T, V> a, T* work)
{
  if (c.rader)
    rader<T, V>(c, a, work);
  else
    bluestein<T, V>(c, a, work);
}

/// A pass whose radix is a large prime: points are gathered into work space.
template <bool twiddled, class T, int V, class In, class Out>
void pass_prime(const Pass<T>& pass, Index s, const In& in, const Out& out, T* work)
{
  const Index m = pass.m, radix = pass.radix;
  const Split<T, V> a{work};
  for (Index p = 0; p < m; ++p) {
    const T* w = pass.twiddle + (p / table_block) * (radix - 1) * 2 * table_block + p % table_block;
    for (Index q = 0; q < s; ++q) {
      for (Index j = 0; j < radix; ++j) a.put(j, in.get(q + s * (p + m * j)));
      transform_in_place<T, V>(*pass.convolution, a, work + 2 * V * radix);
      out.put(q + s * radix * p, a.get(0));
      for (Index k = 1; k < radix; ++k) {
        const T* const f = w + (k - 1) * 2 * table_block;
        Complex<T, V> z = a.get(k);
        if constexpr (twiddled) z = times(z, f[0], f[table_block]);
        out.put(q + s * (radix * p + k), z);
      }
    }
  }
}

/// One pass over complex numbers of V lanes; `s` counts them.
template <bool twiddled, class T, int V, class In, class Out>
__attribute__((noinline)) void run_pass(const Pass<T>& pass, Index s, const In& in, const Out& out,
                                        T* work)
{
  switch (pass.radix) {
    case 2: return pass_radix<2, twiddled, T, V>(pass, s, in, out);
    case 3: return pass_radix<3, twiddled, T, V>(pass, s, in, out);
    case 4: return pass_radix<4, twiddled, T, V>(pass, s, in, out);
    case 5: return pass_radix<5, twiddled, T, V>(pass, s, in, out);
    case 7: return pass_radix<7, twiddled, T, V>(pass, s, in, out);
    case 8: return pass_radix<8, twiddled, T, V>(pass, s, in, out);
    case 11: return pass_radix<11, twiddled, T, V>(pass, s, in, out);
    case 13: return pass_radix<13, twiddled, T, V>(pass, s, in, out);
    case 16: return pass_radix<16, twiddled, T, V>(pass, s, in, out);
    case 17: return pass_radix<17, twiddled, T, V>(pass, s, in, out);
    case 19: return pass_radix<19, twiddled, T, V>(pass, s, in, out);
    default: return pass_prime<twiddled, T, V>(pass, s, in, out, work);
  }
}

/// The passes from `first` on but the last, from x to y and back; tells where the numbers are.
/// Strides of the passes count groups of `unit` numbers.
template <class T, int V>
T* middle_passes(const Line<T>& line, Index first, Index unit, T* x, T* y, T* work)
{
  for (Index i = first; i + 1 < line.pass_count; ++i) {
    run_pass<true, T, V>(line.pass[i], line.pass[i].s / unit, Split<T, V>{x}, Split<T, V>{y}, work);
    T* const other = x;
    x = y;
    y = other;
  }
  return x;
}

/// DFT of lines side by side, from `in` to `out`, which may be the same numbers.
template <class T, int V, class In, class Out>
void run_line(const Line<T>& line, const In& in, const Out& out, T* work)
{
  const Split<T, V> x{work}, y{work + 2 * V * line.n};
  T* const rest = y.base + 2 * V * line.n;
  if (line.pass_count == 1) return run_pass<false, T, V>(line.pass[0], 1, in, out, rest);
  if (line.pass_count == 0) {
    for (Index i = 0; i < line.n; ++i) x.put(i, in.get(i));
    if (line.convolution != nullptr) transform_in_place<T, V>(*line.convolution, x, y.base);
    for (Index i = 0; i < line.n; ++i) out.put(i, x.get(i));
    return;
  }
  run_pass<true, T, V>(line.pass[0], 1, in, x, rest);
  T* const at = middle_passes<T, V>(line, 1, 1, x.base, y.base, rest);
  const Pass<T>& last = line.pass[line.pass_count - 1];
  run_pass<false, T, V>(last, last.s, Split<T, V>{at}, out, rest);
}

template <class T, int V>
void line_in_place(const Line<T>& line, T* x, T* work)
{
  run_line<T, V>(line, Split<T, V>{x}, Split<T, V>{x}, work);
}

}  // namespace
}  // namespace HELICITY_ISA
}  // namespace helicity::fft
