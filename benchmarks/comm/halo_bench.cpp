// SPDX-License-Identifier: Apache-2.0
// mpirun -n 2 halo_bench [ROUNDS]: halo exchanges on CPUs against what cannot be avoided, which is
// two copies and MPI_Sendrecv of the same bytes. Interleaved; medians of the slower rank.
#include <helicity/comm/halo.hpp>
#include <helicity/comm/session.hpp>
#include <helicity/core/error.hpp>
#include <helicity/grid/field.hpp>

#include <fmt/format.h>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using namespace helicity;

/// What is exchanged: 5 numbers of each cell of the faces that a rank shares, as a lattice
/// Boltzmann model with 19 directions does.
struct Case
{
  const char* name;
  Index3 cells, ranks, width;
};

constexpr Case cases[] = {
    {"5 x float, faces 256 x 256 across k", {256, 256, 64}, {1, 1, 2}, {0, 0, 1}},
    {"5 x float, faces 256 x 64 across k", {256, 64, 64}, {1, 1, 2}, {0, 0, 1}},
    {"5 x float, faces 256 x 64 across j", {256, 128, 64}, {1, 2, 1}, {0, 1, 0}},
    {"5 x float, faces 64 x 64 across i", {512, 64, 64}, {2, 1, 1}, {1, 0, 0}},
    {"5 x float, all halos, 3 deep", {64, 64, 128}, {1, 1, 2}, {3, 3, 3}},
};

/// Contiguous memory of as many bytes: packed, sent, unpacked.
class Raw
{
 public:
  explicit Raw(std::size_t bytes) : cells_(bytes, 1), send_(bytes), receive_(bytes), halo_(bytes) {}

  void exchange(MPI_Comm comm, int peer)
  {
    const int count = static_cast<int>(cells_.size());
    std::memcpy(send_.data(), cells_.data(), cells_.size());
    MPI_Sendrecv(send_.data(), count, MPI_BYTE, peer, 0, receive_.data(), count, MPI_BYTE, peer, 0,
                 comm, MPI_STATUS_IGNORE);
    std::memcpy(halo_.data(), receive_.data(), receive_.size());
  }

 private:
  std::vector<char> cells_, send_, receive_, halo_;
};

/// Seconds that the slower rank took.
template <class Run>
double seconds(const comm::Communicator& world, Run&& run)
{
  world.barrier();
  const auto start = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return world.max(taken.count());
}

double median(std::vector<double> values)
{
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void measure(const comm::Communicator& world, const Case& c, int rounds)
{
  const comm::Decomposition d(c.cells, world.size(),
                              {.ranks = c.ranks, .periodic = {true, true, true}});
  const Executor cpu = Cpu{1};
  grid::Field<float> field(
      {.cells = d.box(world.rank()).size(), .halo = {3, 3, 3}, .components = 5}, cpu);
  comm::HaloExchange halo(world, d, cpu, comm::Transport::host);
  halo.add(field, c.width);
  halo.commit();
  const std::size_t bytes = halo.traffic().bytes_sent + halo.traffic().bytes_local;
  Raw raw(bytes);
  const MPI_Comm comm = *static_cast<const MPI_Comm*>(world.mpi());
  std::vector<double> ours, theirs;
  for (int round = -5; round < rounds; ++round) {
    const double a = seconds(world, [&] { halo.exchange(); });
    const double b = seconds(world, [&] { raw.exchange(comm, 1 - world.rank()); });
    if (round < 0) continue;
    ours.push_back(a);
    theirs.push_back(b);
  }
  const double a = median(ours), b = median(theirs);
  if (world.rank() == 0)
    fmt::print("HALO {:.1f} us raw {:.1f} us ratio {:.2f} goal 0.80  {}, {} bytes\n", 1e6 * a,
               1e6 * b, b / a, c.name, bytes);
}

}  // namespace

int main(int argc, char** argv)
try {
  const comm::Session session(argc, argv);
  if (session.world().size() != 2) throw UsageError("start it with mpirun -n 2");
  for (const Case& c : cases) measure(session.world(), c, argc > 1 ? std::atoi(argv[1]) : 200);
  return 0;
} catch (const Error& error) {
  fmt::print(stderr, "halo_bench: error: {}\n", error.what());
  return 2;
}
