// SPDX-License-Identifier: Apache-2.0
// What dry_step.cu defines, in a build without CUDA.
#include <helicity/core/error.hpp>
#include <helicity/weather/dynamics.hpp>

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
void centre_velocities(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
std::int64_t first_bad_cell(Cuda, const Dynamics<T>&, Index3, Index3, const HealthLimits&)
{
  refuse();
}

#define HELICITY_INSTANTIATE(T)                                                  \
  template void diagnose(Cuda, const Dynamics<T>&);                              \
  template void prepare_stage(Cuda, const Dynamics<T>&);                         \
  template void step_horizontal(Cuda, const Dynamics<T>&);                       \
  template void step_columns(Cuda, const Dynamics<T>&);                          \
  template void centre_velocities(Cuda, const Dynamics<T>&);                     \
  template std::int64_t first_bad_cell(Cuda, const Dynamics<T>&, Index3, Index3, \
                                       const HealthLimits&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
