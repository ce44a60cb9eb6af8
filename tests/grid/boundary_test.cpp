// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/grid/boundary.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace helicity::grid {
namespace {

/// What a field should hold afterwards, said cell by cell.
template <class T>
struct Oracle
{
  FieldShape shape;
  FaceConditions conditions;
  FaceFlags at_end;

  T before(Index3 c) const
  {
    return static_cast<T>(shape.owned().contains(c) ? 1 + c.i + 20 * c.j + 400 * c.k : -7);
  }

  bool across(int axis) const { return static_cast<int>(shape.stagger) == axis + 1; }

  /// The axis that was filled last decides.
  T after(Index3 c, int axis = 2) const
  {
    if (axis < 0) return before(c);
    const Index n = shape.cells[axis];
    const bool on_low = across(axis) && c[axis] == 0, on_high = across(axis) && c[axis] == n;
    if (c[axis] < 0 || on_low) return beyond(c, axis, false, on_low);
    if (c[axis] >= n) return beyond(c, axis, true, on_high);
    return after(c, axis - 1);
  }

  T beyond(Index3 c, int axis, bool high, bool on_plane) const
  {
    const auto face = static_cast<std::size_t>(2 * axis + (high ? 1 : 0));
    const FaceCondition& f = conditions[face];
    const Index n = shape.cells[axis];
    if (shape.halo[axis] == 0 || !at_end[face] || f.kind == BoundaryKind::periodic ||
        f.kind == BoundaryKind::user)
      return after(c, axis - 1);
    if (f.kind == BoundaryKind::inflow) return static_cast<T>(f.value);
    Index3 source = c;
    if (f.kind == BoundaryKind::outflow) {
      source[axis] = high ? n - 1 : across(axis) ? 1 : 0;
      return after(source, axis - 1);
    }
    const bool odd = f.parity == Parity::odd;
    if (on_plane) return odd ? static_cast<T>(f.value) : after(c, axis - 1);
    if (across(axis))
      source[axis] = high ? n - (c[axis] - n) : -c[axis];
    else
      source[axis] = high ? n - 1 - (c[axis] - n) : -1 - c[axis];
    const T mirror = after(source, axis - 1);
    return odd ? static_cast<T>(2 * f.value) - mirror : mirror;
  }
};

template <class Visit>
void visit(Box box, Visit&& f)
{
  for (Index k = box.lo.k; k < box.hi.k; ++k)
    for (Index j = box.lo.j; j < box.hi.j; ++j)
      for (Index i = box.lo.i; i < box.hi.i; ++i) f(Index3{i, j, k});
}

template <class T>
void move(Field<T>& to, Field<T>& from, const Executor& executor)
{
  if (const auto* cuda = std::get_if<Cuda>(&executor)) {
    copy(to.buffer(), from.buffer(), from.buffer().size(), *cuda);
    synchronize(*cuda);
  } else {
    std::ranges::copy(from.buffer().span(), to.buffer().span().begin());
  }
}

template <class T>
void check(const Oracle<T>& oracle, const Executor& executor)
{
  const FieldShape& shape = oracle.shape;
  const int component = shape.components - 1;
  Field<T> host(shape, Cpu{1}), field(shape, executor);
  const View3<T> v = host.view(component);
  visit(shape.with_halo(), [&](Index3 c) { v[c] = oracle.before(c); });
  move(field, host, executor);
  fill_boundary(executor, field, component, oracle.conditions, oracle.at_end);
  move(host, field, executor);
  int wrong = 0;
  visit(shape.with_halo(), [&](Index3 c) {
    if (v[c] == oracle.after(c) || ++wrong > 3) return;
    ADD_FAILURE() << "cell " << c.i << ' ' << c.j << ' ' << c.k << ": " << v[c] << " instead of "
                  << oracle.after(c);
  });
  EXPECT_EQ(wrong, 0);
}

/// Each condition on each face, with all kinds of neighbours.
std::vector<FaceConditions> mixtures()
{
  using enum BoundaryKind;
  const std::vector<FaceCondition> kinds = {
      {.kind = wall, .value = 0.5, .parity = Parity::odd},
      {.kind = symmetry, .parity = Parity::even},
      {.kind = inflow, .value = 2.25},
      {.kind = outflow},
      {.kind = periodic},
      {.kind = wall, .parity = Parity::even},
      {.kind = symmetry, .parity = Parity::odd},
      {.kind = user},
  };
  std::vector<FaceConditions> all;
  for (std::size_t first = 0; first < kinds.size(); ++first)
    for (const std::size_t step : {0U, 1U, 3U}) {
      FaceConditions& conditions = all.emplace_back();
      for (std::size_t face = 0; face < 6; ++face)
        conditions[face] = kinds[(first + step * face) % kinds.size()];
    }
  return all;
}

template <class T>
void check_all(const Executor& executor)
{
  const FaceFlags everywhere{true, true, true, true, true, true};
  const FaceFlags somewhere{true, false, false, true, false, false};
  for (const Stagger stagger : {Stagger::centre, Stagger::face_i, Stagger::face_j, Stagger::face_k})
    for (const Index3 halo : {Index3{1, 1, 1}, Index3{3, 2, 3}, Index3{0, 2, 1}})
      for (const auto& conditions : mixtures())
        for (const auto& flags : {everywhere, somewhere})
          check<T>(
              {.shape = {.cells = {7, 4, 5}, .halo = halo, .components = 2, .stagger = stagger},
               .conditions = conditions,
               .at_end = flags},
              executor);
}

TEST(Boundary, FillsAsTheRulesSay)
{
  check_all<float>(Cpu{2});
  check_all<double>(Cpu{1});
}

TEST(Boundary, FillsOnADevice)
{
  if (device_count() == 0) GTEST_SKIP() << "no CUDA device";
  const Stream stream(0);
  check_all<float>(stream.exec());
  check_all<double>(stream.exec());
}

TEST(Boundary, RefusesWhatCannotBeReflected)
{
  const FaceConditions walls = [] {
    FaceConditions all;
    all.fill({.kind = BoundaryKind::wall});
    return all;
  }();
  const FaceFlags everywhere{true, true, true, true, true, true};
  Field<float> thin({.cells = {2, 8, 8}, .halo = {3, 1, 1}}, Cpu{1});
  EXPECT_THROW(fill_boundary(Cpu{1}, thin, 0, walls, everywhere), UsageError);
  EXPECT_THROW(fill_boundary(Cpu{1}, thin, 1, {}, everywhere), UsageError);
  EXPECT_NO_THROW(fill_boundary(Cpu{1}, thin, 0, {}, everywhere));
}

}  // namespace
}  // namespace helicity::grid
