// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/grid/boundary.hpp>
#include <helicity/grid/detail/ghost_cell.hpp>

#include <fmt/format.h>

#include <variant>

namespace helicity::grid {
namespace {

using detail::GhostCell;
using detail::GhostRule;

/// One end of the domain, as one variable sees it.
struct End
{
  int axis = 0;
  bool high = false;
  bool across = false;  // values stand on faces across the axis, one of them on the plane
  Index cells = 0;      // owned along the axis
  Index halo = 0;

  /// Index of the first value beyond the domain, counted outwards.
  Index outside() const { return high ? cells + (across ? 1 : 0) : -1; }

  /// Index of the value on the plane. @pre across
  Index plane() const { return high ? cells : 0; }

  /// Index of the last value inside.
  Index inside() const { return high ? cells - 1 : across ? 1 : 0; }

  /// Sum of the indices of a value and its mirror.
  Index mirror() const { return across ? 2 * plane() : high ? 2 * cells - 1 : -1; }
};

/// The part of a box at indices from `first` outwards.
Box beyond(Box box, const End& end, Index first)
{
  (end.high ? box.lo : box.hi)[end.axis] = end.high ? first : first + 1;
  return box;
}

/// The part of a box at the index of the plane.
Box on_plane(Box box, const End& end)
{
  box.lo[end.axis] = end.plane();
  box.hi[end.axis] = end.plane() + 1;
  return box;
}

template <class T>
void write(const Executor& executor, Box box, const GhostCell<T>& cell)
{
  std::visit([&](auto exec) { detail::write_ghosts(exec, box, cell); }, executor);
}

template <class T>
void reflect(const Executor& executor, Box all, const End& end, const FaceCondition& condition,
             GhostCell<T> cell)
{
  const bool odd = condition.parity == Parity::odd;
  if (odd && end.across) {
    cell.rule = GhostRule::fixed;
    cell.value = static_cast<T>(condition.value);
    write(executor, on_plane(all, end), cell);
  }
  cell.rule = odd ? GhostRule::negated : GhostRule::mirrored;
  cell.place = end.mirror();
  cell.value = static_cast<T>(2 * condition.value);
  write(executor, beyond(all, end, end.outside()), cell);
}

template <class T>
void fill_end(const Executor& executor, Box all, const End& end, const FaceCondition& condition,
              GhostCell<T> cell)
{
  const Index first = end.across ? end.plane() : end.outside();
  switch (condition.kind) {
    case BoundaryKind::periodic:
    case BoundaryKind::user: return;
    case BoundaryKind::wall:
    case BoundaryKind::symmetry: return reflect(executor, all, end, condition, cell);
    case BoundaryKind::inflow:
      cell.rule = GhostRule::fixed;
      cell.value = static_cast<T>(condition.value);
      return write(executor, beyond(all, end, first), cell);
    case BoundaryKind::outflow:
      cell.rule = GhostRule::copied;
      cell.place = end.inside();
      return write(executor, beyond(all, end, first), cell);
  }
}

bool reflects(const FaceCondition& condition)
{
  return condition.kind == BoundaryKind::wall || condition.kind == BoundaryKind::symmetry;
}

bool is_across(Stagger stagger, int axis)
{
  return (stagger == Stagger::face_i && axis == 0) || (stagger == Stagger::face_j && axis == 1) ||
         (stagger == Stagger::face_k && axis == 2);
}

End end_of(const FieldShape& shape, int face)
{
  const int axis = face / 2;
  return {.axis = axis,
          .high = face % 2 == 1,
          .across = is_across(shape.stagger, axis),
          .cells = shape.cells[axis],
          .halo = shape.halo[axis]};
}

void check(const FieldShape& shape, int component, const FaceConditions& conditions,
           const FaceFlags& at_end)
{
  if (component < 0 || component >= shape.components)
    throw UsageError(fmt::format("component {} of {}", component, shape.components));
  for (std::size_t face = 0; face < 6; ++face) {
    const End end = end_of(shape, static_cast<int>(face));
    const Index wanted = end.halo + (end.across ? 1 : 0);
    if (at_end[face] && reflects(conditions[face]) && end.cells < wanted)
      throw UsageError(fmt::format(
          "a reflection at an end of axis {} wants {} cells, where a rank owns {}: use fewer ranks",
          end.axis, wanted, end.cells));
  }
}

}  // namespace

template <class T>
void fill_boundary(const Executor& executor, Field<T>& field, int component,
                   const FaceConditions& conditions, const FaceFlags& at_end)
{
  const FieldShape& shape = field.shape();
  check(shape, component, conditions, at_end);
  for (std::size_t face = 0; face < 6; ++face) {
    const End end = end_of(shape, static_cast<int>(face));
    if (!at_end[face] || end.halo == 0) continue;
    const GhostCell<T> cell{.cells = field.view(component), .axis = end.axis};
    fill_end(executor, shape.with_halo(), end, conditions[face], cell);
  }
}

template void fill_boundary(const Executor&, Field<float>&, int, const FaceConditions&,
                            const FaceFlags&);
template void fill_boundary(const Executor&, Field<double>&, int, const FaceConditions&,
                            const FaceFlags&);

}  // namespace helicity::grid
