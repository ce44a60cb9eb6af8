// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/trace_task.hpp>

#include <cstddef>

namespace helicity::align {

using TraceKernel = void (*)(TraceBatch, TraceScheme);

/// An instance of the traceback kernel, and the shared memory that a block of it is given.
struct TraceVariant
{
  TraceKernel kernel;
  std::size_t shared_bytes;
};

/// The instance for tuning::trace_shapes[shape], for the current device.
TraceVariant local_trace_variant(std::size_t shape, bool uniform);
TraceVariant end_to_end_trace_variant(std::size_t shape, bool uniform);

}  // namespace helicity::align
