// SPDX-License-Identifier: Apache-2.0
#include <align/score_packed.hpp>
#include <align/score_packed_kernel.cuh>

#include <iterator>
#include <utility>

namespace helicity::align {

PackedKernel packed_global_kernel(std::size_t shape)
{
  using Shapes = std::make_index_sequence<std::size(tuning::packed_shapes)>;
  return packed_kernel_of<false>(shape, Shapes());
}

}  // namespace helicity::align
