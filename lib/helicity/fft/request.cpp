// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/fft/detail/planner.hpp>

#include <cmath>
#include <string>

namespace helicity::fft::detail {
namespace {

void check_axes(const Transform& transform, int dimensions)
{
  const std::vector<int>& axes = transform.axes;
  if (axes.empty() || axes.size() > 3)
    throw UsageError("axes: 1 to 3 are expected, not " + std::to_string(axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= dimensions)
      throw UsageError("axes: " + std::to_string(axes[i]) + " is not a dimension of views of " +
                       std::to_string(dimensions));
    for (std::size_t j = 0; j < i; ++j)
      if (axes[j] == axes[i])
        throw UsageError("axes: " + std::to_string(axes[i]) + " is named twice");
  }
}

void check_extents(const Request& r)
{
  const int half = r.types.real_in == r.types.real_out ? -1 : r.transform.axes[0];
  for (int d = 0; d < r.in.dimensions; ++d) {
    const Index n = r.types.real_out ? r.out.count(d) : r.in.count(d);
    const Index spectrum = r.types.real_out ? r.in.count(d) : r.out.count(d);
    const Index expected = d == half ? n / 2 + 1 : n;
    if (spectrum != expected)
      throw UsageError("dimension " + std::to_string(d) + ": " + std::to_string(n) +
                       " places want " + std::to_string(expected) + " in the other view, not " +
                       std::to_string(spectrum));
  }
}

void check_kinds(const Request& r)
{
  const Transform& t = r.transform;
  const bool real = r.types.real_in && r.types.real_out;
  if (t.kinds.size() != (real ? t.axes.size() : 0))
    throw UsageError(real ? "kinds: one is expected for each axis of a transform between real views"
                          : "kinds are of transforms between real views only");
  for (std::size_t i = 0; i < t.kinds.size(); ++i)
    if (t.kinds[i] == Kind::dct1 && r.in.count(t.axes[i]) < 2)
      throw UsageError("axis " + std::to_string(t.axes[i]) + ": dct1 wants at least 2 places");
}

void check_places(Request& r)
{
  r.in_place = r.in.address == r.out.address;
  const int axis = r.types.real_in == r.types.real_out ? -1 : r.transform.axes[0];
  if (r.in_place) {
    if (!lines_stay(r.in, r.out, axis))
      throw UsageError(
          "in place, input and output must have equal strides in bytes (along a "
          "halved axis: both 1 element)");
    check_distinct(r.in, "input");
  } else if (overlap(r.in.address, r.in_reach, r.out.address, r.out_reach)) {
    throw UsageError("input and output overlap without being in place");
  }
}

}  // namespace

Request check_request(Types types, const Layout& in, const Layout& out, const Transform& transform)
{
  Request r{types, in, out, transform, false, {}, {}};
  r.in_reach = check_layout(in, "input");
  r.out_reach = check_layout(out, "output");
  check_distinct(out, "output");
  if (in.dimensions != out.dimensions)
    throw UsageError("views of " + std::to_string(in.dimensions) + " and " +
                     std::to_string(out.dimensions) + " dimensions");
  check_axes(transform, in.dimensions);
  check_extents(r);
  check_kinds(r);
  if (!std::isfinite(transform.scale)) throw UsageError("scale: a finite number is expected");
  check_places(r);
  return r;
}

}  // namespace helicity::fft::detail
