// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: lines next to each other in SIMD lanes, or one line in lanes.
#include <fft/real.hpp>
#include <fft/rows.hpp>
#include <fft/tile.hpp>

namespace helicity::fft {
namespace HELICITY_ISA {
namespace {

/// Where a group of columns is read and written.
template <class T>
struct Group
{
  Columns<const T*> in;
  Columns<T*> out;
  Index first_column;
};

/// Long lines: place k of column c times exp(-2 pi i k c / N), as a product of two factors.
template <class T, int V>
void turn_columns(const LineProgram<T>& program, Index first_column, Split<T, V> x)
{
  const T* fine = program.fine + first_column % table_block;
  const T* coarse = program.coarse + 2 * program.n * (first_column / table_block);
  for (Index k = 0; k < program.n; ++k, fine += 2 * table_block, coarse += 2) {
    const Complex<T, V> f{load<T, V>(fine), load<T, V>(fine + table_block)};
    const Complex<T, V> turn = times(f, coarse[0], coarse[1]);
    x.put(k, times(x.get(k), turn.re, turn.im));
  }
}

template <class T, int V>
void complex_group(const LineProgram<T>& program, const Group<T>& g, T* work)
{
  const T sign = program.backward ? T(-1) : T(1);
  const Split<T, V> x{work};
  T* const rest = work + 2 * V * program.n;
  gather_complex<T, V>(g.in, program.n, x);
  if (program.backward) scale<T, V>(x, program.n, T(1), sign);
  run_line<T, V>(program.line, x, x, rest);
  if (program.fine != nullptr) turn_columns<T, V>(program, g.first_column, x);
  scatter_complex<T, V>(x, program.n, g.out, program.scale, sign * program.scale);
}

/// The same without a copy: columns are next to each other.
template <class T, int V>
void direct_group(const LineProgram<T>& program, const Group<T>& g, T* work)
{
  const T sign = program.backward ? T(-1) : T(1);
  run_line<T, V>(program.line, Source<T, V>{g.in.base, g.in.row, sign},
                 Sink<T, V>{g.out.base, g.out.row, program.scale, sign * program.scale}, work);
}

template <class T, int V>
void r2c_group(const LineProgram<T>& program, const Group<T>& g, T* work)
{
  const Index n = program.real_n;
  const Split<T, V> z{work};
  T* const x = work + 2 * V * (n + 1);
  gather_real<T, V>(g.in, n, x);
  real_forward<T, V>(program, x, z, x + V * (n + 1));
  scatter_complex<T, V>(z, n / 2 + 1, g.out, program.scale, program.scale);
}

template <class T, int V>
void c2r_group(const LineProgram<T>& program, const Group<T>& g, T* work)
{
  const Index n = program.real_n;
  const Split<T, V> z{work};
  const Numbers<T, V> x{work + 2 * V * (n + 1)};
  gather_complex<T, V>(g.in, n / 2 + 1, z);
  real_backward<T, V>(program, z, x.base, x.base + V * (n + 1));
  for (Index i = 0; i < n; ++i) x.put(i, x.get(i) * program.scale);
  scatter_real<T, V>(x.base, n, g.out);
}

template <class T, int V>
void real_group(const LineProgram<T>& program, const Group<T>& g, T* work)
{
  const Index n = program.n, size = program.real_n;
  const Split<T, V> z{work};
  const Numbers<T, V> x{work + 2 * V * (size + 1)}, y{x.base + V * n};
  gather_real<T, V>(g.in, n, x.base);
  if (program.in_first != T(1)) x.put(0, x.get(0) * program.in_first);
  if (program.in_last != T(1)) x.put(n - 1, x.get(n - 1) * program.in_last);
  run_real_line<T, V>({program, x, y, z, y.base + V * (size + 1)});
  for (Index i = 0; i < n; ++i) x.put(i, x.get(i) * program.scale);
  if (program.out_first != T(1)) x.put(0, x.get(0) * program.out_first);
  if (program.out_last != T(1)) x.put(n - 1, x.get(n - 1) * program.out_last);
  scatter_real<T, V>(x.base, n, g.out);
}

template <class T, int V>
void run_group(const LineProgram<T>& program, const Group<T>& g, T* work)
{
  switch (program.kind) {
    case LineKind::c2c:
      if (program.fine == nullptr && g.in.columns == V && g.in.column == 2 && g.out.column == 2)
        return direct_group<T, V>(program, g, work);
      return complex_group<T, V>(program, g, work);
    case LineKind::r2c: return r2c_group<T, V>(program, g, work);
    case LineKind::c2r: return c2r_group<T, V>(program, g, work);
    default: return real_group<T, V>(program, g, work);
  }
}

template <class T>
Group<T> group_at(const detail::LineBatch<T>& t, Index column, Index count)
{
  return {{t.in + column * t.in_column, t.in_row, t.in_column, count},
          {t.out + column * t.out_column, t.out_row, t.out_column, count},
          t.first_column + column};
}

/// Several groups with far rows: each row is read and written once, in a piece of whole lines of
/// cache that prefetchers follow.
template <class T, int V>
void wide_group(const LineProgram<T>& program, const Group<T>& g, Index groups, T* work)
{
  const Index n = program.n;
  const T sign = program.backward ? T(-1) : T(1);
  T* const rest = work + 2 * V * n * groups;
  const bool side_by_side = g.in.column == 2;
  for (Index i = 0; i < (side_by_side ? n : 0); ++i)
    for (Index c = 0; c < groups; ++c) {
      Complex<T, V> z = load_complex<T, V>(g.in.base + i * g.in.row + 2 * V * c);
      z.im = z.im * sign;
      Split<T, V>{work + 2 * V * n * c}.put(i, z);
    }
  for (Index c = 0; c < groups; ++c) {
    const Split<T, V> x{work + 2 * V * n * c};
    if (!side_by_side) {
      const Columns<const T*> in{g.in.base + V * c * g.in.column, g.in.row, g.in.column, V};
      gather_complex<T, V>(in, n, x);
      if (program.backward) scale<T, V>(x, n, T(1), sign);
    }
    line_in_place<T, V>(program.line, x.base, rest);
    if (program.fine != nullptr) turn_columns<T, V>(program, g.first_column + V * c, x);
  }
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < groups; ++c) {
      const Complex<T, V> z = Split<T, V>{work + 2 * V * n * c}.get(i);
      store_complex<T, V>(g.out.base + i * g.out.row + 2 * V * c,
                          {z.re * program.scale, z.im * (sign * program.scale)});
    }
}

/// Whether rows are a page or more apart and wide_columns of them fit a cache of the core.
template <class T>
bool goes_wide(const LineProgram<T>& p, const detail::LineBatch<T>& t)
{
  constexpr Index size = sizeof(T), page = 4096, cache = Index{1} << 19;
  const bool far = t.in_row * size >= page || t.in_row * size <= -page ||
                   t.out_row * size >= page || t.out_row * size <= -page;
  return p.kind == LineKind::c2c && far && t.out_column == 2 &&
         (t.in_column == 2 || t.in_row == 2) && p.n * wide_columns<T> * 2 * size <= cache;
}

template <class T>
void run_lines(const LineTask<T>& task)
{
  constexpr int V = full_width<T>;
  const LineProgram<T>& program = *task.program;
  const detail::LineBatch<T>& t = *task.batch;
  if (task.within) {
    for (Index c = 0; c < t.columns; ++c)
      run_within(program, t.in + c * t.in_column, t.out + c * t.out_column, t.work);
    return;
  }
  Index c = 0;
  if (goes_wide(program, t))
    for (; c + V <= t.columns; c += wide_columns<T>) {
      const Index columns = t.columns - c < wide_columns<T> ? t.columns - c : wide_columns<T>;
      wide_group<T, V>(program, group_at(t, c, V), columns / V, t.work);
      if (columns < wide_columns<T>) {
        c += columns / V * V;
        break;
      }
    }
  for (; c + V <= t.columns; c += V) run_group<T, V>(program, group_at(t, c, V), t.work);
  if (t.columns - c > 1)
    run_group<T, V>(program, group_at(t, c, t.columns - c), t.work);
  else if (c < t.columns)
    run_group<T, 1>(program, group_at(t, c, 1), t.work);
}

}  // namespace

void run_lines_float(const LineTask<float>& task) { run_lines(task); }

void run_lines_double(const LineTask<double>& task) { run_lines(task); }

}  // namespace HELICITY_ISA
}  // namespace helicity::fft
