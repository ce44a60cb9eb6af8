// SPDX-License-Identifier: Apache-2.0
// Tridiagonal columns against dense elimination in long double, whatever the ranks.
#include <helicity/fft/columns.hpp>

#include <helicity/comm/decomposition.hpp>

#include <comm/mpi_main.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace helicity::fft {
namespace {

using test::world;

struct Kind
{
  Index modes_i, modes_j, levels;
  bool periodic, wide;
  double held = 0;  // lower[0]: an end held at 0
};

ColumnEquations equations_of(const Kind& kind)
{
  ColumnEquations e;
  e.modes_i = kind.modes_i;
  e.modes_j = kind.modes_j;
  e.levels = kind.levels;
  e.periodic = kind.periodic;
  e.complex_values = kind.wide;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> near(0.5, 2);
  for (Index k = 0; k < e.levels; ++k) {
    e.lower.push_back(near(random));
    e.upper.push_back(near(random));
  }
  if (!kind.periodic) {
    e.lower.front() = kind.held;
    e.upper.back() = 0;
  } else {  // rows of a symmetric operator, so that a column that is free is singular
    for (Index k = 0; k < e.levels; ++k)
      e.upper[static_cast<std::size_t>(k)] = e.lower[static_cast<std::size_t>((k + 1) % e.levels)];
  }
  for (Index i = 0; i < e.modes_i; ++i)
    e.minus_i.push_back(i == 0 ? 0 : 0.1 * static_cast<double>(i * i));
  for (Index j = 0; j < e.modes_j; ++j)
    e.minus_j.push_back(j == 0 ? 0 : 0.3 * static_cast<double>(j));
  return e;
}

/// Values by global level: those of the free column sum to 0.
std::vector<double> right_sides(const Kind& kind)
{
  const Index n = kind.modes_i * (kind.wide ? 2 : 1), plane = n * kind.modes_j;
  std::vector<double> f(static_cast<std::size_t>(plane * kind.levels));
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1, 1);
  for (double& x : f) x = any(random);
  return f;
}

/// The matrix of one column applied to x, level k.
long double applied(const ColumnEquations& e, Index i, Index j, Index k,
                    const std::vector<long double>& x)
{
  const auto at = [](Index n) { return static_cast<std::size_t>(n); };
  const Index n = e.levels;
  const long double low = e.lower[at(k)], up = e.upper[at(k)];
  const long double minus = static_cast<long double>(e.minus_i[at(i)]) + e.minus_j[at(j)];
  long double sum = -(low + up + minus) * x[at(k)];
  if (k > 0 || e.periodic) sum += low * x[at((k + n - 1) % n)];
  if (k + 1 < n || e.periodic) sum += up * x[at((k + 1) % n)];
  return sum;
}

template <class T>
std::vector<T> solved(const Kind& kind, const comm::Communicator& comm, bool alone, int threads)
{
  ColumnEquations e = equations_of(kind);
  const std::vector<double> all = right_sides(kind);
  const Index n = kind.modes_i * (kind.wide ? 2 : 1);
  const Index sj = n + 3, sk = sj * kind.modes_j + 5;
  e.count = e.levels;
  if (!alone) {
    comm::DecompositionOptions options;
    options.ranks = {1, 1, comm.size()};
    const grid::Box box =
        comm::Decomposition({1, 1, e.levels}, comm.size(), options).box(comm.rank());
    e.first = box.lo.k;
    e.count = box.size().k;
  }
  std::vector<T> f(static_cast<std::size_t>(sk * e.count), T(99));
  const auto each = [&](auto&& visit) {
    for (Index k = 0; k < e.count; ++k)
      for (Index j = 0; j < kind.modes_j; ++j)
        for (Index v = 0; v < n; ++v)
          visit(static_cast<std::size_t>(k * sk + j * sj + v),
                static_cast<std::size_t>(((e.first + k) * kind.modes_j + j) * n + v));
  };
  each([&](std::size_t here, std::size_t there) { f[here] = static_cast<T>(all[there]); });
  Columns<T> columns(e, alone ? comm::Communicator() : comm, Cpu{threads});
  columns.solve(f.data(), sj, sk);
  columns.solve(f.data(), sj, sk);  // of its own result: once more with other numbers
  each([&](std::size_t here, std::size_t there) { f[here] = static_cast<T>(all[there]); });
  columns.solve(f.data(), sj, sk);
  std::vector<T> values;
  each([&](std::size_t here, std::size_t) { values.push_back(f[here]); });
  return values;
}

const Kind kinds[] = {{5, 4, 9, false, false},    {5, 4, 9, false, true, 1.5},
                      {33, 19, 16, true, true},   {7, 1, 12, true, false},
                      {1, 1, 8, false, false, 2}, {40, 18, 8, false, true},
                      {6, 3, 9, true, false}};

TEST(Columns, SolveTheirEquations)
{
  for (const Kind& kind : kinds) {
    const ColumnEquations e = equations_of(kind);
    const std::vector<double> x = solved<double>(kind, world(), true, 2), f = right_sides(kind);
    const Index wide = kind.wide ? 2 : 1, n = kind.modes_i * wide;
    const bool loose = kind.periodic || kind.held == 0;
    for (Index j = 0; j < kind.modes_j; ++j)
      for (Index v = 0; v < n; ++v) {
        const Index i = v / wide;
        std::vector<long double> column;
        for (Index k = 0; k < kind.levels; ++k)
          column.push_back(x[static_cast<std::size_t>((k * kind.modes_j + j) * n + v)]);
        const bool singular = loose && i == 0 && j == 0;
        if (singular) {
          EXPECT_EQ(column.back(), 0);
        }
        for (Index k = 0; k + (singular ? 1 : 0) < kind.levels; ++k) {
          const auto want =
              static_cast<long double>(f[static_cast<std::size_t>((k * kind.modes_j + j) * n + v)]);
          EXPECT_NEAR(static_cast<double>(applied(e, i, j, k, column) - want), 0, 2e-12)
              << v << " " << j << " " << k;
        }
      }
  }
}

template <class T>
void expect_same_bits()
{
  for (const Kind& kind : kinds) {
    if (kind.levels < world().size()) continue;
    const std::vector<T> mine = solved<T>(kind, world(), false, 2),
                         alone = solved<T>(kind, world(), true, 1);
    comm::DecompositionOptions options;
    options.ranks = {1, 1, world().size()};
    const Index first =
        comm::Decomposition({1, 1, kind.levels}, world().size(), options).box(world().rank()).lo.k;
    const auto offset =
        static_cast<std::size_t>(first * kind.modes_j * kind.modes_i * (kind.wide ? 2 : 1));
    for (std::size_t n = 0; n < mine.size(); ++n) ASSERT_EQ(mine[n], alone[offset + n]) << n;
  }
}

TEST(Columns, GiveTheSameBitsOnAllRanksFloat) { expect_same_bits<float>(); }
TEST(Columns, GiveTheSameBitsOnAllRanksDouble) { expect_same_bits<double>(); }

}  // namespace
}  // namespace helicity::fft
