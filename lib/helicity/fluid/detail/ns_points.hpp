// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fluid/ns_step.hpp>

#include <math.h>

/// Points of the kernels of ns_step.hpp.
namespace helicity::fluid::detail {

HELICITY_HD float magnitude(float x) { return ::fabsf(x); }
HELICITY_HD double magnitude(double x) { return ::fabs(x); }

template <class T>
HELICITY_HD T square(T x)
{
  return x * x;
}

/// Laplacian but for its vertical part.
template <class T>
HELICITY_HD T spread_across(const NsStep<T>& s, const T* q, Index c)
{
  const T across = ((q[c + 1] - q[c]) - (q[c] - q[c - 1])) * (s.per_dx * s.per_dx);
  return across + ((q[c + s.sj] - q[c]) - (q[c] - q[c - s.sj])) * (s.per_dy * s.per_dy);
}

/// Laplacian of what stands at the height of centres.
template <class T>
HELICITY_HD T laplacian(const NsStep<T>& s, const NsLevel<T>& l, const NsLevel<T>& above,
                        const T* q, Index c)
{
  const T up = (q[c + s.sk] - q[c]) * above.per_gap - (q[c] - q[c - s.sk]) * l.per_gap;
  return spread_across(s, q, c) + up * l.per_dz;
}

/// Momentum in direction a = u or v by flow through faces between c - stride and c.
template <class T>
HELICITY_HD T carried(const T* flow, const T* q, Index c, Index along, Index stride)
{
  return T(0.25) * ((flow[c - along] + flow[c]) * (q[c - stride] + q[c]));
}

template <class T>
HELICITY_HD T u_rate(const NsStep<T>& s, const NsLevel<T>& l, const NsLevel<T>& above, Index c)
{
  const T *u = s.stage.u, *v = s.stage.v, *w = s.stage.w;
  const Index one = 1, sj = s.sj, sk = s.sk;
  T flux = T(0.25) * (square(u[c] + u[c + 1]) - square(u[c - 1] + u[c])) * s.per_dx;
  flux = flux + (carried(v, u, c + sj, one, sj) - carried(v, u, c, one, sj)) * s.per_dy;
  flux = flux + (carried(w, u, c + sk, one, sk) - carried(w, u, c, one, sk)) * l.per_dz;
  T push = s.force_x;
  if (s.stage.scalar != nullptr)
    push = push + s.lift_x * (T(0.5) * (s.stage.scalar[c - 1] + s.stage.scalar[c]));
  return (s.viscosity * laplacian(s, l, above, u, c) - flux) + push;
}

template <class T>
HELICITY_HD T v_rate(const NsStep<T>& s, const NsLevel<T>& l, const NsLevel<T>& above, Index c)
{
  const T *u = s.stage.u, *v = s.stage.v, *w = s.stage.w;
  const Index one = 1, sj = s.sj, sk = s.sk;
  T flux = (carried(u, v, c + 1, sj, one) - carried(u, v, c, sj, one)) * s.per_dx;
  flux = flux + T(0.25) * (square(v[c] + v[c + sj]) - square(v[c - sj] + v[c])) * s.per_dy;
  flux = flux + (carried(w, v, c + sk, sj, sk) - carried(w, v, c, sj, sk)) * l.per_dz;
  T push = s.force_y;
  if (s.stage.scalar != nullptr)
    push = push + s.lift_y * (T(0.5) * (s.stage.scalar[c - sj] + s.stage.scalar[c]));
  return (s.viscosity * laplacian(s, l, above, v, c) - flux) + push;
}

/// w carried through the face between c - stride and c by a velocity that stands at centres'
/// height.
template <class T>
HELICITY_HD T carried_w(const NsStep<T>& s, const NsLevel<T>& l, const T* flow, Index c,
                        Index stride)
{
  const T* w = s.stage.w;
  const T through = l.below * flow[c - s.sk] + l.above * flow[c];
  return T(0.5) * (through * (w[c - stride] + w[c]));
}

template <class T>
HELICITY_HD T w_rate(const NsStep<T>& s, const NsLevel<T>& below, const NsLevel<T>& l, Index c)
{
  const T *u = s.stage.u, *v = s.stage.v, *w = s.stage.w;
  const Index one = 1, sj = s.sj, sk = s.sk;
  T flux = (carried_w(s, l, u, c + 1, one) - carried_w(s, l, u, c, one)) * s.per_dx;
  flux = flux + (carried_w(s, l, v, c + sj, sj) - carried_w(s, l, v, c, sj)) * s.per_dy;
  flux = flux + T(0.25) * (square(w[c] + w[c + sk]) - square(w[c - sk] + w[c])) * l.per_gap;
  const T up = (w[c + sk] - w[c]) * l.per_dz - (w[c] - w[c - sk]) * below.per_dz;
  T push = s.force_z;
  if (s.stage.scalar != nullptr)
    push = push + s.lift_z * (l.above * s.stage.scalar[c - sk] + l.below * s.stage.scalar[c]);
  return (s.viscosity * (spread_across(s, w, c) + up * l.per_gap) - flux) + push;
}

template <class T>
HELICITY_HD T scalar_rate(const NsStep<T>& s, const NsLevel<T>& l, const NsLevel<T>& above, Index c)
{
  const T *u = s.stage.u, *v = s.stage.v, *w = s.stage.w, *b = s.stage.scalar;
  const Index sj = s.sj, sk = s.sk;
  const T half = T(0.5);
  T flux = half * (u[c + 1] * (b[c] + b[c + 1]) - u[c] * (b[c - 1] + b[c])) * s.per_dx;
  flux = flux + half * (v[c + sj] * (b[c] + b[c + sj]) - v[c] * (b[c - sj] + b[c])) * s.per_dy;
  flux = flux + half * (w[c + sk] * (b[c] + b[c + sk]) - w[c] * (b[c - sk] + b[c])) * l.per_dz;
  return s.diffusivity * laplacian(s, l, above, b, c) - flux;
}

/// One value of a substage. @param slope  of the pressure
template <class T>
HELICITY_HD void step_value(const NsStep<T>& s, const T* stage, T* next, T* rate, Index c, T now,
                            T slope)
{
  next[c] = stage[c] + ((s.step_now * now + s.step_before * rate[c]) - s.step * slope);
  rate[c] = now;
}

template <class T>
HELICITY_HD T divergence(const NsStep<T>& s, const NsLevel<T>& l, const NsFields<T>& f, Index c)
{
  return ((f.u[c + 1] - f.u[c]) * s.per_dx + (f.v[c + s.sj] - f.v[c]) * s.per_dy) +
         (f.w[c + s.sk] - f.w[c]) * l.per_dz;
}

template <class T>
HELICITY_HD T slope_x(const NsStep<T>& s, const T* p, Index c)
{
  return (p[c] - p[c - 1]) * s.per_dx;
}

template <class T>
HELICITY_HD T slope_y(const NsStep<T>& s, const T* p, Index c)
{
  return (p[c] - p[c - s.sj]) * s.per_dy;
}

template <class T>
HELICITY_HD T slope_z(const NsStep<T>& s, const NsLevel<T>& l, const T* p, Index c)
{
  return (p[c] - p[c - s.sk]) * l.per_gap;
}

template <class T>
HELICITY_HD bool is_bad(const NsStep<T>& s, const NsLevel<T>& l, Index c, T step, T limit)
{
  const NsFields<T>& f = s.stage;
  const T courant = ((magnitude(f.u[c]) * s.per_dx + magnitude(f.v[c]) * s.per_dy) +
                     magnitude(f.w[c]) * l.per_dz) *
                    step;
  const bool finite = f.scalar == nullptr || f.scalar[c] - f.scalar[c] == T(0);
  return !(courant <= limit) || !finite;
}

}  // namespace helicity::fluid::detail
