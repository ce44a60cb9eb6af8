// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/parallel.hpp>
#include <helicity/fft/detail/steps.hpp>

#include <algorithm>
#include <cstdlib>

namespace helicity::fft::detail {
namespace {

std::size_t size_of(Index n) { return static_cast<std::size_t>(n); }

Index places(const std::vector<Beside>& outer)
{
  Index count = 1;
  for (const Beside& d : outer) count *= d.count;
  return count;
}

struct Offsets
{
  Index in = 0, out = 0;
};

Offsets offsets_of(const std::vector<Beside>& outer, Index place)
{
  Offsets at;
  for (const Beside& d : outer) {
    at.in += place % d.count * d.in;
    at.out += place % d.count * d.out;
    place /= d.count;
  }
  return at;
}

template <class T>
void run_task(const Step<T>& step, const Memories<T>& memories, Offsets base, Index task,
              int worker)
{
  const Index tiles = (step.columns.count + step.tile - 1) / step.tile;
  const Index column = task % tiles * step.tile;
  const Offsets at = offsets_of(step.outer, task / tiles);
  LineBatch<T> batch;
  batch.in = memories.source(step.from) + base.in + at.in + column * step.columns.in;
  batch.out = memories.target(step.to) + base.out + at.out + column * step.columns.out;
  batch.in_row = step.in_row;
  batch.out_row = step.out_row;
  batch.in_column = step.columns.in;
  batch.out_column = step.columns.out;
  batch.columns = std::min(step.tile, step.columns.count - column);
  batch.first_column = column;
  batch.work = memories.work + worker * memories.work_numbers;
  step.line->run(batch);
}

template <class T>
Index task_count(const Step<T>& step)
{
  return places(step.outer) * ((step.columns.count + step.tile - 1) / step.tile);
}

bool can_merge(const Beside& low, const Beside& high)
{
  return high.in == low.in * low.count && high.out == low.out * low.count;
}

void merge(std::vector<Beside>& dimensions)
{
  std::sort(dimensions.begin(), dimensions.end(), [](const Beside& a, const Beside& b) {
    return std::abs(a.out) != std::abs(b.out) ? std::abs(a.out) < std::abs(b.out)
                                              : std::abs(a.in) < std::abs(b.in);
  });
  std::vector<Beside> merged;
  for (const Beside& d : dimensions) {
    if (d.count == 1) continue;
    if (!merged.empty() && can_merge(merged.back(), d))
      merged.back().count *= d.count;
    else
      merged.push_back(d);
  }
  dimensions = std::move(merged);
}

}  // namespace

template <class T>
void choose_columns(Step<T>& step, std::size_t real_in, std::size_t real_out)
{
  merge(step.outer);
  step.columns = {};
  const auto units = [&](const Beside& d) {
    return (std::abs(d.in) == static_cast<Index>(real_in)) +
           (std::abs(d.out) == static_cast<Index>(real_out));
  };
  const auto best =
      std::max_element(step.outer.begin(), step.outer.end(),
                       [&](const Beside& a, const Beside& b) { return units(a) < units(b); });
  if (best != step.outer.end()) {
    step.columns = *best;
    step.outer.erase(best);
  }
  const bool within = step.line->works_within() && step.in_row == static_cast<Index>(real_in) &&
                      step.out_row == static_cast<Index>(real_out);
  constexpr Index lanes = 64 / static_cast<Index>(sizeof(T));
  constexpr Index numbers_of_task = 1 << 15;
  const Index wanted = std::max<Index>(1, numbers_of_task / std::max<Index>(step.n, 1));
  step.tile = within ? wanted : std::max<Index>(4, (wanted + lanes - 1) / lanes) * lanes;
  if (!within) step.tile = std::min<Index>(step.tile, 16 * lanes);
}

template <class T>
void run_group(const Group<T>& group, const Memories<T>& memories, int threads)
{
  if (group.one_task) {  // small transforms: nothing to look up
    const Step<T>& s = group.steps.front();
    return s.line->run({memories.source(s.from), memories.target(s.to), s.in_row, s.columns.in,
                        s.out_row, s.columns.out, s.columns.count, 0, memories.work});
  }
  const auto run_steps = [&](Index place, int worker, bool parallel) {
    for (const Step<T>& step : group.steps) {
      const Offsets base = offsets_of(step.shared, place);
      const Index tasks = task_count(step);
      if (!parallel) {
        for (Index task = 0; task < tasks; ++task) run_task(step, memories, base, task, worker);
        continue;
      }
      parallel_for(threads, size_of(tasks), [&](std::size_t task, int own) {
        run_task(step, memories, base, static_cast<Index>(task), own);
      });
    }
  };
  if (group.independent && threads > 1 && group.count >= 2 * threads)
    return parallel_for(threads, size_of(group.count), [&](std::size_t place, int worker) {
      run_steps(static_cast<Index>(place), worker, false);
    });
  for (Index place = 0; place < group.count; ++place) run_steps(place, 0, threads > 1);
}

template <class T>
void find_one_task(Group<T>& group)
{
  if (group.count != 1 || group.steps.size() != 1) return;
  group.one_task = task_count(group.steps.front()) == 1;
}

template void find_one_task(Group<float>&);
template void find_one_task(Group<double>&);
template void choose_columns(Step<float>&, std::size_t, std::size_t);
template void choose_columns(Step<double>&, std::size_t, std::size_t);
template void run_group(const Group<float>&, const Memories<float>&, int);
template void run_group(const Group<double>&, const Memories<double>&, int);

}  // namespace helicity::fft::detail
