// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fft/real.hpp>

/// Lines whose numbers follow each other, one after the other, with lanes at work within the line.
/// The passes and their arithmetic are those of passes.hpp, and so are the bits.

namespace helicity::fft {
namespace HELICITY_ISA {
namespace {

/// Complex numbers of the caller, contiguous, and what is multiplied to them.
template <class T>
struct RowEnds
{
  const T* in;
  T* out;
  T in_im;           ///< factor of imaginary parts read
  T out_re, out_im;  ///< factors of parts written
};

/// The first pass with V neighbouring p in the lanes. What belongs together afterwards, radix
/// numbers for each p, is brought together by transposing; radix is a multiple of V.
template <int R, class T, int V>
void row_first(const Pass<T>& pass, const Source<T, V>& from, T* out)
{
  const Source<T, V> in = from;
  const Index m = pass.m;
  const Index blocks = (m + table_block - 1) / table_block;
  for (Index p = 0; p < m; p += V) {
    const T* w = pass.twiddle + (p / table_block) * (R - 1) * 2 * table_block + p % table_block;
    if (p + V > m) {  // the last ones again
      p = m - V;
      w = m < table_block ? pass.twiddle + p
                          : pass.twiddle + blocks * (R - 1) * 2 * table_block + table_block - V;
    }
    Complex<T, V> a[R];
    each<R>([&](auto j) HELICITY_LAMBDA_INLINE {
      a[j.value] = load_complex<T, V>(in.base + 2 * (p + m * j.value));
      a[j.value].im = a[j.value].im * in.sign;
    });
    dft<R>(&a[0]);
    each<R - 1>([&](auto k) HELICITY_LAMBDA_INLINE {
      constexpr Index at = k.value * 2 * table_block;
      a[k.value + 1] = times(a[k.value + 1], load<T, V>(w + at), load<T, V>(w + at + table_block));
    });
    each<R / V>([&](auto g) HELICITY_LAMBDA_INLINE {
      Lanes<T, V> re[V], im[V];
      each<V>([&](auto v) HELICITY_LAMBDA_INLINE {
        re[v.value] = a[g.value * V + v.value].re;
        im[v.value] = a[g.value * V + v.value].im;
      });
      transpose<T, V>(&re[0]);
      transpose<T, V>(&im[0]);
      each<V>([&](auto v) HELICITY_LAMBDA_INLINE {
        T* const to = out + 2 * (R * (p + v.value) + g.value * V);
        store<T, V>(to, re[v.value]);
        store<T, V>(to + V, im[v.value]);
      });
    });
  }
}

template <class T, int V>
void run_row_first(const Pass<T>& pass, const Source<T, V>& in, T* out)
{
  if (pass.radix == 16) return row_first<16, T, V>(pass, in, out);
  if constexpr (V <= 8)
    if (pass.radix == 8) return row_first<8, T, V>(pass, in, out);
  if constexpr (V <= 4) row_first<4, T, V>(pass, in, out);
}

template <class T, int V>
void row_lanes(const Line<T>& line, const RowEnds<T>& ends, T* work)
{
  T* const x = work;
  T* const y = x + 2 * line.n;
  T* const rest = y + 2 * line.n;
  run_row_first<T, V>(line.pass[0], Source<T, V>{ends.in, 2 * V, ends.in_im}, x);
  T* const at = middle_passes<T, V>(line, 1, V, x, y, rest);
  const Pass<T>& last = line.pass[line.pass_count - 1];
  run_pass<false, T, V>(last, last.s / V, Split<T, V>{at},
                        Sink<T, V>{ends.out, 2 * V, ends.out_re, ends.out_im}, rest);
}

/// Real parts, then imaginary parts.
template <class T>
struct Planes
{
  T *re, *im;

