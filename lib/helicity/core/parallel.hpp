// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <functional>

namespace helicity {

/// CPU threads this process may use: its affinity mask, which batch systems and containers set.
HELICITY_EXPORT int usable_threads() noexcept;

/// Threads meant by a request: the request itself, or all usable ones for 0.
/// @throws UsageError if it is negative or above 4096
HELICITY_EXPORT int resolve_threads(int requested);

/// Calls `body(index, worker)` once for each index in [0, count), on up to `threads` threads
/// including the caller; `worker` is below resolve_threads(threads), and no two calls at the same
/// time share one, so it may index scratch space. Indices are handed out one by one, in order:
/// make them large pieces of work (microseconds at least), the dearest first.
///
/// Threads are kept between calls. If a body throws, no further index is started and the first
/// exception is rethrown here when all have stopped. A call from inside a body runs serially.
/// @note Returns when all is done; concurrent callers share the kept threads.
HELICITY_EXPORT void parallel_for(int threads, std::size_t count,
                                  const std::function<void(std::size_t index, int worker)>& body);

}  // namespace helicity
