// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/text.hpp>
#include <helicity/job/detail/memory_plan.hpp>
#include <helicity/job/detail/progress_line.hpp>
#include <helicity/job/driver.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace helicity::job {
namespace {

std::string bytes_text(double bytes) { return format_bytes(static_cast<std::size_t>(bytes)); }

std::string grid_lines(const Simulation& simulation, const Cost& cost)
{
  const auto& decomposition = simulation.decomposition();
  const Index3 n = decomposition.cells();
  const int ranks = simulation.communicator().size();
  std::string text = fmt::format("grid       {} x {} x {} = {} cells", n.i, n.j, n.k, cost.cells);
  if (ranks > 1) text += fmt::format(" on {} ranks, {}", ranks, decomposition.describe());
  return text + "\n";
}

std::string memory_lines(const Simulation& simulation, const Cost& cost, const Executor& executor)
{
  const auto& comm = simulation.communicator();
  const auto most = static_cast<std::size_t>(comm.max(static_cast<double>(cost.memory)));
  std::string text = fmt::format("memory     {} per rank{}\n", format_bytes(most),
                                 comm.size() > 1 ? " at most" : "");
  for (const auto& place : detail::memory_places(comm, executor, cost.memory)) {
    const std::string available =
        place.available == 0 ? "an unknown amount" : format_bytes(place.available);
    text += fmt::format(
        "           {}: {} of {} that can be had{}\n", place.name, format_bytes(place.needed),
        available, place.available > 0 && place.needed > place.available ? ": TOO LITTLE" : "");
  }
  return text;
}

std::string step_lines(const Clock& clock, const Cost& cost)
{
  std::string text = fmt::format("step       {:.6g} s\n", clock.step_seconds);
  for (const auto& [name, longest] : cost.step_limits)
    text += fmt::format("           {}: {:.6g} s at most{}\n", name, longest,
                        clock.step_seconds > longest ? ": TOO LONG" : "");
  return text;
}

std::string speed_lines(const comm::Communicator& comm, const Cost& cost, const RunPlan& plan,
                        std::int64_t steps)
{
  const double bytes = comm.max(cost.bytes_per_step);
  std::string text = fmt::format("traffic    {} per step{}\n", bytes_text(bytes),
                                 comm.size() > 1 ? " and rank" : "");
  if (const double messages = comm.max(cost.messages); messages > 0)
    text += fmt::format("messages   {:.0f} of {} together per step and rank, at most\n", messages,
                        bytes_text(comm.max(cost.bytes_sent)));
  const double own = plan.bandwidth > 0 ? cost.bytes_per_step / plan.bandwidth : 0;
  const double per_step = comm.max(own);  // the slowest rank holds up all
  if (comm.any(plan.bandwidth <= 0) || per_step <= 0)
    return text + "speed      unknown: the bandwidth was not measured\n";
  text += fmt::format("speed      {} at most, by a bandwidth of {}/s per rank\n",
                      detail::format_rate(static_cast<double>(cost.cells) / per_step),
                      bytes_text(comm.min(plan.bandwidth)));
  return text + fmt::format("duration   {} at least, without output\n",
                            detail::format_duration(per_step * static_cast<double>(steps)));
}

std::string output_lines(const RunPlan& plan)
{
  const auto line = [](const char* what, Every every) {
    return every.steps > 0 ? fmt::format("           {} every {} steps\n", what, every.steps) : "";
  };
  const std::string lines = line("snapshot", plan.output.snapshots) +
                            line("image", plan.output.images) +
                            line("checkpoint", plan.checkpoint.steps);
  if (lines.empty()) return "output     none\n";
  return fmt::format("output   {}", std::string_view(lines).substr(9));
}

}  // namespace

std::string describe_plan(const Simulation& simulation, const RunPlan& plan,
                          const Executor& executor)
{
  const Cost cost = simulation.cost();
  const Clock clock = simulation.clock();
  const std::int64_t steps = std::max<std::int64_t>(0, plan.steps - clock.step);
  return grid_lines(simulation, cost) + memory_lines(simulation, cost, executor) +
         step_lines(clock, cost) +
         fmt::format("run        {} steps to t = {:.6g} s\n", steps,
                     static_cast<double>(plan.steps) * clock.step_seconds) +
         speed_lines(simulation.communicator(), cost, plan, steps) + output_lines(plan);
}

}  // namespace helicity::job