  template <int V>
  HELICITY_HD Complex<T, V> get(Index i) const
  {
    return {load<T, V>(re + i), load<T, V>(im + i)};
  }
  template <int V>
  HELICITY_HD void put(Index i, Complex<T, V> z) const
  {
    store<T, V>(re + i, z.re);
    store<T, V>(im + i, z.im);
  }
};

/// row_first for any radix of V or more: lanes that would go beyond an end do again what others
/// have done.
template <int R, class T, int V>
void plane_first(const Pass<T>& pass, const Source<T, V>& from, Planes<T> out)
{
  const Source<T, V> in = from;
  const Index m = pass.m;
  const Index blocks = (m + table_block - 1) / table_block;
  for (Index p = 0; p < m; p += V) {
    const T* w = pass.twiddle + (p / table_block) * (R - 1) * 2 * table_block + p % table_block;
    if (p + V > m) {
      p = m - V;
      w = m < table_block ? pass.twiddle + p
                          : pass.twiddle + blocks * (R - 1) * 2 * table_block + table_block - V;
    }
    Complex<T, V> a[R];
    each<R>([&](auto j) HELICITY_LAMBDA_INLINE {
      a[j.value] = load_complex<T, V>(in.base + 2 * (p + m * j.value));
      a[j.value].im = a[j.value].im * in.sign;
    });
    dft<R>(&a[0]);
    each<R - 1>([&](auto k) HELICITY_LAMBDA_INLINE {
      constexpr Index at = k.value * 2 * table_block;
      a[k.value + 1] = times(a[k.value + 1], load<T, V>(w + at), load<T, V>(w + at + table_block));
    });
    each<(R + V - 1) / V>([&](auto g) HELICITY_LAMBDA_INLINE {
      constexpr int first = g.value * V + V <= R ? g.value * V : R - V;
      Lanes<T, V> re[V], im[V];
      each<V>([&](auto v) HELICITY_LAMBDA_INLINE {
        re[v.value] = a[first + v.value].re;
        im[v.value] = a[first + v.value].im;
      });
      transpose<T, V>(&re[0]);
      transpose<T, V>(&im[0]);
      each<V>([&](auto v) HELICITY_LAMBDA_INLINE {
        out.template put<V>(R * (p + v.value) + first, {re[v.value], im[v.value]});
      });
    });
  }
}

/// Later passes: lanes are neighbouring q.
template <int R, bool last, class T, int V>
void plane_pass(const Pass<T>& pass, Planes<T> in, Planes<T> out, const Sink<T, V>& to)
{
  const Sink<T, V> sink = to;
  const Index m = pass.m, s = pass.s;
  for (Index p = 0; p < m; ++p) {
    const T* w = pass.twiddle + (p / table_block) * (R - 1) * 2 * table_block + p % table_block;
    for (Index next = 0; next < s; next += V) {
      const Index q = next + V <= s ? next : s - V;
      Complex<T, V> a[R];
      each<R>([&](auto j) HELICITY_LAMBDA_INLINE {
        a[j.value] = in.template get<V>(q + s * (p + m * j.value));
      });
      dft<R>(&a[0]);
      each<R>([&](auto k) HELICITY_LAMBDA_INLINE {
        constexpr Index at = (k.value - 1) * 2 * table_block;
        if constexpr (last)
          store_complex<T, V>(sink.base + 2 * (q + s * k.value),
                              {a[k.value].re * sink.re, a[k.value].im * sink.im});
        else if constexpr (k.value == 0)
          out.template put<V>(q + s * R * p, a[0]);
        else
          out.template put<V>(q + s * (R * p + k.value),
                              times(a[k.value], w[at], w[at + table_block]));
      });
    }
  }
}

template <class T, int V>
void run_plane_first(const Pass<T>& pass, const Source<T, V>& in, Planes<T> out)
{
  switch (pass.radix) {
    case 19: return plane_first<19, T, V>(pass, in, out);
    case 17: return plane_first<17, T, V>(pass, in, out);
    case 13: return plane_first<13, T, V>(pass, in, out);
    case 11: return plane_first<11, T, V>(pass, in, out);
    default: break;
  }
  if constexpr (V <= 4) {
    if (pass.radix == 7)
      plane_first<7, T, V>(pass, in, out);
    else
      plane_first<5, T, V>(pass, in, out);
  }
}

template <bool last, class T, int V>
__attribute__((noinline)) void run_plane_pass(const Pass<T>& pass, Planes<T> in, Planes<T> out,
                                              const Sink<T, V>& sink)
{
  switch (pass.radix) {
    case 2: return plane_pass<2, last, T, V>(pass, in, out, sink);
    case 3: return plane_pass<3, last, T, V>(pass, in, out, sink);
    case 4: return plane_pass<4, last, T, V>(pass, in, out, sink);
    case 5: return plane_pass<5, last, T, V>(pass, in, out, sink);
    case 7: return plane_pass<7, last, T, V>(pass, in, out, sink);
    case 8: return plane_pass<8, last, T, V>(pass, in, out, sink);
    case 11: return plane_pass<11, last, T, V>(pass, in, out, sink);
    case 13: return plane_pass<13, last, T, V>(pass, in, out, sink);
    case 16: return plane_pass<16, last, T, V>(pass, in, out, sink);
    case 17: return plane_pass<17, last, T, V>(pass, in, out, sink);
    default: return plane_pass<19, last, T, V>(pass, in, out, sink);
  }
}

template <class T, int V>
void plane_lanes(const Line<T>& line, const RowEnds<T>& ends, T* work)
{
  const Index n = line.n;
  Planes<T> x{work, work + n}, y{work + 2 * n, work + 3 * n};
  const Sink<T, V> sink{ends.out, 2 * V, ends.out_re, ends.out_im};
  run_plane_first<T, V>(line.pass[0], Source<T, V>{ends.in, 2 * V, ends.in_im}, x);
  for (Index i = 1; i + 1 < line.pass_count; ++i) {
    run_plane_pass<false, T, V>(line.pass[i], x, y, sink);
    std::swap(x, y);
  }
  run_plane_pass<true, T, V>(line.pass[line.pass_count - 1], x, y, sink);
}

template <class T, int V>
void widest_row(const Line<T>& line, const RowEnds<T>& ends, T* work)
{
  if constexpr (V < 4) {
    run_line<T, 1>(line, Source<T, 1>{ends.in, 2, ends.in_im},
                   Sink<T, 1>{ends.out, 2, ends.out_re, ends.out_im}, work);
  } else {
    if (line.row_lanes >= V) return row_lanes<T, V>(line, ends, work);
    if constexpr (V <= 8)
      if (line.plane_lanes >= V) return plane_lanes<T, V>(line, ends, work);
    widest_row<T, V / 2>(line, ends, work);
  }
}

template <class T>
void run_row(const Line<T>& line, const RowEnds<T>& ends, T* work);

/// Conjugate of x times the kernel.
template <class T>
void row_convolve(const Convolution<T>& c, T* x, T* rest)
{
  const Index size = c.line.n;
  run_row<T>(c.line, {x, x, T(1), T(1), T(1)}, rest);
  for (Index q = 0; q < size; ++q) {
    const T re = x[2 * q], im = x[2 * q + 1], kr = c.kernel[2 * q], ki = c.kernel[2 * q + 1];
    x[2 * q] = re * kr - im * ki;
    x[2 * q + 1] = -(re * ki + im * kr);
  }
}

template <class T>
void row_rader(const Convolution<T>& c, const RowEnds<T>& ends, T* work)
{
  const Index size = c.line.n;
  T* const x = work;
  T* const rest = work + 2 * size;
  for (Index q = 0; q < size; ++q) {
    const T* const from = ends.in + 2 * c.gather[q];
    x[2 * q] = from[0];
    x[2 * q + 1] = from[1] * ends.in_im;
  }
  const T first_re = ends.in[0], first_im = ends.in[1] * ends.in_im;
  run_row<T>(c.line, {x, x, T(1), T(1), T(1)}, rest);
  const T sum_re = x[0], sum_im = x[1];
  for (Index q = 0; q < size; ++q) {
    const T re = x[2 * q], im = x[2 * q + 1], kr = c.kernel[2 * q], ki = c.kernel[2 * q + 1];
    T product_re = re * kr - im * ki, product_im = re * ki + im * kr;
    if (q == 0) {
      product_re = product_re + first_re;
      product_im = product_im + first_im;
    }
    x[2 * q] = product_re;
    x[2 * q + 1] = -product_im;
  }
  run_row<T>(c.line, {x, x, T(1), T(1), T(1)}, rest);
  ends.out[0] = (first_re + sum_re) * ends.out_re;
  ends.out[1] = (first_im + sum_im) * ends.out_im;
  for (Index q = 0; q < size; ++q) {
    T* const to = ends.out + 2 * c.scatter[q];
    to[0] = x[2 * q] * ends.out_re;
    to[1] = -x[2 * q + 1] * ends.out_im;
  }
}

template <class T>
void row_bluestein(const Convolution<T>& c, const RowEnds<T>& ends, T* work)
{
  T* const x = work;
  T* const rest = work + 2 * c.line.n;
  for (Index j = 0; j < c.n; ++j) {
    const T re = ends.in[2 * j], im = ends.in[2 * j + 1] * ends.in_im;
    const T cr = c.chirp[2 * j], ci = c.chirp[2 * j + 1];
    x[2 * j] = re * cr - im * ci;
    x[2 * j + 1] = re * ci + im * cr;
  }
  for (Index j = 2 * c.n; j < 2 * c.line.n; ++j) x[j] = 0;
  row_convolve(c, x, rest);
  run_row<T>(c.line, {x, x, T(1), T(1), T(1)}, rest);
  for (Index j = 0; j < c.n; ++j) {
    const T re = x[2 * j], im = -x[2 * j + 1];
    const T cr = c.chirp[2 * j], ci = c.chirp[2 * j + 1];
    ends.out[2 * j] = (re * cr - im * ci) * ends.out_re;
    ends.out[2 * j + 1] = (re * ci + im * cr) * ends.out_im;
  }
}

/// Forward DFT of one line; `in` may be `out`.
template <class T>
void run_row(const Line<T>& line, const RowEnds<T>& ends, T* work)
{
  if (line.convolution == nullptr) return widest_row<T, full_width<T>>(line, ends, work);
  if (line.convolution->rader) return row_rader(*line.convolution, ends, work);
  row_bluestein(*line.convolution, ends, work);
}

/// V places k, k + 1, ... of one side and m - k, m - k - 1, ... of the other, in that order.
template <class T, int V>
HELICITY_HD Complex<T, V> load_mirror(const T* z, Index m, Index k)
{
  const Complex<T, V> b = load_complex<T, V>(z + 2 * (m - k - V + 1));
  return {reverse<T, V>(b.re), reverse<T, V>(b.im)};
}

template <class T, int V>
HELICITY_HD void unpack_places(const LineProgram<T>& program, const T* z, T* out, Index k)
{
  const Index m = program.real_n / 2;
  const T* const re = program.half + k;
  const T f = program.scale;
  Complex<T, V> a = load_complex<T, V>(z + 2 * k), b = load_mirror<T, V>(z, m, k);
  unpack_pair(a, b, load<T, V>(re), load<T, V>(re + m / 2 + 1));
  store_complex<T, V>(out + 2 * k, {a.re * f, a.im * f});
  store_complex<T, V>(out + 2 * (m - k - V + 1),
                      {reverse<T, V>(b.re * f), reverse<T, V>(b.im * f)});
}

/// Real line of even length to its half spectrum.
template <class T>
void row_r2c(const LineProgram<T>& program, const T* in, T* out, T* work)
{
  constexpr int V = full_width<T>;
  const Index m = program.real_n / 2;
  const T f = program.scale;
  T* const z = work;
  run_row<T>(program.line, {in, z, T(1), T(1), T(1)}, work + 2 * m);
  out[0] = (z[0] + z[1]) * f;
  out[1] = 0;
  out[2 * m] = (z[0] - z[1]) * f;
  out[2 * m + 1] = 0;
  Index k = 1;
  for (; 2 * (k + V - 1) < m; k += V) unpack_places<T, V>(program, z, out, k);
  for (; 2 * k < m; ++k) unpack_places<T, 1>(program, z, out, k);
  if (m % 2 == 0) {
    out[m] = z[m] * f;
    out[m + 1] = -z[m + 1] * f;
  }
}

template <class T, int V>
HELICITY_HD void pack_places(const LineProgram<T>& program, const T* in, T* z, Index k)
{
  const Index m = program.real_n / 2;
  const T* const re = program.half + k;
  Complex<T, V> a = load_complex<T, V>(in + 2 * k), b = load_mirror<T, V>(in, m, k);
  pack_pair(a, b, load<T, V>(re), load<T, V>(re + m / 2 + 1));
  store_complex<T, V>(z + 2 * k, a);
  store_complex<T, V>(z + 2 * (m - k - V + 1), {reverse<T, V>(b.re), reverse<T, V>(b.im)});
}

/// Half spectrum to a real line of even length.
template <class T>
void row_c2r(const LineProgram<T>& program, const T* in, T* out, T* work)
{
  constexpr int V = full_width<T>;
  const Index m = program.real_n / 2;
  T* const z = work;
  z[0] = in[0] + in[2 * m];
  z[1] = in[2 * m] - in[0];
  Index k = 1;
  for (; 2 * (k + V - 1) < m; k += V) pack_places<T, V>(program, in, z, k);
  for (; 2 * k < m; ++k) pack_places<T, 1>(program, in, z, k);
  if (m % 2 == 0) {
    z[m] = in[m] * T(2);
    z[m + 1] = in[m + 1] * T(2);
  }
  run_row<T>(program.line, {z, out, T(1), program.scale, -program.scale}, work + 2 * m);
}

template <class T>
void run_within(const LineProgram<T>& program, const T* in, T* out, T* work)
{
  const T sign = program.backward ? T(-1) : T(1);
  switch (program.kind) {
    case LineKind::r2c: return row_r2c(program, in, out, work);
    case LineKind::c2r: return row_c2r(program, in, out, work);
    default:
      return run_row<T>(program.line, {in, out, sign, program.scale, sign * program.scale}, work);
  }
}

}  // namespace
}  // namespace HELICITY_ISA
}  // namespace helicity::fft
