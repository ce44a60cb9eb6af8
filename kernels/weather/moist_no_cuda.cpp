// SPDX-License-Identifier: Apache-2.0
// What moist_physics.cu defines, in a build without CUDA.
#include <helicity/core/error.hpp>
#include <helicity/weather/microphysics.hpp>

namespace helicity::weather {
namespace {

[[noreturn]] void refuse() { throw UsageError("this build has no CUDA"); }

}  // namespace

template <class T>
void moist_physics(Cuda, const Dynamics<T>&, const Water<T>&, const Microphysics<T>&)
{
  refuse();
}

template <class T>
void keep_velocities(Cuda, const Dynamics<T>&, const Water<T>&)
{
  refuse();
}

#define HELICITY_INSTANTIATE(T)                                                                   \
  template void moist_physics(Cuda, const Dynamics<T>&, const Water<T>&, const Microphysics<T>&); \
  template void keep_velocities(Cuda, const Dynamics<T>&, const Water<T>&);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
