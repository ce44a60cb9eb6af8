// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fluid/lbm_step.hpp>
#include <support/isa.hpp>

namespace helicity::fluid {

/// One run of cells of a row, for the loops built once per instruction set.
template <class T>
struct RowStep
{
  T* cell;  ///< slot 0 of the first cell
  Index sj, sk, sc;
  Index length;
  Layout layout;
  LatticeKind lattice;
};

template <class T>
using StepRow = void (*)(const RowStep<T>& row, const Relaxation<T>& r);

HELICITY_PER_ISA(void step_row_float(const RowStep<float>& row, const Relaxation<float>& r);
                 void step_row_double(const RowStep<double>& row, const Relaxation<double>& r);)

}  // namespace helicity::fluid
