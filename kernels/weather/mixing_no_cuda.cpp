// SPDX-License-Identifier: Apache-2.0
// What mixing.cu defines, in a build without CUDA.
#include <helicity/core/error.hpp>
#include <helicity/weather/mixing.hpp>

namespace helicity::weather {
namespace {

[[noreturn]] void refuse() { throw UsageError("this build has no CUDA"); }

}  // namespace

template <class T>
void evaluate_mixing(Cuda, const Dynamics<T>&, const Mixing<T>&)
{
  refuse();
}

template <class T>
void carry_energy(Cuda, const Dynamics<T>&, const Mixing<T>&, T)
{
  refuse();
}

template <class T>
void keep_energy(Cuda, const Dynamics<T>&, const Mixing<T>&, T*)
{
  refuse();
}

template <class T>
void add_mixing(Cuda, const Dynamics<T>&, const Mixing<T>&)
{
  refuse();
}

template <class T>
void mix_content(Cuda, const Dynamics<T>&, const Mixing<T>&, const T*, T, T*)
{
  refuse();
}

#define HELICITY_INSTANTIATE(T)                                              \
  template void evaluate_mixing(Cuda, const Dynamics<T>&, const Mixing<T>&); \
  template void carry_energy(Cuda, const Dynamics<T>&, const Mixing<T>&, T); \
  template void keep_energy(Cuda, const Dynamics<T>&, const Mixing<T>&, T*); \
  template void add_mixing(Cuda, const Dynamics<T>&, const Mixing<T>&);      \
  template void mix_content(Cuda, const Dynamics<T>&, const Mixing<T>&, const T*, T, T*);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
