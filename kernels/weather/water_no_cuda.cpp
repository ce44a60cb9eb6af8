// SPDX-License-Identifier: Apache-2.0
// What water_step.cu defines, in a build without CUDA.
#include <helicity/core/error.hpp>
#include <helicity/weather/water.hpp>

namespace helicity::weather {
namespace {

[[noreturn]] void refuse() { throw UsageError("this build has no CUDA"); }

}  // namespace

template <class T>
void find_contents(Cuda, const Dynamics<T>&, const Water<T>&)
{
  refuse();
}

template <class T>
void add_expansion(Cuda, const Dynamics<T>&, const Water<T>&)
{
  refuse();
}

template <class T>
void average_fluxes(Cuda, const Dynamics<T>&, const Water<T>&)
{
  refuse();
}

template <class T>
void limit_outflow(Cuda, const Dynamics<T>&, const Water<T>&)
{
  refuse();
}

template <class T>
void move_water(Cuda, const Dynamics<T>&, const Water<T>&, bool)
{
  refuse();
}

template <class T>
std::int64_t first_bad_water(Cuda, const Dynamics<T>&, const Water<T>&, Index3, Index3)
{
  refuse();
}

#define HELICITY_INSTANTIATE(T)                                              \
  template void find_contents(Cuda, const Dynamics<T>&, const Water<T>&);    \
  template void add_expansion(Cuda, const Dynamics<T>&, const Water<T>&);    \
  template void average_fluxes(Cuda, const Dynamics<T>&, const Water<T>&);   \
  template void limit_outflow(Cuda, const Dynamics<T>&, const Water<T>&);    \
  template void move_water(Cuda, const Dynamics<T>&, const Water<T>&, bool); \
  template std::int64_t first_bad_water(Cuda, const Dynamics<T>&, const Water<T>&, Index3, Index3);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
