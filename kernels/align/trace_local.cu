// SPDX-License-Identifier: Apache-2.0
#include <align/trace_variants.cuh>

namespace helicity::align {

TraceVariant local_trace_variant(std::size_t shape, bool uniform)
{
  return trace_variant<true>(shape, uniform);
}

}  // namespace helicity::align
