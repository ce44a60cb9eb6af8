// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: modes of a row in SIMD lanes.
#include <fft/column_rows.hpp>
#include <helicity/grid/simd_loop.hpp>

namespace helicity::fft {
namespace HELICITY_ISA {
namespace {

/// Calls f(value, mode) for the values of a row.
template <class F>
inline void for_values(Index n, bool wide, F f)
{
  if (!wide) {
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i) f(i, i);
    return;
  }
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) {
    f(2 * i, i);
    f(2 * i + 1, i);
  }
}

template <class T>
void forward(T* d, const T* below, const T* pivot, T lower, Index n, bool wide)
{
  for_values(n, wide, [=](Index v, Index m) { d[v] = (d[v] - lower * below[v]) * pivot[m]; });
}

template <class T>
void begin(T* d, const T* pivot, Index n, bool wide)
{
  for_values(n, wide, [=](Index v, Index m) { d[v] = d[v] * pivot[m]; });
}

template <class T>
void backward(T* d, const T* above, const T* pivot, T upper, Index n, bool wide)
{
  for_values(n, wide, [=](Index v, Index m) { d[v] = d[v] - (upper * pivot[m]) * above[v]; });
}

template <class T>
void add(T* d, const T* z, const T* corner, Index n, bool wide)
{
  for_values(n, wide, [=](Index v, Index m) { d[v] = d[v] + z[m] * corner[v]; });
}

template <class T>
void close(T* d, const T* below, const T* above, const T* pivot, T lower, T upper, Index n,
           bool wide)
{
  for_values(n, wide, [=](Index v, Index m) {
    d[v] = ((d[v] - lower * below[v]) - upper * above[v]) * pivot[m];
  });
}

template <class T>
inline constexpr ColumnRows<T> rows{forward<T>, begin<T>, backward<T>, add<T>, close<T>};

}  // namespace

const ColumnRows<float>& column_rows_float() { return rows<float>; }
const ColumnRows<double>& column_rows_double() { return rows<double>; }

}  // namespace HELICITY_ISA
}  // namespace helicity::fft
