// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/trace_task.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

/// From steps to runs of equal operations, in memory of their exact size.
namespace helicity::align {

/// Bytes that trace_offsets needs beside its arrays.
std::size_t trace_offset_bytes(std::int32_t count);

/// offsets[k] = runs[0] + .. + runs[k - 1], for k = 0 .. count; runs[count] is not read for that,
/// but must be there. Queued on `stream`.
void trace_offsets(const std::uint32_t* runs, std::int32_t count, std::uint32_t* offsets,
                   void* scratch, std::size_t scratch_bytes, CUstream_st* stream);

/// Writes the runs of all tasks. Queued on `stream`.
void write_trace_runs(const TraceRuns& paths, CUstream_st* stream);

}  // namespace helicity::align
