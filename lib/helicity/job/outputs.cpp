// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/timer.hpp>
#include <helicity/job/detail/files.hpp>
#include <helicity/job/detail/outputs.hpp>

#include <fmt/format.h>

namespace helicity::job::detail {

void Outputs::write_due()
{
  const std::int64_t step = simulation_.clock().step;
  if (!due(step)) return;
  const ScopedTimer timer(seconds_);
  make_folder(simulation_.communicator(), plan_.output.directory);
  if (plan_.output.snapshots.due(step)) write_snapshot();
  if (plan_.output.images.due(step)) write_image();
  if (plan_.output.series.due(step)) series_.write_row();
}

void Outputs::write_snapshot()
{
  if (!writer_) {
    io::SnapshotOptions options = plan_.output.snapshot;
    options.compress = options.compress || plan_.output.compress;
    writer_.emplace(file_prefix(plan_.output.directory, plan_.output.name),
                    simulation_.communicator(), simulation_.decomposition(), std::move(options));
  }
  const Clock clock = simulation_.clock();
  writer_->begin(clock.step, clock.time());
  simulation_.write_snapshot(*writer_, plan_.output.variables);
  writer_->end();
  ++snapshots_;
}

void Outputs::write_image()
{
  const auto& output = plan_.output;
  const Simulation::Slice slice = simulation_.slice(output.image_variable, output.image_axis);
  const Clock clock = simulation_.clock();
  io::ImageOptions options = output.image;
  const std::string name = options.title.empty() ? output.image_variable : options.title;
  options.title = fmt::format("{}, step {}, t = {:.6g} s", name, clock.step, clock.time());
  const std::string path =
      fmt::format("{}_{}_{:09}.png", file_prefix(output.directory, output.name),
                  output.image_variable, clock.step);
  on_rank_0(simulation_.communicator(),
            [&] { io::write_image(path, slice.values, slice.nx, slice.ny, options); });
  ++images_;
}

}  // namespace helicity::job::detail
