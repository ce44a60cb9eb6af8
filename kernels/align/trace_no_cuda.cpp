// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/trace_batch.hpp>
#include <helicity/core/error.hpp>

namespace helicity::align {

void trace_batch(Cuda, const Problem&, std::span<const CodePair>, std::span<const EndCell>,
                 std::size_t, int, bool*, const PathSink&)
{
  throw RuntimeFault("trace_batch: Helicity was built without CUDA");
}

}  // namespace helicity::align
