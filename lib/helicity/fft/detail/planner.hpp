// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/fft/detail/steps.hpp>
#include <helicity/fft/plan.hpp>

#include <vector>

namespace helicity::fft::detail {

/// What kind of numbers views hold.
struct Types
{
  bool real_in = false, real_out = false;
};

/// Layouts of a plan after check_request, and what is derived from them.
struct Request
{
  Types types;
  Layout in, out;
  Transform transform;
  bool in_place = false;
  Reach in_reach, out_reach;
};

/// @throws UsageError; see make_plan
Request check_request(Types types, const Layout& in, const Layout& out, const Transform& transform);

/// What execute() runs: groups of steps, and the scratch they share.
template <class T>
struct Schedule
{
  std::vector<Group<T>> groups;
  Index scratch_numbers = 0;  ///< of Place::scratch
  Index line_numbers = 0;     ///< of Place::line
};

template <class T>
Schedule<T> schedule(const Request& request);

}  // namespace helicity::fft::detail
