// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fft/detail/layout.hpp>
#include <helicity/fft/detail/line.hpp>

#include <memory>
#include <string>
#include <vector>

namespace helicity::fft::detail {

/// Memory that a step reads or writes; `line` is scratch for one long line.
enum class Place : std::uint8_t { input, output, scratch, line };

/// A dimension beside the axis. Strides in real numbers.
struct Beside
{
  Index count = 1, in = 0, out = 0;
};

/// All lines along one axis.
template <class T>
struct Step
{
  std::shared_ptr<const LineTransform<T>> line;
  Place from = Place::input, to = Place::output;
  int axis = 0;
  Index n = 0;
  Index in_row = 0, out_row = 0;  ///< in real numbers
  Beside columns;                 ///< whose lines are side by side in lanes
  Index tile = 1;                 ///< columns of a task
  std::vector<Beside> outer;
  std::vector<Beside> shared;  ///< dimensions of the group the step is in
};

/// Steps done one after the other for each place of the dimensions they share, so that what one has
/// written is still in a cache when the next reads it, or so that scratch serves one line.
template <class T>
struct Group
{
  std::vector<Step<T>> steps;
  Index count = 1;          ///< places
  bool independent = true;  ///< places may be worked on at the same time
  bool one_task = false;    ///< of a single step: see find_one_task
};

/// Merges dimensions that are one in memory, and picks columns and tile: lanes take neighbours.
template <class T>
void choose_columns(Step<T>& step, std::size_t real_in, std::size_t real_out);

/// Notes whether the group is one step of one task.
template <class T>
void find_one_task(Group<T>& group);

template <class T>
struct Memories
{
  const T* input = nullptr;
  T* output = nullptr;
  T* scratch = nullptr;
  T* line = nullptr;
  T* work = nullptr;  ///< of worker 0; those of the others follow
  Index work_numbers = 0;

  const T* source(Place place) const { return place == Place::input ? input : target(place); }
  T* target(Place place) const
  {
    switch (place) {
      case Place::input: return const_cast<T*>(input);
      case Place::output: return output;
      case Place::scratch: return scratch;
      default: return line;
    }
  }
};

template <class T>
void run_group(const Group<T>& group, const Memories<T>& memories, int threads);

}  // namespace helicity::fft::detail
