// SPDX-License-Identifier: Apache-2.0
#include <helicity/fluid/lbm_geometry.hpp>

#include <algorithm>
#include <array>

namespace helicity::fluid {
namespace {

/// What stands at a global cell that may lie beyond the domain's ends.
struct Solid
{
  bool solid = false;
  Vector3 velocity{};
};

/// Walls at a cell beyond the domain's ends. In a corner of several the slowest one holds: with a
/// lid's speed there, the corners of a cavity would leak momentum and cost an order of convergence.
Solid beyond_walls(const LbmSetup& setup, Index3 cell)
{
  Solid s;
  double slowest = 0, walls = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const bool low = cell[axis] < 0, high = cell[axis] >= setup.cells[axis];
    const auto& end = setup.ends[static_cast<std::size_t>(axis)][high ? 1 : 0];
    if ((!low && !high) || !end.wall) continue;
    const double speed2 = end.velocity[0] * end.velocity[0] + end.velocity[1] * end.velocity[1] +
                          end.velocity[2] * end.velocity[2];
    if (s.solid && speed2 > slowest) continue;
    if (!s.solid || speed2 < slowest) {
      s.velocity = {};
      walls = 0;
    }
    s.solid = true;
    slowest = speed2;
    walls += 1;
    for (std::size_t x = 0; x < 3; ++x) s.velocity[x] += end.velocity[x];
  }
  for (std::size_t x = 0; s.solid && x < 3; ++x) s.velocity[x] /= walls;
  return s;
}

Solid solid_at(const LbmSetup& setup, Index3 cell)
{
  Solid s = beyond_walls(setup, cell);
  if (s.solid || !setup.solid) return s;
  for (int axis = 0; axis < 3; ++axis) {  // periodic ends
    const Index n = setup.cells[axis];
    cell[axis] = (cell[axis] + n) % n;
  }
  const std::uint8_t id = setup.solid(cell);
  s.solid = id != 0;
  if (id != 0 && id <= setup.solid_velocity.size()) s.velocity = setup.solid_velocity[id - 1u];
  return s;
}

template <class T>
class Finder
{
 public:
  Finder(const LbmSetup& setup, grid::Box owned, const Populations<T>& layout)
      : setup_(setup), owned_(owned), layout_(layout)
  {
    geometry_.flags = grid::Field<std::uint8_t>(
        {.cells = owned.size(), .halo = {1, 1, 1}, .offset = owned.lo}, Cpu{});
  }

  LbmGeometry<T> find()
  {
    set_flags();
    find_runs();
    with_lattice(setup_.lattice, [&]<class L>(L) {
      for (int i = 1; i < L::q; ++i) find_links(i, velocity<L>(i), L::w[i]);
    });
    std::sort(geometry_.links.begin(), geometry_.links.end(),
              [](const auto& a, const auto& b) { return a.fluid < b.fluid; });
    return std::move(geometry_);
  }

 private:
  void set_flags()
  {
    View3<std::uint8_t> flags = geometry_.flags.view();
    const Index3 n = owned_.size();
    for (Index k = -1; k <= n.k; ++k)
      for (Index j = -1; j <= n.j; ++j)
        for (Index i = -1; i <= n.i; ++i)
          flags(i, j, k) = solid_at(setup_, owned_.lo + Index3{i, j, k}).solid ? 1 : 0;
  }

  void find_runs()
  {
    const View3<const std::uint8_t> flags = geometry_.flags.view();
    const Index3 n = owned_.size();
    for (Index k = 0; k < n.k; ++k)
      for (Index j = 0; j < n.j; ++j)
        for (Index i = 0; i < n.i;) {
          const Index first = i;
          while (i < n.i && flags(i, j, k) == 0) ++i;
          if (i > first) add_run(first, i, j, k);
          while (i < n.i && flags(i, j, k) != 0) ++i;
        }
    geometry_.has_solids = geometry_.fluid_cells < owned_.cells();
    if (!geometry_.has_solids) geometry_.runs.clear();
  }

  void add_run(Index first, Index last, Index j, Index k)
  {
    geometry_.fluid_cells += last - first;
    geometry_.runs.push_back({static_cast<std::int32_t>(j), static_cast<std::int32_t>(k),
                              static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)});
  }

  T gain(int i, Index3 c, double w, Index3 solid) const
  {
    (void)i;
    const Vector3 u = solid_at(setup_, owned_.lo + solid).velocity;
    const double cu = static_cast<double>(c.i) * u[0] + static_cast<double>(c.j) * u[1] +
                      static_cast<double>(c.k) * u[2];
    return static_cast<T>(-6 * w * cu);
  }

  void find_links(int i, Index3 c, double w)
  {
    const View3<const std::uint8_t> flags = geometry_.flags.view();
    const Index3 n = owned_.size();
    for (Index z = 0; z < n.k; ++z)
      for (Index y = 0; y < n.j; ++y)
        for (Index x = 0; x < n.i; ++x) {
          const Index3 s = Index3{x, y, z} + c;
          if (flags(x, y, z) != 0 || flags[s] == 0) continue;
          add_link(i, {x, y, z}, s, gain(i, c, w, s));
        }
  }

  void add_link(int i, Index3 x, Index3 s, T gain)
  {
    constexpr Index longest = 256;
    const Index fluid = opposite(i) * layout_.sc + layout_.offset(x.i, x.j, x.k);
    const Index solid = i * layout_.sc + layout_.offset(s.i, s.j, s.k);
    auto& links = geometry_.links;
    if (!links.empty()) {
      LinkRun<T>& last = links.back();
      if (last.fluid + last.length == fluid && last.solid + last.length == solid &&
          last.gain == gain && last.length < longest && x.i > 0)
      {
        ++last.length;
        return;
      }
    }
    links.push_back({solid, fluid, 1, gain});
  }

  const LbmSetup& setup_;
  grid::Box owned_;
  Populations<T> layout_;
  LbmGeometry<T> geometry_;
};

}  // namespace

template <class T>
LbmGeometry<T> make_geometry(const LbmSetup& setup, grid::Box owned, const Populations<T>& layout)
{
  return Finder<T>(setup, owned, layout).find();
}

template LbmGeometry<float> make_geometry(const LbmSetup&, grid::Box, const Populations<float>&);
template LbmGeometry<double> make_geometry(const LbmSetup&, grid::Box, const Populations<double>&);

}  // namespace helicity::fluid
