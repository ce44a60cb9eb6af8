// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/log.hpp>
#include <helicity/core/timer.hpp>
#include <helicity/job/detail/checkpoint.hpp>
#include <helicity/job/detail/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace helicity::job::detail {

std::string configuration_text(const RunPlan& plan)
{
  const auto& attributes = plan.output.snapshot.attributes;
  const auto found = attributes.find("configuration");
  if (found == attributes.end()) return "";
  const auto* text = std::get_if<std::string>(&found->second);
  return text == nullptr ? "" : *text;
}

Checkpoints::Checkpoints(Simulation& simulation, const RunPlan& plan)
    : simulation_(simulation), plan_(plan)
{
  memory_ = simulation.communicator().sum(std::uint64_t{simulation.cost().memory});
}

void Checkpoints::write()
{
  const Clock clock = simulation_.clock();
  if (clock.step == last_step_) return;
  const Timer timer;
  const auto& comm = simulation_.communicator();
  make_folder(comm, plan_.output.directory);
  const std::string path = state_path(plan_.output.directory, plan_.output.name, clock.step);
  io::StateWriter out(path, comm, simulation_.decomposition());
  for (const auto& [name, value] : plan_.output.snapshot.attributes) out.attribute(name, value);
  out.attribute("step", clock.step);
  out.attribute("time", clock.time());
  out.attribute("configuration", configuration_text(plan_));
  out.attribute("configuration_digest", plan_.checkpoint.configuration_digest);
  simulation_.write_state(out);
  out.commit();
  last_ = path;
  last_step_ = clock.step;
  remove_old();
  ++written_;
  seconds_ += timer.seconds();
  longest_ = std::max(longest_, timer.seconds());
}

void Checkpoints::remove_old()
{
  on_rank_0(simulation_.communicator(), [&] {
    int kept = 0;
    for (const StateFile& file : list_states(plan_.output.directory, plan_.output.name)) {
      if (file.step > last_step_ || ++kept <= std::max(1, plan_.checkpoint.keep)) continue;
      std::error_code error;
      std::filesystem::remove(file.path, error);
      if (error)
        log(LogKind::warning, fmt::format("cannot remove {}: {}", file.path, error.message()));
    }
  });
}

double Checkpoints::expected_seconds() const
{
  constexpr double slow_bytes_per_second = 1e8;
  if (longest_ > 0) return longest_;
  return static_cast<double>(memory_) / slow_bytes_per_second;
}

void Checkpoints::require_same_configuration(const io::StateReader& state,
                                             const std::string& path) const
{
  const auto digest = state.attribute<std::string>("configuration_digest");
  if (digest == plan_.checkpoint.configuration_digest) return;
  const auto there = state.attribute<std::string>("configuration");
  throw UsageError(fmt::format("{} is the state of another configuration: {}", path,
                               describe_difference(there, configuration_text(plan_))));
}

bool Checkpoints::wanted() const
{
  const std::string& restart = plan_.checkpoint.restart;
  if (restart != "auto") return !restart.empty();
  const auto& comm = simulation_.communicator();
  return comm.any(comm.rank() == 0 &&
                  !list_states(plan_.output.directory, plan_.output.name).empty());
}

void Checkpoints::resume()
{
  const auto& comm = simulation_.communicator();
  const auto& decomposition = simulation_.decomposition();
  std::string path = plan_.checkpoint.restart;
  if (path == "latest" || path == "auto")
    path = latest_restart(plan_.output.directory, plan_.output.name, comm, decomposition);
  io::StateReader in(path, comm, decomposition);
  require_same_configuration(in, path);
  const auto step = in.attribute<std::int64_t>("step");
  simulation_.read_state(in, step);
  last_ = path;
  last_step_ = step;
}

}  // namespace helicity::job::detail
