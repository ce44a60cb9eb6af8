// SPDX-License-Identifier: Apache-2.0
#include "toy.hpp"

#include <helicity/grid/for_cells.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/io/block.hpp>
#include <helicity/job/gather.hpp>

#include <comm/mpi_main.hpp>

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

namespace helicity::test {
namespace {

constexpr Cpu one_thread{1};

std::uint64_t place_of(Index3 cell, Index3 cells)
{
  return static_cast<std::uint64_t>(cell.i + cells.i * (cell.j + cells.j * cell.k));
}

}  // namespace

Toy::Toy(Options options)
    : options_(options),
      comm_(world()),
      decomposition_(options.cells, comm_.size()),
      box_(decomposition_.box(comm_.rank())),
      clock_{0, options.step_seconds},
      x_({.cells = box_.size(), .halo = {1, 1, 1}, .offset = box_.lo}, one_thread)
{
  const auto x = x_.view();
  grid::for_cells(one_thread, x_.owned(), [=, this](Index i, Index j, Index k) {
    const auto place = static_cast<double>(place_of(global({i, j, k}), options_.cells));
    x(i, j, k) = 0.1 + 0.8 * place / static_cast<double>(volume(options_.cells));
  });
}

void Toy::advance(std::int64_t steps)
{
  bursts.push_back(steps);
  const auto x = x_.view();
  for (std::int64_t n = 0; n < steps; ++n) {
    grid::for_cells(one_thread, x_.owned(), [=](Index i, Index j, Index k) {
      x(i, j, k) = 3.9 * x(i, j, k) * (1 - x(i, j, k));
    });
    ++clock_.step;
    const Index3 broken = options_.broken_cell - box_.lo;
    if (clock_.step == options_.breaks_at && x_.owned().contains(broken))
      x[broken] = std::numeric_limits<double>::quiet_NaN();
    std::this_thread::sleep_for(std::chrono::duration<double>(options_.sleep_seconds));
  }
}

std::optional<job::Trouble> Toy::check()
{
  const auto x = x_.view();
  const auto none = static_cast<std::int64_t>(volume(options_.cells));
  const auto bad = comm_.min(grid::reduce_cells<grid::Min<std::int64_t>>(
      one_thread, x_.owned(), [=, this](Index i, Index j, Index k) {
        const auto place = static_cast<std::int64_t>(place_of(global({i, j, k}), options_.cells));
        return std::isfinite(x(i, j, k)) ? none : place;
      }));
  if (bad >= none) return std::nullopt;
  const Index3 n = options_.cells;
  return job::Trouble{.variable = "x",
                      .problem = "is not finite",
                      .cell = {bad % n.i, bad / n.i % n.j, bad / n.i / n.j},
                      .local = {{"x", std::numeric_limits<double>::quiet_NaN()}},
                      .advice = "less growth"};
}

void Toy::read_state(io::StateReader& in, std::int64_t step)
{
  in.read("x", x_);
  clock_.step = step;
}

void Toy::write_snapshot(io::SnapshotWriter& out, const std::vector<std::string>&)
{
  out.write({"population", "1", "share of the most there can be"}, x_);
}

job::Simulation::Slice Toy::slice(const std::string&, int)
{
  if (comm_.rank() != 0) return {};
  return {std::vector<double>(12, 0.5), 4, 3};
}

std::vector<std::pair<std::string, double>> Toy::series()
{
  return {{"first", values_at({{0, 0, 0}}, {"x"}).front()}};
}

std::vector<double> Toy::values_at(const std::vector<Index3>& cells,
                                   const std::vector<std::string>& variables)
{
  return job::values_at(comm_, decomposition_, cells, variables,
                        [&](const std::string&) { return io::gather_block(x_); });
}

job::Cost Toy::cost() const
{
  return {.bytes_per_step = 16.0 * static_cast<double>(box_.cells()),
          .cells = volume(options_.cells),
          .memory = static_cast<std::size_t>(box_.cells()) * 8,
          .step_limits = {{"growth", 0.125}, {"decay", 2.0}}};
}

std::uint64_t Toy::state_hash()
{
  const auto x = x_.view();
  return comm_.sum(grid::reduce_cells<
                   grid::WrappingSum>(one_thread, x_.owned(), [=, this](Index i, Index j, Index k) {
    return grid::hash_cell(grid::bits_of(x(i, j, k)), place_of(global({i, j, k}), options_.cells));
  }));
}

LogCapture::LogCapture()
{
  set_log_sink([this](LogKind kind, std::string_view message) {
    if (kind == LogKind::warning) text_ += "warning: ";
    text_ += message;
    text_ += "\n";
  });
}

SharedFolder::SharedFolder()
{
  std::string name = (std::filesystem::temp_directory_path() / "helicity-job-XXXXXX").string();
  if (world().rank() == 0 && mkdtemp(name.data()) == nullptr) std::abort();
  path_ = world().broadcast(name);
}

SharedFolder::~SharedFolder()
{
  world().barrier();
  std::error_code ignored;
  if (world().rank() == 0) std::filesystem::remove_all(path_, ignored);
}

job::RunPlan toy_plan(const SharedFolder& folder, std::int64_t steps)
{
  job::RunPlan plan;
  plan.steps = steps;
  plan.output.directory = folder.path();
  plan.output.name = "toy";
  plan.progress = ProgressMode::never;
  plan.checkpoint.configuration_digest = "digest of the toy";
  plan.output.snapshot.attributes["configuration"] = std::string("[toy]\ngrowth = 3.9\n");
  return plan;
}

std::vector<std::string> files_in(const std::string& folder)
{
  world().barrier();
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  world().barrier();
  return names;
}

std::uint64_t undisturbed_hash(std::int64_t steps)
{
  Toy toy;
  toy.advance(steps);
  return toy.state_hash();
}

}  // namespace helicity::test
