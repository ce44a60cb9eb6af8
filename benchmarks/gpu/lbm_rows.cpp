// SPDX-License-Identifier: Apache-2.0
// Lattice Boltzmann kernels. Least traffic: all populations read and written once, and a flag.
#include "row.hpp"

#include <helicity/fluid/lbm_step.hpp>
#include <helicity/grid/field.hpp>

#include <fmt/format.h>

namespace gpu_rows {

using namespace helicity;

namespace {

template <class T>
constexpr const char* type_name = sizeof(T) == 4 ? "float" : "double";

template <class T>
fluid::Populations<T> populations(grid::Field<T>& field)
{
  const View3<T> v = field.view();
  return {v.origin, v.sj, v.sk, field.component_stride(), field.shape().cells};
}

template <class T>
void measure_lattice(const Bench& bench, fluid::LatticeKind lattice, Index n, bool masked)
{
  const bool plane = lattice == fluid::LatticeKind::d2q9;
  const int q = plane ? 9 : 19;
  const auto shape = [&] {
    return grid::FieldShape{.cells = {n, n, plane ? 1 : n}, .halo = {1, 1, 1}, .components = q};
  };
  const auto most = static_cast<Index>(bench.device.free_memory / 10 * 8);
  while (grid::Field<T>::bytes_for(shape()) > most) n -= n / 8;

  grid::Field<T> field(shape(), bench.exec);
  grid::Field<std::uint8_t> flags(
      {.cells = masked ? shape().cells : Index3{1, 1, 1}, .halo = {1, 1, 1}}, bench.exec);
  fluid::FluidCells where;
  if (masked) where.flags = std::as_const(flags).view();
  const fluid::Populations<T> f = populations(field);
  const fluid::Relaxation<T> r{T(1.9), T(0.5)};
  const double seconds = device_seconds(bench, [&] {
    using fluid::Layout;
    fluid::lbm_step(bench.exec, lattice, Layout::own, f, field.owned(), r, where);
    fluid::lbm_step(bench.exec, lattice, Layout::neighbour, f, field.owned(), r, where);
  });
  const double bytes = 2.0 * q * sizeof(T) + 1;
  const auto cells = static_cast<double>(volume(shape().cells));
  bench.report({fmt::format("lbm_step {} {}{}", plane ? "D2Q9" : "D3Q19", type_name<T>,
                            masked ? ", flags" : ""),
                fmt::format("{}^{}", n, plane ? 2 : 3), 2e-9 * cells / seconds, "GLUPS",
                1e-9 * bench.copy_rate / bytes, fmt::format("copy, {} B", bytes)});
}

/// What snapshots and health checks read: 19 populations in, 4 moments out.
void measure_moments(const Bench& bench)
{
  const Index n = bench.pick<Index>(24, 384);
  const Index3 cells{n, n, n};
  grid::Field<float> field({.cells = cells, .halo = {1, 1, 1}, .components = 19}, bench.exec);
  grid::Field<float> moments({.cells = cells, .components = 4}, bench.exec);
  const grid::Field<std::uint8_t> flags({.cells = cells}, bench.exec);
  const fluid::Populations<float> f = populations(field), out = populations(moments);
  const fluid::Populations<const float> in{f.origin, f.sj, f.sk, f.sc, f.cells};
  const fluid::Relaxation<float> r{1.9F, 0.5F};
  const double seconds = device_seconds(bench, [&] {
    fluid::lbm_moments(bench.exec, fluid::LatticeKind::d3q19, fluid::Layout::own, in, r,
                       flags.view(), out);
  });
  constexpr double bytes = (19 + 4) * sizeof(float) + 1;
  bench.report({"lbm_moments D3Q19 float", fmt::format("{}^3", n),
                1e-9 * static_cast<double>(volume(cells)) / seconds, "GLUPS",
                1e-9 * bench.copy_rate / bytes, fmt::format("copy, {} B", bytes)});
}

}  // namespace

void measure_lbm(const Bench& bench)
{
  using enum fluid::LatticeKind;
  const Index cube = bench.pick<Index>(24, 512), square = bench.pick<Index>(96, 16384);
  measure_lattice<float>(bench, d3q19, cube, false);
  measure_lattice<float>(bench, d3q19, cube, true);
  measure_lattice<double>(bench, d3q19, cube, false);
  measure_lattice<float>(bench, d2q9, square, false);
  measure_lattice<double>(bench, d2q9, square, false);
  if (bench.size == Size::full) {
    for (const Index n : {128, 256, 768}) measure_lattice<float>(bench, d3q19, n, false);
    for (const Index n : {128, 256, 640}) measure_lattice<double>(bench, d3q19, n, true);
    measure_lattice<float>(bench, d2q9, 4096, true);
  }
  measure_moments(bench);
}

}  // namespace gpu_rows
