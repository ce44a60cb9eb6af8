// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/grid/field.hpp>

#include <cstdint>

namespace helicity::test {

/// A number that a component and a global cell determine, also in uint8 and float.
template <class T>
T value_of(int component, Index3 cell)
{
  const auto mixed = static_cast<std::uint64_t>(cell.i * 7 + cell.j * 131 + cell.k * 1009 +
                                                component * 65537 + 1) *
                     0x9e3779b97f4a7c15ULL;
  return static_cast<T>(mixed >> 57);  // 0 to 127
}

/// Calls f(component, local, global cell) for every owned cell of a field.
template <class T, class F>
void for_values(const grid::Field<T>& field, F&& f)
{
  const grid::FieldShape& shape = field.shape();
  for (int c = 0; c < shape.components; ++c)
    for (Index k = 0; k < shape.cells.k; ++k)
      for (Index j = 0; j < shape.cells.j; ++j)
        for (Index i = 0; i < shape.cells.i; ++i)
          f(c, Index3{i, j, k}, Index3{i, j, k} + shape.offset);
}

/// This rank's part of a field over the grid, with a halo; zero.
template <class T>
grid::Field<T> field_of(const comm::Communicator& comm, const comm::Decomposition& split,
                        int components = 1)
{
  const grid::Box box = split.box(comm.rank());
  return {{.cells = box.size(), .halo = {2, 1, 1}, .offset = box.lo, .components = components},
          Cpu{1}};
}

/// The same with value_of() everywhere.
template <class T>
grid::Field<T> filled(const comm::Communicator& comm, const comm::Decomposition& split,
                      int components = 1)
{
  grid::Field<T> field = field_of<T>(comm, split, components);
  for_values(field, [&](int c, Index3 local, Index3 global) {
    field.view(c)[local] = value_of<T>(c, global);
  });
  return field;
}

/// How many owned cells do not hold value_of().
template <class T>
int wrong_values(const grid::Field<T>& field)
{
  int wrong = 0;
  for_values(field, [&](int c, Index3 local, Index3 global) {
    if (field.view(c)[local] != value_of<T>(c, global)) ++wrong;
  });
  return wrong;
}

}  // namespace helicity::test
