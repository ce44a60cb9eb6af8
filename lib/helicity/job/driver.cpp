// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/log.hpp>
#include <helicity/core/memory_usage.hpp>
#include <helicity/job/detail/files.hpp>
#include <helicity/job/detail/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace helicity::job {
namespace detail {
namespace {

constexpr double burst_target = 0.15;  // seconds: how long a signal may wait
constexpr std::int64_t most_growth = 4;
constexpr std::int64_t stop_unit = std::int64_t{1} << 48;  // above any length of a burst

std::int64_t steps_until(Every every, std::int64_t step, std::int64_t most)
{
  return every.steps > 0 ? std::min(most, every.steps - step % every.steps) : most;
}

int exit_code(Stop stop) { return stop == Stop::interrupt ? interrupted : requeue; }

std::string reason_of(Stop stop)
{
  switch (stop) {
    case Stop::walltime: return "walltime";
    case Stop::interrupt: return "interrupted";
    default: return "signal";
  }
}

}  // namespace

Run::Run(Simulation& simulation, const RunPlan& plan)
    : simulation_(simulation),
      plan_(plan),
      comm_(simulation.communicator()),
      cost_(simulation.cost()),
      checkpoints_(simulation, plan),
      outputs_(simulation, plan),
      progress_(plan, cost_, comm_.rank() == 0)
{}

void Run::say(LogKind kind, std::string_view text)
{
  if (!speaks()) return;
  progress_.clear();
  log(kind, text);
}

int Run::go()
{
  const bool resumes = checkpoints_.wanted();
  if (resumes)
    resume();
  else
    warn_of_old_states();
  first_step_ = step();
  progress_.start(first_step_);
  if (is_last() && first_step_ > 0) {
    say(LogKind::info,
        fmt::format("step {} of {} is reached already: nothing to do", first_step_, plan_.steps));
    return finish(done, "done");
  }
  if (const auto trouble = check()) return blow_up(*trouble);
  if (!resumes) outputs_.write_due();
  return step_to_the_end();
}

int Run::step_to_the_end()
{
  while (!is_last()) {
    const Decision decision = decide();
    if (decision.stop != Stop::none) return end_early(decision.stop);
    burst(decision.steps);
    if (const auto trouble = serve()) return blow_up(*trouble);
  }
  return finish(done, "done");
}

void Run::resume()
{
  checkpoints_.resume();
  say(LogKind::info,
      fmt::format("resumed from {} at step {}", checkpoints_.last(), checkpoints_.last_step()));
}

void Run::warn_of_old_states() const
{
  if (!speaks() || plan_.checkpoint.steps.steps <= 0) return;
  const auto files = list_states(plan_.output.directory, plan_.output.name);
  if (files.empty()) return;
  log(LogKind::warning, fmt::format("{} is of a former run, and --restart latest would find it: "
                                    "remove it or choose another name or folder",
                                    files.front().path));
}

std::int64_t Run::steps_to_next_stop() const
{
  std::int64_t n = plan_.steps - step();
  for (const Every every : {plan_.output.snapshots, plan_.output.images, plan_.output.series,
                            plan_.checkpoint.steps, plan_.health})
    n = steps_until(every, step(), n);
  return n;
}

/// As many steps as take burst_target by the last burst's speed; cautious at the start.
std::int64_t Run::burst_length() const
{
  const std::int64_t most = std::min(steps_to_next_stop(), stop_unit - 1);
  if (burst_steps_ == 0) return std::min<std::int64_t>(1, most);
  const double per_step = burst_seconds_ / static_cast<double>(burst_steps_);
  const double wanted = per_step > 0 ? burst_target / per_step : 1e15;
  const double grown = static_cast<double>(burst_steps_) * most_growth;
  return std::clamp(static_cast<std::int64_t>(std::min({wanted, grown, 1e15})), std::int64_t{1},
                    most);
}

bool Run::walltime_is_near() const
{
  if (plan_.walltime_seconds <= 0) return false;
  const double margin = std::min(5.0, 0.05 * plan_.walltime_seconds);
  const double needed = checkpoints_.expected_seconds() + 2 * burst_seconds_ + margin;
  return timer_.seconds() + needed >= plan_.walltime_seconds;
}

Run::Decision Run::decide() const
{
  Stop stop = SignalWatch::seen();
  if (speaks() && walltime_is_near()) stop = std::max(stop, Stop::walltime);
  const std::int64_t steps = speaks() ? burst_length() : 0;
  const std::int64_t agreed = comm_.max(static_cast<std::int64_t>(stop) * stop_unit + steps);
  return {static_cast<Stop>(agreed / stop_unit), agreed % stop_unit};
}

void Run::burst(std::int64_t steps)
{
  const Timer timer;
  simulation_.advance(steps);
  simulation_.wait();
  burst_steps_ = steps;
  burst_seconds_ = timer.seconds();
  stepping_ += burst_seconds_;
  if (plan_.after_step) plan_.after_step(simulation_);
  progress_.update(simulation_.clock(), stepping_);
}

std::optional<Trouble> Run::check()
{
  const ScopedTimer timer(checking_);
  return simulation_.check();
}

/// Does what is due at this step; nothing is written of a broken state.
std::optional<Trouble> Run::serve()
{
  const std::int64_t now = step();
  const Every states = plan_.checkpoint.steps;
  const bool state = states.due(now) || (is_last() && states.steps > 0);
  const bool look = plan_.health.due(now) || (is_last() && plan_.health.steps > 0);
  if (look || state || outputs_.due(now)) {
    if (auto trouble = check()) return trouble;
  }
  outputs_.write_due();
  if (state) checkpoints_.write();
  return std::nullopt;
}

int Run::end_early(Stop stop)
{
  if (const auto trouble = check()) return blow_up(*trouble);
  checkpoints_.write();
  const int code = exit_code(stop);
  say(LogKind::info, fmt::format("stopped early: {}", reason_of(stop)));
  say(LogKind::info,
      fmt::format("checkpoint {} written at step {}; resume with --restart latest (exit {})",
                  checkpoints_.last(), step(), code));
  return finish(code, reason_of(stop));
}

int Run::blow_up(const Trouble& trouble)
{
  say(LogKind::warning, describe(trouble, simulation_.clock(), checkpoints_.last()));
  return finish(blew_up, "blew up");
}

Metrics Run::collect(int code, const std::string& reason) const
{
  Metrics m;
  m.name = plan_.output.name;
  m.exit_code = code;
  m.exit_reason = reason;
  m.ranks = comm_.size();
  m.decomposition = simulation_.decomposition().describe();
  m.first_step = first_step_;
  m.last_step = step();
  m.time = simulation_.clock().time();
  m.seconds = timer_.seconds();
  m.stepping = stepping_;
  m.checkpointing = checkpoints_.seconds();
  m.output = outputs_.seconds();
  m.checking = checking_;
  m.cells = cost_.cells;
  m.bytes_per_step = cost_.bytes_per_step;
  m.bandwidth = plan_.bandwidth;
  m.checkpoints = checkpoints_.written();
  m.snapshots = outputs_.snapshots();
  m.images = outputs_.images();
  m.last_checkpoint = checkpoints_.last();
  return m;
}

int Run::finish(int code, const std::string& reason)
{
  Metrics m = collect(code, reason);
  if (m.steps() > 0) say(LogKind::info, summary(m));
  if (plan_.metrics_file.empty()) return code;
  m.memory = comm_.sum(std::uint64_t{cost_.memory});
  m.peak_memory = comm_.sum(std::uint64_t{peak_resident_bytes()});
  m.state_hash = simulation_.state_hash();
  on_rank_0(comm_, [&] { write_metrics(m, plan_.metrics_file); });
  return code;
}

std::string Run::summary(const Metrics& m)
{
  std::string text = fmt::format("{:.0f} steps in {:.3g} s: {}", m.steps(), m.stepping,
                                 format_rate(m.updates_per_second()));
  if (const auto fraction = m.fraction_of_bandwidth())
    text += fmt::format(", {:.0f} % of bandwidth", 100 * *fraction);
  return text;
}

std::string describe(const Trouble& trouble, const Clock& clock, const std::string& last_checkpoint)
{
  const Index3 c = trouble.cell;
  std::string text =
      fmt::format("the simulation blew up at step {}, t = {:.6g} s\n", clock.step, clock.time());
  text += fmt::format("  {} {} in cell ({}, {}, {})\n", trouble.variable, trouble.problem, c.i, c.j,
                      c.k);
  for (const auto& [name, value] : trouble.local)
    text += fmt::format("  there: {} = {:.6g}\n", name, value);
  text +=
      fmt::format("  last good checkpoint: {}", last_checkpoint.empty() ? "none" : last_checkpoint);
  if (!trouble.advice.empty()) text += fmt::format("\n  advice: {}", trouble.advice);
  return text;
}

}  // namespace detail

int run(Simulation& simulation, const RunPlan& plan)
{
  if (plan.steps < 0) throw UsageError("a run of fewer than 0 steps");
  return detail::Run(simulation, plan).go();
}

}  // namespace helicity::job
