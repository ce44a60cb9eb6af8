// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/grid/box.hpp>
#include <helicity/weather/terrain.hpp>
#include <helicity/weather/water.hpp>

/// Sides that waves and air leave through.
///
/// The momentum N across the face at the end is moved out of the domain at the speed of the air and
/// of a wave, dN'/dt = -max(u_out + c, 0) dN'/dx_out - r N', N' its departure from the wind of the
/// start, by a difference to the next face inside; pressure does not act on it. Beyond the end all
/// is as at the end, where air leaves and where it enters: values held there make waves grow.
///
/// @see Klemp & Wilhelmson (1978), J. Atmos. Sci. 35, 1070
namespace helicity::weather {

/// Faces of the domain: low and high end of i, of j.
enum OpenEnd : int { open_low_i, open_high_i, open_low_j, open_high_j, open_ends };

/// One end, as the cells (t, k) of its plane see it: t runs along the other axis.
template <class T>
struct Side
{
  int end = 0;

  HELICITY_HD int axis() const { return end / 2; }
  HELICITY_HD bool high() const { return end % 2 == 1; }

  /// Cell n cells inside the last one (n < 0: beyond it).
  HELICITY_HD Index cell(const Dynamics<T>& d, Index t, Index n, Index k) const
  {
    const Index last = d.cells[axis()] - 1, a = high() ? last - n : n;
    return axis() == 0 ? d.at(a, t, k) : d.at(t, a, k);
  }

  /// Place of the end's face; of those inside (n > 0) and beyond it.
  HELICITY_HD Index face(const Dynamics<T>& d, Index t, Index n, Index k) const
  {
    const Index last = d.cells[axis()], a = high() ? last - n : n;
    return axis() == 0 ? d.at(a, t, k) : d.at(t, a, k);
  }

  HELICITY_HD Index stride(const Dynamics<T>& d) const { return axis() == 0 ? 1 : d.sj; }

  HELICITY_HD T outwards(T x) const { return high() ? x : -x; }
};

/// Momentum of the wind of the start on the low face of c across an axis.
template <class T>
HELICITY_HD T start_momentum(const Dynamics<T>& d, const Level<T>& l, int axis, Index c)
{
  const Index before = c - (axis == 0 ? 1 : d.sj);
  const T flat = axis == 0 ? l.u : l.v, wind = axis == 0 ? l.wind_u : l.wind_v;
  return d.hilly ? wind_momentum<true>(d, flat, wind, before, c) : flat;
}

/// dN/dt on the face of an open end.
template <class T>
HELICITY_HD T open_rate(const Dynamics<T>& d, const Side<T>& side, Index t, Index k)
{
  const Level<T>& l = d.level[k];
  const int axis = side.axis();
  const T* momentum = axis == 0 ? d.stage.u : d.stage.v;
  const Index c = side.face(d, t, 0, k), inside = side.face(d, t, 1, k);
  const T speed = side.outwards((axis == 0 ? d.u : d.v)[c]) + d.phase_speed;
  const T out = speed > T(0) ? speed : T(0);
  const T here = momentum[c] - start_momentum(d, l, axis, c);
  const T there = momentum[inside] - start_momentum(d, l, axis, inside);
  return out * (there - here) * (axis == 0 ? d.per_dx : d.per_dy) - l.damping * here;
}

/// Calls of a plane: f(t, end, k) for the ends there are.
template <class T>
struct OpenRates
{
  Dynamics<T> d;

  HELICITY_HD void operator()(Index t, Index end, Index k) const
  {
    const Side<T> side{static_cast<int>(end)};
    if (!d.open[end] || t >= d.cells[1 - side.axis()]) return;
    (side.axis() == 0 ? d.rate.u : d.rate.v)[side.face(d, t, 0, k)] = open_rate(d, side, t, k);
  }
};

template <class T>
struct OpenStep
{
  Dynamics<T> d;

