// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/mixing.hpp>
#include <support/isa.hpp>

namespace helicity::weather {

/// The loops over a row that are built once per instruction set. See mixing.cpp for their order.
template <class T>
struct MixingLoops
{
  void (*deform_row)(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k);
  void (*eddies_row)(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k);
  void (*stress_row)(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k);
  void (*rates_row)(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k);
  void (*add_row)(const Dynamics<T>& d, const Mixing<T>& m, Index j, Index k);
  void (*carry_row)(const Dynamics<T>& d, const Mixing<T>& m, T step, Index j, Index k);
  void (*content_row)(const Dynamics<T>& d, const Mixing<T>& m, const T* q, T flux, T* rate,
                      Index j, Index k);
};

HELICITY_PER_ISA(const MixingLoops<float>& mixing_loops_float();
                 const MixingLoops<double>& mixing_loops_double();)

}  // namespace helicity::weather
