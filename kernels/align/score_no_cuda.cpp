// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/score_batch.hpp>
#include <helicity/core/error.hpp>

namespace helicity::align {

void score_batch(Cuda, const Problem&, std::span<const CodePair>, std::size_t, EndCell*, bool*)
{
  throw RuntimeFault("score_batch: Helicity was built without CUDA");
}

}  // namespace helicity::align
