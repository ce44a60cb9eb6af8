// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fluid/ns_step.hpp>
#include <support/isa.hpp>

namespace helicity::fluid {

/// The loops over row j of level k that are built once per instruction set.
template <class T>
struct NsRows
{
  void (*advance)(const NsStep<T>& s, Index j, Index k);
  void (*divergence)(const NsStep<T>& s, const View3<T>& out, Index j, Index k);
  void (*correct)(const NsStep<T>& s, Index j, Index k);
};

HELICITY_PER_ISA(const NsRows<float>& ns_rows_float(); const NsRows<double>& ns_rows_double();)

}  // namespace helicity::fluid
