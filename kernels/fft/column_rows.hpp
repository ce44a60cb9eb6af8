// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>
#include <support/isa.hpp>

namespace helicity::fft {

/// Rows of n modes, each of one value or of two (wide). Coefficients are one per mode.
template <class T>
struct ColumnRows
{
  /// d = (d - lower below) pivot
  void (*forward)(T* d, const T* below, const T* pivot, T lower, Index n, bool wide);
  /// d = d pivot: the lowest level
  void (*begin)(T* d, const T* pivot, Index n, bool wide);
  /// d = d - (upper pivot) above
  void (*backward)(T* d, const T* above, const T* pivot, T upper, Index n, bool wide);
  /// d = d + z corner
  void (*add)(T* d, const T* z, const T* corner, Index n, bool wide);
  /// d = (d - lower below - upper above) pivot
  void (*close)(T* d, const T* below, const T* above, const T* pivot, T lower, T upper, Index n,
                bool wide);
};

HELICITY_PER_ISA(const ColumnRows<float>& column_rows_float();
                 const ColumnRows<double>& column_rows_double();)

}  // namespace helicity::fft
