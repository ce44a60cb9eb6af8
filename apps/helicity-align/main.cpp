// SPDX-License-Identifier: Apache-2.0
// helicity-align: exact alignment of pairs of sequences from files.
#include "input.hpp"
#include "metrics.hpp"
#include "options.hpp"
#include "pipeline.hpp"
#include "targets.hpp"
#include "writer.hpp"

#include <helicity/align/aligner.hpp>
#include <helicity/core/log.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/progress.hpp>
#include <helicity/core/timer.hpp>

#include <support/app.hpp>

#include <fmt/format.h>

namespace {

namespace ha = helicity::app;

int run(int argc, char** argv)
{
  const helicity::Timer timer;
  const ha::Options options = ha::parse_options(argc, argv);
  helicity::set_log_level(options.verbosity.level());

  helicity::align::Aligner aligner(options.config);
  helicity::log(helicity::LogKind::detail, "aligning on " + aligner.device_name());
  const ha::TargetFile targets(options);
  const auto source = ha::make_source(options, targets);
  const auto writer = ha::make_writer(options, aligner.table(), targets);

  helicity::Progress progress(options.verbosity.progress_mode(), "aligned", "pairs");
  const int threads = helicity::resolve_threads(options.config.exec.threads);
  ha::Metrics metrics;
  metrics.totals = ha::run_pipeline(*source, aligner, *writer, threads > 1,
                                    [&](std::uint64_t pairs) { progress.update(pairs); });
  writer->finish();
  progress.finish();

  metrics.counters = aligner.counters();
  metrics.device = aligner.device_name();
  metrics.threads = threads;
  metrics.seconds = timer.seconds();
  helicity::log(helicity::LogKind::info, ha::summary(metrics));
  helicity::log(helicity::LogKind::detail, ha::details(metrics));
  if (!options.metrics.empty()) ha::write_json(metrics, options.metrics);
  if (metrics.totals.failed == 0) return ha::success;
  helicity::log(helicity::LogKind::warning,
                fmt::format("{} of {} pairs could not be aligned; the status column says why",
                            metrics.totals.failed, metrics.totals.pairs));
  return options.strict ? ha::misuse : ha::success;
}

}  // namespace

int main(int argc, char** argv)
{
  return ha::run_app("helicity-align", [=] { return run(argc, argv); });
}
