// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fft/passes.hpp>

/// Columns of the caller's numbers to and from work space, one column in each lane.

namespace helicity::fft {
namespace HELICITY_ISA {
namespace {

/// `count` numbers of each of `columns` <= V columns.
template <class P>
struct Columns
{
  P base;
  Index row, column;
  Index columns;
};

/// Real numbers, any strides, any number of columns up to V; lanes without a column get 0.
template <class T, int V>
void gather_any(Columns<const T*> from, Index count, Index parts, T* to)
{
  for (Index i = 0; i < count; ++i)
    for (Index part = 0; part < parts; ++part)
      for (Index v = 0; v < V; ++v)
        to[(i * parts + part) * V + v] =
            v < from.columns ? from.base[i * from.row + part + v * from.column] : T(0);
}

/// Lines whose numbers follow each other: V x V blocks are transposed, the last overlapping.
template <class T, int V>
void gather_lines(Columns<const T*> from, Index count, T* to)
{
  for (Index i = 0; i < count; i += V) {
    const Index at = i + V <= count ? i : count - V;
    Lanes<T, V> block[V];
    each<V>([&](auto v) HELICITY_LAMBDA_INLINE {
      block[v.value] = load<T, V>(from.base + at + v.value * from.column);
    });
    transpose<T, V>(&block[0]);
    each<V>([&](auto v)
                HELICITY_LAMBDA_INLINE { store<T, V>(to + (at + v.value) * V, block[v.value]); });
  }
}

template <class T, int V>
void scatter_lines(const T* from, Index count, Columns<T*> to)
{
  for (Index i = 0; i < count; i += V) {
    const Index at = i + V <= count ? i : count - V;
    Lanes<T, V> block[V];
    each<V>([&](auto v)
                HELICITY_LAMBDA_INLINE { block[v.value] = load<T, V>(from + (at + v.value) * V); });
    transpose<T, V>(&block[0]);
    each<V>([&](auto v) HELICITY_LAMBDA_INLINE {
      store<T, V>(to.base + at + v.value * to.column, block[v.value]);
    });
  }
}

template <class T, int V>
void gather_real(Columns<const T*> from, Index count, T* to)
{
  if (from.columns == V && from.column == 1) {
    for (Index i = 0; i < count; ++i) store<T, V>(to + i * V, load<T, V>(from.base + i * from.row));
  } else if (from.columns == V && from.row == 1 && count >= V) {
    gather_lines<T, V>(from, count, to);
  } else {
    gather_any<T, V>(from, count, 1, to);
  }
}

template <class T, int V>
void scatter_real(const T* from, Index count, Columns<T*> to)
{
  if (to.columns == V && to.column == 1) {
    for (Index i = 0; i < count; ++i) store<T, V>(to.base + i * to.row, load<T, V>(from + i * V));
  } else if (to.columns == V && to.row == 1 && count >= V) {
    scatter_lines<T, V>(from, count, to);
  } else {
    for (Index i = 0; i < count; ++i)
      for (Index v = 0; v < to.columns; ++v) to.base[i * to.row + v * to.column] = from[i * V + v];
  }
}

template <class T, int V>
void gather_complex(Columns<const T*> from, Index count, Split<T, V> to)
{
  if (from.columns == V && from.column == 2) {
    for (Index i = 0; i < count; ++i) to.put(i, load_complex<T, V>(from.base + i * from.row));
  } else if (from.columns == V && from.row == 2 && 2 * count >= V) {
    gather_lines<T, V>({from.base, 1, from.column, V}, 2 * count, to.base);
  } else {
    gather_any<T, V>(from, count, 2, to.base);
  }
}

/// Negates imaginary parts or multiplies all by a factor, or both.
template <class T, int V>
HELICITY_HD void scale(Split<T, V> x, Index count, T re, T im)
{
  for (Index i = 0; i < count; ++i) {
    const Complex<T, V> z = x.get(i);
    x.put(i, {z.re * re, z.im * im});
  }
}

/// Multiplies by the factors and writes; changes `from`.
template <class T, int V>
void scatter_complex(Split<T, V> from, Index count, Columns<T*> to, T re, T im)
{
  if (to.columns == V && to.column == 2) {
    const Sink<T, V> sink{to.base, to.row, re, im};
    for (Index i = 0; i < count; ++i) sink.put(i, from.get(i));
    return;
  }
  scale<T, V>(from, count, re, im);
  if (to.columns == V && to.row == 2 && 2 * count >= V)
    return scatter_lines<T, V>(from.base, 2 * count, {to.base, 1, to.column, V});
  for (Index i = 0; i < count; ++i)
    for (Index v = 0; v < to.columns; ++v) {
      T* const z = to.base + i * to.row + v * to.column;
      z[0] = from.base[2 * V * i + v];
      z[1] = from.base[2 * V * i + V + v];
    }
}

}  // namespace
}  // namespace HELICITY_ISA
}  // namespace helicity::fft
