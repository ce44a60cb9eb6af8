// SPDX-License-Identifier: Apache-2.0
// What the files for CUDA define, in a build without CUDA.
#include <helicity/core/error.hpp>
#include <helicity/weather/dynamics.hpp>
#include <helicity/weather/open_sides.hpp>

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
void open_rates(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
void open_step(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
void open_finish(Cuda, const Dynamics<T>&)
{
  refuse();
}

template <class T>
void fill_open(Cuda, const Dynamics<T>&, const Variables<T>&, const OpenWater<T>&, int)
{
  refuse();
}

#define HELICITY_INSTANTIATE(T)                                                               \
  template void diagnose(Cuda, const Dynamics<T>&);                                           \
  template void prepare_stage(Cuda, const Dynamics<T>&);                                      \
  template void step_horizontal(Cuda, const Dynamics<T>&);                                    \
  template void step_columns(Cuda, const Dynamics<T>&);                                       \
  template void finish_stage(Cuda, const Dynamics<T>&);                                       \
  template void centre_velocities(Cuda, const Dynamics<T>&);                                  \
  template void open_rates(Cuda, const Dynamics<T>&);                                         \
  template void open_step(Cuda, const Dynamics<T>&);                                          \
  template void open_finish(Cuda, const Dynamics<T>&);                                        \
  template void fill_open(Cuda, const Dynamics<T>&, const Variables<T>&, const OpenWater<T>&, \
                          int);                                                               \
  template std::int64_t first_bad_cell(Cuda, const Dynamics<T>&, Index3, Index3,              \
                                       const HealthLimits&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
