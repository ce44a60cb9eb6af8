// SPDX-License-Identifier: Apache-2.0
#include "halo_case.hpp"

#include "mpi_main.hpp"

#include <helicity/grid/field.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace helicity::test {
namespace {

using comm::Decomposition;
using comm::HaloExchange;
using grid::Box;
using grid::Field;
using grid::FieldShape;

template <class Visit>
void visit(Box box, Visit&& f)
{
  for (Index k = box.lo.k; k < box.hi.k; ++k)
    for (Index j = box.lo.j; j < box.hi.j; ++j)
      for (Index i = box.lo.i; i < box.hi.i; ++i) f(Index3{i, j, k});
}

/// A number of its own for each cell and component; `round` makes other ones.
template <class T>
T value(const Decomposition& d, Index3 global, int component, int round = 0)
{
  const Index3 n = d.cells();
  const Index number = global.i + n.i * (global.j + n.j * global.k);
  return static_cast<T>(number * 3 + component + 1 + round * 7);
}

template <class T>
constexpr T untouched = static_cast<T>(60'001);

/// A field with a copy on the host that has the same layout.
template <class T>
struct Mirrored
{
  Mirrored(const FieldShape& shape, const Executor& executor)
      : field(shape, executor), host(shape, Cpu{1})
  {}

  void put() { move(field, host); }
  void get() { move(host, field); }

  void move(Field<T>& to, Field<T>& from)
  {
    const auto bytes = static_cast<std::size_t>(from.bytes());
    if (const auto* cuda = std::get_if<Cuda>(&field.executor())) {
      copy_bytes(to.buffer().data(), from.buffer().data(), bytes, *cuda);
      synchronize(*cuda);
    } else {
      std::copy(from.buffer().span().begin(), from.buffer().span().end(),
                to.buffer().span().begin());
    }
  }

  Field<T> field, host;
};

template <class T>
void fill(Mirrored<T>& m, const Decomposition& d, int round = 0)
{
  const FieldShape& shape = m.host.shape();
  for (int c = 0; c < shape.components; ++c) {
    const View3<T> v = m.host.view(c);
    visit(shape.with_halo(), [&](Index3 cell) {
      v[cell] =
          shape.owned().contains(cell) ? value<T>(d, cell + shape.offset, c, round) : untouched<T>;
    });
  }
  m.put();
}

/// Moves a global cell across periodic ends; false if it lies beyond another end.
bool wrap(const Decomposition& d, Index3& global)
{
  for (int x = 0; x < 3; ++x) {
    const Index n = d.cells()[x];
    if (global[x] >= 0 && global[x] < n) continue;
    if (!d.periodic(x)) return false;
    global[x] = (global[x] + n) % n;
  }
  return true;
}

template <class T>
void compare(Mirrored<T>& m, const Decomposition& d, Index3 width, int round = 0)
{
  m.get();
  const FieldShape& shape = m.host.shape();
  const Box reached = grid::grown(shape.owned(), width);
  int wrong = 0;
  for (int c = 0; c < shape.components; ++c) {
    const View3<T> v = m.host.view(c);
    visit(shape.with_halo(), [&](Index3 cell) {
      Index3 global = cell + shape.offset;
      const bool filled = reached.contains(cell) && wrap(d, global);
      const T expected = filled ? value<T>(d, global, c, round) : untouched<T>;
      if (v[cell] == expected || ++wrong > 3) return;
      ADD_FAILURE() << "cell " << cell.i << ' ' << cell.j << ' ' << cell.k << " component " << c
                    << ": " << +v[cell] << " instead of " << +expected << ", " << sizeof(T)
                    << " bytes, " << d.describe() << " ranks";
    });
  }
  EXPECT_EQ(wrong, 0);
}

FieldShape shape_of(const Decomposition& d, Index3 halo, int components = 1)
{
  const Box box = d.box(world().rank());
  return {.cells = box.size(), .halo = halo, .offset = box.lo, .components = components};
}

/// Arrangements of a number of ranks: all of them.
std::vector<Index3> arrangements(int ranks)
{
  std::vector<Index3> all;
  for (Index i = 1; i <= ranks; ++i)
    for (Index j = 1; i * j <= ranks; ++j)
      if (ranks % (i * j) == 0) all.push_back({i, j, ranks / i / j});
  return all;
}

/// Distinct ranks around this one, without itself.
int neighbours(const Decomposition& d)
{
  std::vector<bool> seen(static_cast<std::size_t>(d.size()));
  int count = 0;
  visit({{-1, -1, -1}, {2, 2, 2}}, [&](Index3 direction) {
    const int peer = d.neighbour(world().rank(), direction);
    if (peer < 0 || peer == world().rank() || seen[static_cast<std::size_t>(peer)]) return;
    seen[static_cast<std::size_t>(peer)] = true;
    ++count;
  });
  return count;
}

}  // namespace

std::vector<HaloCase> halo_cases(int ranks)
{
  std::vector<HaloCase> cases;
  for (const Index3 n : arrangements(ranks)) {
    const Index3 cells{3 * n.i + 1, 4 * n.j + 1, 3 * n.k + 2};
    cases.push_back({.cells = cells, .ranks = n});
    cases.push_back({.cells = cells,
                     .ranks = n,
                     .periodic = {true, true, true},
                     .width = {3, 3, 3},
                     .components = 2});
    cases.push_back({.cells = cells,
                     .ranks = n,
                     .periodic = {true, false, false},
                     .width = {1, 2, 3},
                     .margin = {1, 0, 2}});
    cases.push_back({.cells = cells,
                     .ranks = n,
                     .periodic = {false, true, true},
                     .width = {2, 0, 1},
                     .margin = {0, 1, 0},
                     .components = 3});
    cases.push_back({.cells = {n.i, 5 * n.j, n.k}, .ranks = n, .periodic = {true, true, false}});
  }
  cases.push_back({.cells = {300, 3 * ranks, 40},
                   .ranks = {1, ranks, 1},
                   .periodic = {true, true, true},
                   .width = {2, 2, 2}});
  cases.push_back({.cells = {300, 40, 3 * ranks},
                   .ranks = {1, 1, ranks},
                   .periodic = {false, false, true},
                   .width = {2, 2, 2}});
  return cases;
}

void check_halo(const HaloCase& c, const Executor& executor, comm::Transport transport)
{
  const Decomposition d(c.cells, world().size(), {.ranks = c.ranks, .periodic = c.periodic});
  const FieldShape shape = shape_of(d, c.width + c.margin, c.components);
  Mirrored<float> a(shape, executor);
  Mirrored<double> b(shape, executor);
  Mirrored<std::uint16_t> s(shape, executor);
  fill(a, d);
  fill(b, d);
  fill(s, d);
  HaloExchange halo(world(), d, executor, transport);
  halo.add(a.field, c.width);
  halo.add(b.field, c.width);
  halo.add(s.field, c.width);
  halo.commit();
  halo.exchange();
  compare(a, d, c.width);
  compare(b, d, c.width);
  compare(s, d, c.width);
  const bool everywhere = c.width.i > 0 && c.width.j > 0 && c.width.k > 0;
  if (everywhere) {
    EXPECT_EQ(halo.traffic().messages, neighbours(d));
  }
}

void check_reverse(const Executor& executor, comm::Transport transport)
{
  const int ranks = world().size(), rank = world().rank();
  const Decomposition d({5 * ranks, 4, 3}, ranks,
                        {.ranks = {ranks, 1, 1}, .periodic = {true, false, false}});
  Mirrored<float> m(shape_of(d, {1, 1, 1}), executor);
  const View3<float> v = m.host.view();
  visit(m.host.shape().with_halo(), [&](Index3 cell) {
    v[cell] = static_cast<float>(10'000 * rank + 100 * (cell.i + 1) + 10 * cell.j + cell.k);
  });
  m.put();
  const View3<float> w = m.field.view();
  HaloExchange halo(world(), d, executor, transport);
  halo.add({.origin = reinterpret_cast<std::byte*>(w.origin),
            .element_bytes = 4,
            .sj = w.sj,
            .sk = w.sk,
            .direction = {1, 0, 0},
            .send = {{5, 0, 0}, {6, 4, 3}},
            .receive = {{0, 0, 0}, {1, 4, 3}}});
  halo.commit();
  halo.exchange();
  m.get();
  const int previous = (rank + ranks - 1) % ranks;
  visit(m.host.owned(), [&](Index3 cell) {
    const Index at = cell.i == 0 ? 6 : cell.i + 1;
    const int whose = cell.i == 0 ? previous : rank;
    EXPECT_EQ(v[cell], static_cast<float>(10'000 * whose + 100 * at + 10 * cell.j + cell.k));
  });
}

void check_rounds(const Executor& executor, comm::Transport transport)
{
  const Decomposition d({12, 13, 14}, world().size(), {.periodic = {true, true, true}});
  Mirrored<float> a(shape_of(d, {1, 1, 1}), executor), b(shape_of(d, {2, 2, 2}), executor);
  HaloExchange first(world(), d, executor, transport), second(world(), d, executor, transport);
  first.add(a.field, {1, 1, 1});
  second.add(b.field, {2, 2, 2});
  first.commit();
  second.commit();
  for (int round = 0; round < 5; ++round) {
    fill(a, d, round);
    fill(b, d, round + 100);
    {
      auto flight = first.start();
      auto other = second.start();
    }
    compare(a, d, {1, 1, 1}, round);
    compare(b, d, {2, 2, 2}, round + 100);
  }
}

}  // namespace helicity::test
