// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <math.h>

namespace helicity::weather {

HELICITY_HD float magnitude(float x) { return ::fabsf(x); }
HELICITY_HD double magnitude(double x) { return ::fabs(x); }

template <class T>
HELICITY_HD T positive_part(T x)
{
  return x > T(0) ? x : T(0);
}

/// Interpolation to a face from the values b2 b1 b0 | a0 a1 a2 along an axis, the bar being the
/// face:
///   even = e0 (b0 + a0) + e1 (b1 + a1) + e2 (b2 + a2),
///   odd  = o0 (a0 - b0) + o1 (a1 - b1) + o2 (a2 - b2),
/// and the flux of a mass flux m is m even - |m| odd. Mirror images give mirrored bits.
template <class T>
struct Weights
{
  T e0 = 0, e1 = 0, e2 = 0, o0 = 0, o1 = 0, o2 = 0;
};

/// Weights of order 1 to 6: even orders are centred, odd ones the even order above with its
/// upwinding.
/// @see Wicker & Skamarock (2002), Mon. Weather Rev. 130, 2088, eqs. 4
template <class T>
HELICITY_HD Weights<T> weights_of_order(int order)
{
  Weights<double> w;
  if (order <= 2) {
    w.e0 = 1. / 2;
    w.o0 = order == 1 ? 1. / 2 : 0;
  } else if (order <= 4) {
    w.e0 = 7. / 12;
    w.e1 = -1. / 12;
    w.o0 = order == 3 ? 3. / 12 : 0;
    w.o1 = order == 3 ? -1. / 12 : 0;
  } else {
    w.e0 = 37. / 60;
    w.e1 = -8. / 60;
    w.e2 = 1. / 60;
    w.o0 = order == 5 ? 10. / 60 : 0;
    w.o1 = order == 5 ? -5. / 60 : 0;
    w.o2 = order == 5 ? 1. / 60 : 0;
  }
  return {static_cast<T>(w.e0), static_cast<T>(w.e1), static_cast<T>(w.e2),
          static_cast<T>(w.o0), static_cast<T>(w.o1), static_cast<T>(w.o2)};
}

/// Order to use where only `cells` values lie on the nearer side of a face: 2, then 4 (3 if
/// upwind).
HELICITY_HD constexpr int order_near_lid(int order, long cells)
{
  if (cells <= 1) return order < 2 ? order : 2;
  if (cells == 2 && order > 4) return order == 5 ? 3 : 4;
  return order;
}

/// Values about a face, in order along the axis.
template <class T>
struct Stencil
{
  T b2, b1, b0, a0, a1, a2;
};

template <class T>
HELICITY_HD T even_part(const Stencil<T>& q, const Weights<T>& w)
{
  return w.e0 * (q.b0 + q.a0) + w.e1 * (q.b1 + q.a1) + w.e2 * (q.b2 + q.a2);
}

template <class T>
HELICITY_HD T odd_part(const Stencil<T>& q, const Weights<T>& w)
{
  return w.o0 * (q.a0 - q.b0) + w.o1 * (q.a1 - q.b1) + w.o2 * (q.a2 - q.b2);
}

/// Flux of q through the face that the mass flux m crosses, positive along the axis.
template <class T>
HELICITY_HD T advective_flux(T m, const Stencil<T>& q, const Weights<T>& w)
{
  return m * even_part(q, w) - magnitude(m) * odd_part(q, w);
}

}  // namespace helicity::weather
