// SPDX-License-Identifier: Apache-2.0
#include <align/lane_group.hpp>
#include <helicity/align/lanes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "align/lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <align/lanes-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace helicity::align {
namespace HWY_NAMESPACE {

std::size_t Lanes(LaneWidth width)
{
  return width == LaneWidth::bits8 ? hn::Lanes(hn::ScalableTag<std::int8_t>())
                                   : hn::Lanes(hn::ScalableTag<std::int16_t>());
}

void Run(LaneGroup& group)
{
  if (group.width == LaneWidth::bits8) {
    run_group<std::int8_t>(group);
  } else {
    run_group<std::int16_t>(group);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace helicity::align
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace helicity::align {

HWY_EXPORT(Lanes);
HWY_EXPORT(Run);

namespace {

std::size_t lanes_of(LaneWidth width) { return HWY_DYNAMIC_DISPATCH(Lanes)(width); }

}  // namespace

int lane_count(LaneWidth width) { return static_cast<int>(lanes_of(width)); }

std::size_t lane_path_bytes(LaneWidth width, std::int64_t query_length, std::int64_t target_length)
{
  const auto lanes = static_cast<std::size_t>(lane_count(width));
  const std::size_t bytes = width == LaneWidth::bits8 ? 1 : 2;
  const auto columns = static_cast<std::size_t>(target_length) + LaneGroup::tile;
  return lanes * bytes * static_cast<std::size_t>(query_length) * columns;
}

std::size_t lane_band_bytes(const Problem& problem, LaneWidth width, std::int64_t query_length,
                            std::int64_t target_length)
{
  const LaneGroup::BandShape shape = LaneGroup::band_shape(problem, query_length, target_length);
  return lane_path_bytes(width, std::min(shape.height, query_length), shape.columns);
}

void align_lanes(const Problem& problem, LaneWidth width, LaneOutput output,
                 std::span<const CodePair> pairs, LaneWorkspace& workspace, Path* paths,
                 bool* exact)
{
  LaneGroup group(problem, width, output, pairs, *workspace.impl, lanes_of(width));
  if (output == LaneOutput::path) group.pass = LaneGroup::Pass::ends_matrix;
  HWY_DYNAMIC_DISPATCH(Run)(group);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    exact[k] = group.exact(k);
    if (exact[k]) group.finish(k, paths[k]);
  }
}

void align_lanes_banded(const Problem& problem, LaneWidth width, LaneOutput output,
                        std::span<const CodePair> pairs, LaneWorkspace& workspace, Path* paths,
                        bool* exact)
{
  LaneGroup group(problem, width, output, pairs, *workspace.impl, lanes_of(width));
  if (problem.mode == Mode::global) {
    if (output == LaneOutput::path) group.pass = LaneGroup::Pass::ends_matrix;
    const bool cut = group.cut_global();
    HWY_DYNAMIC_DISPATCH(Run)(group);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      exact[k] = group.exact(k) && (!cut || group.global_band_holds(k));
    }
  } else {
    const bool whole = output == LaneOutput::path && lanes_can_cut_off(problem) &&
                       (!problem.free.target_begin || group.cached());
    if (whole) group.pass = LaneGroup::Pass::ends_matrix;
    if (lanes_can_cut_off(problem)) group.set_cutoff();
    HWY_DYNAMIC_DISPATCH(Run)(group);
    if (whole || output != LaneOutput::path) {
      for (std::size_t k = 0; k < pairs.size(); ++k) exact[k] = group.exact(k);
    } else if (group.cut_at_ends(exact)) {
      group.pass = LaneGroup::Pass::matrix;
      HWY_DYNAMIC_DISPATCH(Run)(group);
    }
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (exact[k]) group.finish(k, paths[k]);
  }
}

}  // namespace helicity::align
#endif
