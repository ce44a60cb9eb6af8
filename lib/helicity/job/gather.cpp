// SPDX-License-Identifier: Apache-2.0
#include <helicity/grid/box.hpp>
#include <helicity/job/gather.hpp>

#include <cstring>
#include <span>

namespace helicity::job {

Simulation::Slice middle_slice(const comm::Communicator& comm,
                               const comm::Decomposition& decomposition,
                               const std::vector<double>& values, int axis)
{
  const int across = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2;
  const Index3 global = decomposition.cells();
  const Index middle = global[axis] / 2;
  const grid::Box box = decomposition.box(comm.rank());
  std::string mine;
  if (middle >= box.lo[axis] && middle < box.hi[axis]) {
    const Index3 n = box.size();
    Index3 c = box.lo;
    c[axis] = middle;
    for (c[up] = box.lo[up]; c[up] < box.hi[up]; ++c[up])
      for (c[across] = box.lo[across]; c[across] < box.hi[across]; ++c[across]) {
        const Index3 l = c - box.lo;
        const double v = values[static_cast<std::size_t>(l.i + n.i * (l.j + n.j * l.k))];
        mine.append(reinterpret_cast<const char*>(&v), sizeof v);
      }
  }
  const std::vector<std::string> parts = comm.gather(mine);
  Simulation::Slice slice;
  if (comm.rank() != 0) return slice;
  slice.nx = static_cast<int>(global[across]);
  slice.ny = static_cast<int>(global[up]);
  slice.values.resize(static_cast<std::size_t>(slice.nx) * static_cast<std::size_t>(slice.ny));
  for (int r = 0; r < comm.size(); ++r) {
    const std::string& part = parts[static_cast<std::size_t>(r)];
    if (part.empty()) continue;
    const grid::Box b = decomposition.box(r);
    const auto width = static_cast<std::size_t>(b.size()[across]);
    const char* from = part.data();
    for (Index y = b.lo[up]; y < b.hi[up]; ++y, from += width * sizeof(double))
      std::memcpy(&slice.values[static_cast<std::size_t>(y * slice.nx + b.lo[across])], from,
                  width * sizeof(double));
  }
  return slice;
}

std::vector<double> whole_values(const comm::Communicator& comm,
                                 const comm::Decomposition& decomposition,
                                 const std::vector<double>& values)
{
  const Index3 n = decomposition.cells();
  const auto bytes = std::as_bytes(std::span(values));
  const auto parts = comm.gather({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::vector<double> all(static_cast<std::size_t>(volume(n)));
  for (int r = 0; r < comm.size(); ++r) {
    const grid::Box box = decomposition.box(r);
    const char* from = parts[static_cast<std::size_t>(r)].data();
    const auto row = static_cast<std::size_t>(box.size().i) * sizeof(double);
    for (Index k = box.lo.k; k < box.hi.k; ++k)
      for (Index j = box.lo.j; j < box.hi.j; ++j, from += row)
        std::memcpy(&all[static_cast<std::size_t>(box.lo.i + n.i * (j + n.j * k))], from, row);
  }
  return all;
}

std::vector<double> values_at(const comm::Communicator& comm,
                              const comm::Decomposition& decomposition,
                              const std::vector<Index3>& cells,
                              const std::vector<std::string>& variables,
                              const std::function<std::vector<double>(const std::string&)>& block)
{
  const grid::Box box = decomposition.box(comm.rank());
  const Index3 n = box.size();
  std::vector<double> found(cells.size() * variables.size(), 0);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::vector<double> values = block(variables[v]);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      std::int64_t owner = -1;
      double value = 0;
      if (box.contains(cells[c])) {
        const Index3 l = cells[c] - box.lo;
        value = values[static_cast<std::size_t>(l.i + n.i * (l.j + n.j * l.k))];
        owner = comm.rank();
      }
      owner = comm.max(owner);
      comm.broadcast(std::as_writable_bytes(std::span(&value, 1)), static_cast<int>(owner));
      found[c * variables.size() + v] = value;
    }
  }
  return found;
}

}  // namespace helicity::job
