// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/access.hpp>
#include <helicity/comm/detail/affinity.hpp>
#include <helicity/comm/detail/pack.hpp>
#include <helicity/comm/session.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace helicity::comm {
namespace {

/// What decide() returns, or the same UsageError on every rank if one rank met one.
Executor agree(const Communicator& comm, const std::function<Executor()>& decide)
{
  Executor result = Cpu{};
  std::string problem;
  try {
    result = decide();
  } catch (const Error& error) {
    problem = error.what();
  }
  const std::vector<std::string> problems = comm.gather(problem);
  for (std::size_t r = 0; r < problems.size(); ++r) {
    if (problems[r].empty()) continue;
    throw UsageError(comm.size() == 1 ? problems[r] : fmt::format("rank {}: {}", r, problems[r]));
  }
  return result;
}

/// The request of this rank: a device by its number on the host, if none was named.
Exec own_share(const Exec& exec, int node_rank)
{
  Exec mine = exec;
  if (exec.device == Device::cpu || exec.device_id != 0) return mine;
  if (const int devices = device_count(); devices > 0) mine.device_id = node_rank % devices;
  return mine;
}

/// Threads of each rank where none were asked for. Collective.
int shared_threads(const Communicator& comm)
{
  const std::string mine = detail::affinity();
  const std::string node = std::to_string(detail::Access::node(comm));
  const auto nodes = comm.gather(node);
  const auto masks = comm.gather(mine);
  bool own_cores = true;
  for (std::size_t r = 0; r < masks.size(); ++r)
    if (static_cast<int>(r) != comm.rank() && nodes[r] == node && detail::overlap(mine, masks[r]))
      own_cores = false;
  if (own_cores) return usable_threads();
  return std::max(1, usable_threads() / comm.node_size());
}

/// Line of the table for this rank.
std::string describe(const Communicator& comm, const Executor& executor)
{
  const auto* cuda = std::get_if<Cuda>(&executor);
  if (cuda == nullptr)
    return fmt::format("{} {} cpu:{} -", comm.rank(), detail::host_name(),
                       std::get<Cpu>(executor).threads);
  return fmt::format("{} {} cuda:{} {}", comm.rank(), detail::host_name(), cuda->device_id,
                     detail::device_name(cuda->device_id).pci);
}

/// Names the device of a rank among all hosts; empty for a CPU.
std::string device_key(const Communicator& comm, const Executor& executor)
{
  const auto* cuda = std::get_if<Cuda>(&executor);
  if (cuda == nullptr) return "";
  return fmt::format("{} {}", detail::Access::node(comm), detail::device_name(cuda->device_id).key);
}

void refuse_shared(const std::vector<std::string>& keys, const std::string& table)
{
  for (std::size_t r = 0; r < keys.size(); ++r) {
    const auto first =
        std::find(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(r), keys[r]);
    if (keys[r].empty() || first == keys.begin() + static_cast<std::ptrdiff_t>(r)) continue;
    throw UsageError(fmt::format(
        "ranks {} and {} would share one GPU: start one rank per GPU, or allow it (--share-gpu)\n"
        "rank host device PCI-id\n{}",
        first - keys.begin(), r, table));
  }
}

}  // namespace

Executor Session::executor(const Exec& exec, const SessionOptions& options) const
{
  const Exec mine = own_share(exec, world_.node_rank());
  Executor result = agree(world_, [&] { return resolve(mine); });
  if (world_.any(std::holds_alternative<Cpu>(result))) {  // on one: on all
    const int threads = exec.threads == 0 ? shared_threads(world_) : exec.threads;
    result = Cpu{threads};
  }
  device_table_.clear();
  for (const auto& line : world_.gather(describe(world_, result))) device_table_ += line + "\n";
  const auto keys = world_.gather(device_key(world_, result));
  if (!options.share_gpu) refuse_shared(keys, device_table_);
  return result;
}

}  // namespace helicity::comm
