// SPDX-License-Identifier: Apache-2.0
// What dry_step.cu and mixing.cu define, in a build without CUDA.
#include <helicity/core/error.hpp>
#include <helicity/weather/dynamics.hpp>
#include <helicity/weather/mixing.hpp>

namespace helicity::weather {
namespace {

[[noreturn]] void refuse() { throw UsageError("this build has no CUDA"); }

}  // namespace

template <class T>
void diagnose(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
void prepare_stage(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
void step_horizontal(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
void step_columns(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
void finish_stage(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
void centre_velocities(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
std::int64_t first_bad_cell(Cuda, const Dynamics<T>&, Index3, Index3, const HealthLimits&)
{
  refuse();
}

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

#define HELICITY_INSTANTIATE(T)                                                  \
  template void diagnose(Cuda, const Dynamics<T>&);                              \
  template void prepare_stage(Cuda, const Dynamics<T>&);                         \
  template void step_horizontal(Cuda, const Dynamics<T>&);                       \
  template void step_columns(Cuda, const Dynamics<T>&);                          \
  template void finish_stage(Cuda, const Dynamics<T>&);                          \
  template void centre_velocities(Cuda, const Dynamics<T>&);                     \
  template std::int64_t first_bad_cell(Cuda, const Dynamics<T>&, Index3, Index3, \
                                       const HealthLimits&);                     \
  template void evaluate_mixing(Cuda, const Dynamics<T>&, const Mixing<T>&);     \
  template void add_mixing(Cuda, const Dynamics<T>&, const Mixing<T>&);          \
  template void carry_energy(Cuda, const Dynamics<T>&, const Mixing<T>&, T);     \
  template void keep_energy(Cuda, const Dynamics<T>&, const Mixing<T>&, T*);     \
  template void mix_content(Cuda, const Dynamics<T>&, const Mixing<T>&, const T*, T, T*);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
