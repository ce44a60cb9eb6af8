// SPDX-License-Identifier: Apache-2.0
// Reductions over the cells of a field, the wait for the result included. Least traffic: each value
// is read once.
#include "row.hpp"

#include <helicity/grid/field.hpp>
#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace gpu_rows {

using namespace helicity;

namespace {

template <class T>
struct Value
{
  View3<const T> field;

  __device__ double operator()(Index i, Index j, Index k) const { return field(i, j, k); }
};

template <class T>
struct Hash
{
  View3<const T> field;

  __device__ std::uint64_t operator()(Index i, Index j, Index k) const
  {
    return grid::hash_cell(grid::bits_of(field(i, j, k)), static_cast<std::uint64_t>(i));
  }
};

/// Values of both signs and many sizes.
template <class T>
struct Fill
{
  View3<T> field;

  __device__ void operator()(Index i, Index j, Index k) const
  {
    const auto mixed =
        grid::hash_cell(static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j) << 16 |
                            static_cast<std::uint64_t>(k),
                        1);
    const auto size = static_cast<T>(std::uint64_t{1} << (mixed & 31));
    field(i, j, k) = static_cast<T>(static_cast<std::int32_t>(mixed >> 32)) / size;
  }
};

template <class T>
void measure_type(const Bench& bench, const char* type)
{
  const Index n = bench.pick<Index>(24, sizeof(T) == 4 ? 768 : 608);
  const Index3 cells{n, n, n};
  grid::Field<T> field({.cells = cells}, bench.exec);
  grid::for_cells(bench.exec, field.owned(), Fill<T>{field.view()});
  const View3<const T> view = std::as_const(field).view();
  const auto row = [&](const char* name, auto&& reduce) {
    const double seconds = host_seconds(bench, reduce);
    const double bytes = static_cast<double>(volume(cells)) * sizeof(T);
    bench.report({std::string(name) + " " + type, std::to_string(n) + "^3", 1e-9 * bytes / seconds,
                  "GB/s", 1e-9 * bench.copy_rate, "copy"});
  };
  row("reduce_cells, largest,",
      [&] { grid::reduce_cells<grid::Max<double>>(bench.exec, field.owned(), Value<T>{view}); });
  row("reduce_cells, hash,",
      [&] { grid::reduce_cells<grid::WrappingSum>(bench.exec, field.owned(), Hash<T>{view}); });
  row("sum_cells, exact,", [&] { grid::sum_cells(bench.exec, field.owned(), Value<T>{view}); });
}

}  // namespace

void measure_reductions(const Bench& bench)
{
  measure_type<float>(bench, "float");
  measure_type<double>(bench, "double");
}

}  // namespace gpu_rows
