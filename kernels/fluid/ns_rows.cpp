// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: cells of a row in SIMD lanes.
#include <fluid/ns_rows.hpp>
#include <helicity/fluid/detail/ns_points.hpp>
#include <helicity/grid/simd_loop.hpp>

namespace helicity::fluid {
namespace HELICITY_ISA {
namespace {

using namespace detail;

template <class T>
bool moves_v(const NsStep<T>& s, Index j)
{
  return s.has_v && !(s.wall_low_j && j == 0);
}

template <class T>
bool moves_w(const NsStep<T>& s, Index k)
{
  return s.has_w && !(s.wall_low_k && k == 0);
}

template <class T>
void advance_u(const NsStep<T>& s, Index row, const NsLevel<T>& l, const NsLevel<T>& above)
{
  const Index n = s.cells.i;
  HELICITY_SIMD_LOOP
  for (Index i = s.wall_low_i ? 1 : 0; i < n; ++i) {
    const Index c = row + i;
    step_value(s, s.stage.u, s.next.u, s.rate.u, c, u_rate(s, l, above, c),
               slope_x(s, s.pressure, c));
  }
}

template <class T>
void advance_v(const NsStep<T>& s, Index row, const NsLevel<T>& l, const NsLevel<T>& above)
{
  const Index n = s.cells.i;
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) {
    const Index c = row + i;
    step_value(s, s.stage.v, s.next.v, s.rate.v, c, v_rate(s, l, above, c),
               slope_y(s, s.pressure, c));
  }
}

template <class T>
void advance_w(const NsStep<T>& s, Index row, const NsLevel<T>& below, const NsLevel<T>& l)
{
  const Index n = s.cells.i;
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) {
    const Index c = row + i;
    step_value(s, s.stage.w, s.next.w, s.rate.w, c, w_rate(s, below, l, c),
               slope_z(s, l, s.pressure, c));
  }
}

template <class T>
void advance_scalar(const NsStep<T>& s, Index row, const NsLevel<T>& l, const NsLevel<T>& above)
{
  const Index n = s.cells.i;
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) {
    const Index c = row + i;
    step_value(s, s.stage.scalar, s.next.scalar, s.rate.scalar, c, scalar_rate(s, l, above, c),
               T(0));
  }
}

template <class T>
void advance(const NsStep<T>& given, Index j, Index k)
{
  const NsStep<T> s = given;
  const NsLevel<T> below = s.level[k - 1], l = s.level[k], above = s.level[k + 1];
  const Index row = s.at(0, j, k);
  advance_u(s, row, l, above);
  if (moves_v(s, j)) advance_v(s, row, l, above);
  if (moves_w(s, k)) advance_w(s, row, below, l);
  if (s.stage.scalar != nullptr) advance_scalar(s, row, l, above);
}

template <class T>
void divergence_row(const NsStep<T>& given, const View3<T>& out, Index j, Index k)
{
  const NsStep<T> s = given;
  const NsLevel<T> l = s.level[k];
  const Index row = s.at(0, j, k), n = s.cells.i;
  const T per_step = T(1) / s.step;
  T* to = &out(0, j, k);
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) to[i] = divergence(s, l, s.next, row + i) * per_step;
}

template <class T>
void correct_row(const NsStep<T>& given, Index j, Index k)
{
  const NsStep<T> s = given;
  const NsLevel<T> l = s.level[k];
  const Index row = s.at(0, j, k), n = s.cells.i;
  HELICITY_SIMD_LOOP
  for (Index i = s.wall_low_i ? 1 : 0; i < n; ++i)
    s.next.u[row + i] -= s.step * slope_x(s, s.potential, row + i);
  if (moves_v(s, j)) {
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i) s.next.v[row + i] -= s.step * slope_y(s, s.potential, row + i);
  }
  if (moves_w(s, k)) {
    HELICITY_SIMD_LOOP
    for (Index i = 0; i < n; ++i) s.next.w[row + i] -= s.step * slope_z(s, l, s.potential, row + i);
  }
  HELICITY_SIMD_LOOP
  for (Index i = 0; i < n; ++i) s.pressure[row + i] += s.potential[row + i];
}

template <class T>
inline constexpr NsRows<T> rows{advance<T>, divergence_row<T>, correct_row<T>};

}  // namespace

const NsRows<float>& ns_rows_float() { return rows<float>; }
const NsRows<double>& ns_rows_double() { return rows<double>; }

}  // namespace HELICITY_ISA
}  // namespace helicity::fluid
