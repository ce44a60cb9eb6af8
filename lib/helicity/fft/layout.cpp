// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/fft/detail/layout.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace helicity::fft::detail {
namespace {

std::string dimension_name(const std::string& name, int d)
{
  return name + ", dimension " + std::to_string(d);
}

Index product(Index a, Index b, const std::string& name)
{
  Index result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    throw UsageError(name + ": extents or strides reach beyond 63 bits");
  return result;
}

Index sum(Index a, Index b, const std::string& name)
{
  Index result = 0;
  if (__builtin_add_overflow(a, b, &result))
    throw UsageError(name + ": extents or strides reach beyond 63 bits");
  return result;
}

}  // namespace

Reach check_layout(const Layout& layout, const std::string& name)
{
  if (layout.dimensions < 1 || layout.dimensions > max_dimensions)
    throw UsageError(name + ": 1 to " + std::to_string(max_dimensions) +
                     " dimensions are expected, not " + std::to_string(layout.dimensions));
  if (layout.address == 0) throw UsageError(name + ": a null address");
  const auto bytes = static_cast<Index>(layout.element_bytes);
  Reach reach{0, bytes};
  Index total = bytes;
  for (int d = 0; d < layout.dimensions; ++d) {
    const Index n = layout.count(d);
    if (n < 1)
      throw UsageError(dimension_name(name, d) + ": the extent must be at least 1, not " +
                       std::to_string(n));
    if (n > 1 && layout.step(d) == 0) throw UsageError(dimension_name(name, d) + ": a stride of 0");
    total = product(total, n, name);
    const Index far = product(product(n - 1, layout.step(d), name), bytes, name);
    (far < 0 ? reach.first : reach.last) = sum(far < 0 ? reach.first : reach.last, far, name);
  }
  return reach;
}

void check_distinct(const Layout& layout, const std::string& name)
{
  std::vector<int> order;
  for (int d = 0; d < layout.dimensions; ++d)
    if (layout.count(d) > 1) order.push_back(d);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::abs(layout.step(a)) < std::abs(layout.step(b)); });
  Index below = 0;  // the farthest element of the dimensions below
  for (const int d : order) {
    const Index step = std::abs(layout.step(d));
    if (step <= below)
      throw UsageError(dimension_name(name, d) + ": a stride of " + std::to_string(step) +
                       " lets elements overlap");
    below += step * (layout.count(d) - 1);
  }
}

bool overlap(std::uintptr_t a, Reach a_reach, std::uintptr_t b, Reach b_reach)
{
  const auto at = [](std::uintptr_t base, Index offset) {
    return base + static_cast<std::uintptr_t>(offset);
  };
  return at(a, a_reach.first) < at(b, b_reach.last) && at(b, b_reach.first) < at(a, a_reach.last);
}

bool lines_stay(const Layout& in, const Layout& out, int axis)
{
  for (int d = 0; d < in.dimensions; ++d) {
    const Index in_bytes = in.step(d) * static_cast<Index>(in.element_bytes);
    const Index out_bytes = out.step(d) * static_cast<Index>(out.element_bytes);
    const bool equal = in_bytes == out_bytes || in.count(d) == 1;
    if (d != axis && !equal) return false;
    if (d == axis && !equal && (in.step(d) != 1 || out.step(d) != 1)) return false;
  }
  return true;
}

}  // namespace helicity::fft::detail
