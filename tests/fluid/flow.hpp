// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <comm/mpi_main.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/fluid/lbm_model.hpp>
#include <support/temporary.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace helicity::test {

/// A flow with everything: walls at rest and moving, a moving body, a force, an uneven start.
inline fluid::LbmSetup busy_flow(fluid::LatticeKind lattice, Index3 cells)
{
  fluid::LbmSetup s;
  s.lattice = lattice;
  s.cells = cells;
  s.viscosity = 0.03;
  s.force = {2e-5, -1e-5, lattice == fluid::LatticeKind::d3q19 ? 3e-5 : 0};
  s.ends[1][0].wall = s.ends[1][1].wall = true;
  s.ends[1][1].velocity = {0.05, 0, 0};
  const double x = static_cast<double>(cells.i) / 3, y = static_cast<double>(cells.j) / 2,
               z = static_cast<double>(cells.k) / 2;
  s.solid = [=](Index3 c) -> std::uint8_t {
    const double d =
        std::hypot(static_cast<double>(c.i) + 0.5 - x, static_cast<double>(c.j) + 0.5 - y,
                   static_cast<double>(c.k) + 0.5 - z);
    return d < 2.6 ? 1 : 0;
  };
  s.solid_velocity = {{0.01, -0.02, 0}};
  s.initial = [](Index3 c) {
    const auto i = static_cast<double>(c.i), j = static_cast<double>(c.j),
               k = static_cast<double>(c.k);
    fluid::LbmInitial v;
    v.density = 0.01 * std::sin(0.9 * i + 0.3 * j * k);
    v.velocity = {0.03 * std::sin(0.7 * i + k), 0.02 * std::cos(1.1 * j), 0.01 * std::sin(i * j)};
    v.strain = {1e-3 * std::cos(i), -1e-3 * std::cos(i), 0, 2e-3 * std::sin(j), 0, 1e-3};
    return v;
  };
  if (lattice == fluid::LatticeKind::d2q9)
    s.initial = [start = s.initial](Index3 c) {
      fluid::LbmInitial v = start(c);
      v.velocity[2] = v.strain[2] = v.strain[4] = v.strain[5] = 0;
      return v;
    };
  return s;
}

/// A folder of all ranks, removed when all have left.
class SharedFolder
{
 public:
  SharedFolder()
  {
    if (world().rank() == 0) folder_.emplace();
    path_ = world().broadcast(folder_ ? folder_->path().string() : std::string());
  }
  ~SharedFolder() { world().barrier(); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::optional<TemporaryFolder> folder_;
  std::string path_;
};

/// The flow on all ranks of a group, arranged as asked (0: chosen).
template <class T>
std::unique_ptr<fluid::LbmModel> model_of(const fluid::LbmSetup& setup,
                                          const comm::Communicator& group, const Executor& executor,
                                          Index3 ranks = {0, 0, 0},
                                          comm::Transport transport = comm::Transport::host)
{
  comm::DecompositionOptions options = fluid::decomposition_options(setup);
  options.ranks = ranks;
  return fluid::make_lbm<T>(setup, {}, group, {setup.cells, group.size(), options}, executor,
                            transport);
}

}  // namespace helicity::test
