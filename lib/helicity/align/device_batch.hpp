// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>

#include <cstddef>
#include <cstdint>

/// Scores of pairs that are on a CUDA device already, left there: for CUDA programs. Pointers are
/// to device memory unless a comment says otherwise.
namespace helicity::align {

/// Sequences as codes of the problem's alphabet (values < table.letters, which is not checked).
/// Sequence k has the codes [offsets[k], offsets[k] + lengths[k]).
struct DeviceSequences
{
  const std::uint8_t* codes = nullptr;
  const std::uint64_t* offsets = nullptr;
  const std::int32_t* lengths = nullptr;
};

/// What became of a pair.
enum class DeviceStatus : std::uint8_t {
  ok,
  too_long,     ///< longer than DeviceLimits says; or a negative length
  out_of_range  ///< its scores might leave 32 bits: for the CPU
};

/// Best end cells (problem.hpp), one entry for each pair; 0 where the status is not ok.
struct DeviceEnds
{
  std::int32_t* score = nullptr;
  std::int32_t* query_end = nullptr;
  std::int32_t* target_end = nullptr;
  DeviceStatus* status = nullptr;
};

/// What a workspace is sized by.
struct DeviceLimits
{
  std::int32_t pairs = 0;
  std::int32_t longest_query = 0;
  std::int32_t longest_target = 0;
};

/// Bytes of device memory that score_device_batch needs for so many pairs of such lengths.
/// @throws UsageError if a limit is negative, or the library was built without CUDA
/// @throws RuntimeFault if there is no such device
HELICITY_EXPORT std::size_t device_workspace_bytes(Cuda exec, const DeviceLimits& limits);

/// Best end cell of query k with target k, for each k < limits.pairs, by the kernels and with the
/// results of score_batch. All work is queued on exec.stream (nullptr: the default stream) and
/// nothing waits for it: inputs, results and workspace must stay until the stream has got there.
/// Calls on one stream may share a workspace, calls on several may not.
/// @param workspace  device memory of the caller, on a multiple of 256 bytes
/// @throws UsageError if a limit is negative, the workspace is smaller than device_workspace_bytes
///   says, or the library was built without CUDA
/// @throws RuntimeFault if work cannot be queued
HELICITY_EXPORT void score_device_batch(Cuda exec, const Problem& problem,
                                        const DeviceSequences& queries,
                                        const DeviceSequences& targets, const DeviceLimits& limits,
                                        const DeviceEnds& ends, void* workspace,
                                        std::size_t workspace_bytes);

}  // namespace helicity::align
