// SPDX-License-Identifier: Apache-2.0
// The kernels of a substage on a device give the bits of the CPU.
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/fluid/ns_step.hpp>
#include <helicity/grid/field.hpp>
#include <helicity/grid/hash.hpp>
#include <helicity/io/block.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

namespace helicity::test {
namespace {

using fluid::NsLevel;
using fluid::NsStep;

enum Part : int { u, v, w, scalar, pressure, potential, out, parts };

/// Fields at the start, after, and their rates, all numbers uneven, halos too.
template <class T>
struct Bench
{
  Bench(Index3 cells, const Executor& executor)
      : exec(executor),
        stage(shape(cells), executor),
        next(shape(cells), executor),
        rate(shape(cells), executor)
  {
    int seed = 1;
    for (grid::Field<T>* field : {&stage, &next, &rate}) fill(*field, seed++);
    std::vector<NsLevel<T>> levels;
    for (Index k = -1; k <= cells.k; ++k) {
      const T a = T(1) + T(0.1) * static_cast<T>(k);
      levels.push_back({a, a + T(0.05), T(0.45), T(0.55)});
    }
    const auto* cuda = std::get_if<Cuda>(&exec);
    level = cuda ? Buffer<NsLevel<T>>(MemoryKind::device, levels.size(), *cuda)
                 : Buffer<NsLevel<T>>(MemoryKind::host, levels.size());
    if (cuda) {
      copy_bytes(level.data(), levels.data(), level.bytes(), *cuda);
      synchronize(*cuda);
    } else {
      std::copy(levels.begin(), levels.end(), level.data());
    }
  }

  static grid::FieldShape shape(Index3 cells)
  {
    return {.cells = cells, .halo = {1, 1, 1}, .components = parts};
  }

  static void fill(grid::Field<T>& field, int seed)
  {
    grid::Field<T> host(field.shape(), Cpu{1});
    const Index3 n = host.shape().cells;
    for (int c = 0; c < parts; ++c)
      for (Index k = -1; k <= n.k; ++k)
        for (Index j = -1; j <= n.j; ++j)
          for (Index i = -1; i <= n.i; ++i)
            host.view(c)(i, j, k) =
                static_cast<T>(std::sin(0.7 * static_cast<double>(i + 3 * j + 5 * k) + seed * c));
    if (const auto* cuda = std::get_if<Cuda>(&field.executor())) {
      copy_bytes(field.buffer().data(), host.buffer().data(), host.buffer().bytes(), *cuda);
      synchronize(*cuda);
    } else {
      field = std::move(host);
    }
  }

  fluid::NsFields<T> fields(grid::Field<T>& f, bool has_scalar)
  {
    return {f.view(u).origin, f.view(v).origin, f.view(w).origin,
            has_scalar ? f.view(scalar).origin : nullptr};
  }

  NsStep<T> step(bool walls, bool has_scalar)
  {
    NsStep<T> s;
    const View3<T> view = stage.view(0);
    s.cells = stage.shape().cells;
    s.sj = s.cells.j > 1 ? view.sj : 0;
    s.sk = s.cells.k > 1 ? view.sk : 0;
    s.has_v = s.cells.j > 1;
    s.has_w = s.cells.k > 1;
    s.wall_low_i = s.wall_low_j = s.wall_low_k = walls;
    s.level = level.data() + 1;
    s.stage = fields(stage, has_scalar);
    s.next = fields(next, has_scalar);
    s.rate = fields(rate, has_scalar);
    s.pressure = stage.view(pressure).origin;
    s.potential = stage.view(potential).origin;
    s.per_dx = T(3.1);
    s.per_dy = T(2.7);
    s.viscosity = T(0.02);
    s.diffusivity = T(0.03);
    s.force_x = T(0.1);
    s.lift_y = T(0.2);
    s.lift_z = T(0.3);
    s.step_now = T(0.011);
    s.step_before = T(-0.004);
    s.step = T(0.007);
    return s;
  }

  Executor exec;
  grid::Field<T> stage, next, rate;
  Buffer<NsLevel<T>> level;
};

/// Everything that the kernels write, as hashes, and what the reductions say.
template <class T>
std::vector<double> run(Index3 cells, const Executor& executor, bool walls, bool has_scalar)
{
  Bench<T> bench(cells, executor);
  const NsStep<T> s = bench.step(walls, has_scalar);
  return std::visit(
      [&](auto exec) {
        std::vector<double> found;
        fluid::ns_advance(exec, s);
        fluid::ns_divergence(exec, s, bench.stage.view(out));
        fluid::ns_correct(exec, s);
        for (grid::Field<T>* field : {&bench.stage, &bench.next, &bench.rate})
          for (int c = 0; c < parts; ++c)
            for (const T x : io::gather_block(*field, c)) found.push_back(static_cast<double>(x));
        found.push_back(fluid::ns_largest_divergence(exec, s));
        for (const T limit : {T(0.01), T(100)})
          found.push_back(static_cast<double>(
              fluid::ns_first_bad_cell(exec, s, Index3{}, cells, T(0.01), limit)));
        return found;
      },
      executor);
}

template <class T>
void check(Index3 cells)
{
  for (const bool walls : {false, true})
    for (const bool has_scalar : {false, true}) {
      const std::vector<double> want = run<T>(cells, Cpu{2}, walls, has_scalar),
                                got = run<T>(cells, Cuda{}, walls, has_scalar);
      EXPECT_EQ(got, want) << walls << has_scalar;
      EXPECT_GE(want[want.size() - 2], 0);
      EXPECT_EQ(want.back(), -1);
    }
}

TEST(NsGpu, substages_have_the_bits_of_the_cpu)
{
  if (device_count() == 0) GTEST_SKIP() << "no CUDA device";
  check<float>({35, 7, 6});
  check<double>({17, 5, 9});
  check<float>({40, 1, 8});
  check<double>({13, 11, 1});
}

}  // namespace
}  // namespace helicity::test
