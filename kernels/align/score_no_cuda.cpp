// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/device_batch.hpp>
#include <helicity/align/score_batch.hpp>
#include <helicity/core/error.hpp>

namespace helicity::align {

void score_batch(Cuda, const Problem&, std::span<const CodePair>, std::size_t, EndCell*, bool*,
                 const ScoreOptions&)
{
  throw RuntimeFault("score_batch: Helicity was built without CUDA");
}

std::size_t device_workspace_bytes(Cuda, const DeviceLimits&)
{
  throw UsageError("device_workspace_bytes: Helicity was built without CUDA");
}

void score_device_batch(Cuda, const Problem&, const DeviceSequences&, const DeviceSequences&,
                        const DeviceLimits&, const DeviceEnds&, void*, std::size_t)
{
  throw UsageError("score_device_batch: Helicity was built without CUDA");
}

}  // namespace helicity::align
