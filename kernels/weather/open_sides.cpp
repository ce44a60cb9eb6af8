// SPDX-License-Identifier: Apache-2.0
#include <helicity/grid/for_cells.hpp>
#include <helicity/weather/open_sides.hpp>

namespace helicity::weather {

template <class T>
void open_rates(Cpu exec, const Dynamics<T>& d)
{
  grid::for_cells(exec, open_faces(d), OpenRates<T>{d});
}

template <class T>
void open_step(Cpu exec, const Dynamics<T>& d)
{
  grid::for_cells(exec, open_faces(d), OpenStep<T>{d});
}

template <class T>
void open_finish(Cpu exec, const Dynamics<T>& d)
{
  grid::for_cells(exec, open_faces(d), OpenFinish<T>{d});
}

template <class T>
void fill_open(Cpu exec, const Dynamics<T>& d, const Variables<T>& x, const OpenWater<T>& water,
               int axis)
{
  grid::for_cells(exec, open_halo(d, axis), OpenHalo<T>{d, x, water, axis});
}

#define HELICITY_INSTANTIATE(T)                       \
  template void open_rates(Cpu, const Dynamics<T>&);  \
  template void open_step(Cpu, const Dynamics<T>&);   \
  template void open_finish(Cpu, const Dynamics<T>&); \
  template void fill_open(Cpu, const Dynamics<T>&, const Variables<T>&, const OpenWater<T>&, int);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

}  // namespace helicity::weather