  HELICITY_HD void operator()(Index t, Index end, Index k) const
  {
    const Side<T> side{static_cast<int>(end)};
    if (!d.open[end] || t >= d.cells[1 - side.axis()]) return;
    const Index c = side.face(d, t, 0, k);
    T& x = (side.axis() == 0 ? d.deviation.u : d.deviation.v)[c];
    x = x + d.short_step * (side.axis() == 0 ? d.rate.u : d.rate.v)[c];
  }
};

/// The faces that no cell owns: those at high ends.
template <class T>
struct OpenFinish
{
  Dynamics<T> d;

  HELICITY_HD void operator()(Index t, Index end, Index k) const
  {
    const Side<T> side{static_cast<int>(end)};
    if (!d.open[end] || !side.high() || t >= d.cells[1 - side.axis()]) return;
    const Index c = side.face(d, t, 0, k);
    if (side.axis() == 0)
      d.next.u[c] = d.stage.u[c] + d.deviation.u[c];
    else
      d.next.v[c] = d.stage.v[c] + d.deviation.v[c];
  }
};

/// Water of a state.
template <class T>
struct OpenWater
{
  int species = 0;
  T* water[species_count] = {};
};

/// Halo of a state beyond the open ends of an axis: no gradient across the end.
template <class T>
struct OpenHalo
{
  Dynamics<T> d;
  Variables<T> x;
  OpenWater<T> water;
  int axis = 0;

  HELICITY_HD void operator()(Index t, Index high, Index k) const
  {
    const Side<T> side{2 * axis + static_cast<int>(high)};
    if (!d.open[side.end]) return;
    fill(axis == 0 ? x.u : x.v, side, t, k, true);
    fill(x.rho, side, t, k, false);
    fill(x.theta, side, t, k, false);
    for (int s = 0; s < water.species; ++s) fill(water.water[s], side, t, k, false);
    fill(x.w, side, t, k, false);
    if (axis == 1 || d.has_v) fill(axis == 0 ? x.v : x.u, side, t, k, false);
  }

 private:
  HELICITY_HD void fill(T* field, const Side<T>& side, Index t, Index k, bool on_face) const
  {
    const Index last = on_face && side.high() ? halo_width - 1 : halo_width;
    const T value = field[on_face ? side.face(d, t, 0, k) : side.cell(d, t, 0, k)];
    for (Index n = 1; n <= last; ++n)
      field[on_face ? side.face(d, t, -n, k) : side.cell(d, t, -n, k)] = value;
  }
};

/// Boxes of the calls above: every end of a rank, and its halo along an axis.
template <class T>
grid::Box open_faces(const Dynamics<T>& d)
{
  return {{0, 0, 0}, {d.cells.i > d.cells.j ? d.cells.i : d.cells.j, open_ends, d.cells.k}};
}

template <class T>
grid::Box open_halo(const Dynamics<T>& d, int axis)
{
  const Index halo = axis == 0 && d.slab ? 0 : halo_width;
  return {{-halo, 0, 0}, {d.cells[1 - axis] + halo, 2, d.cells.k}};
}

/// Right-hand sides on the faces of open ends, after prepare_stage.
/// @note this and the following: asynchronous on CUDA, T is float or double
template <class T>
HELICITY_EXPORT void open_rates(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void open_rates(Cuda exec, const Dynamics<T>& d);

/// An acoustic step of these faces.
template <class T>
HELICITY_EXPORT void open_step(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void open_step(Cuda exec, const Dynamics<T>& d);

/// `next` on those that finish_stage leaves out.
template <class T>
HELICITY_EXPORT void open_finish(Cpu exec, const Dynamics<T>& d);
template <class T>
HELICITY_EXPORT void open_finish(Cuda exec, const Dynamics<T>& d);

/// Halo of x beyond open ends along an axis, over the whole width of the other one with its halo.
template <class T>
HELICITY_EXPORT void fill_open(Cpu exec, const Dynamics<T>& d, const Variables<T>& x,
                               const OpenWater<T>& water, int axis);
template <class T>
HELICITY_EXPORT void fill_open(Cuda exec, const Dynamics<T>& d, const Variables<T>& x,
                               const OpenWater<T>& water, int axis);

}  // namespace helicity::weather
