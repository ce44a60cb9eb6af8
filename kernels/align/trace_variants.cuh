// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/trace_kernel.cuh>
#include <align/trace_kernels.hpp>
#include <align/trace_plan.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace helicity::align {

namespace {

template <bool Local, class Scores, std::size_t... Shapes>
TraceVariant trace_variant(std::size_t shape, std::index_sequence<Shapes...>)
{
  constexpr auto& shapes = tuning::trace_shapes;
  static constexpr std::array<TraceKernel, sizeof...(Shapes)> kernels{
      trace_kernel<shapes[Shapes].lanes, shapes[Shapes].rows, Local, Scores>...};
  return {kernels[shape], trace_shared_bytes<Scores>()};
}

template <bool Local>
TraceVariant trace_variant(std::size_t shape, bool uniform)
{
  constexpr auto all = std::make_index_sequence<trace_shape_count>();
  return uniform ? trace_variant<Local, UniformScores<TraceScheme>>(shape, all)
                 : trace_variant<Local, TableScores<TraceScheme>>(shape, all);
}

}  // namespace
}  // namespace helicity::align
