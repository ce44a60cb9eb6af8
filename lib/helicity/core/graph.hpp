// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>

#include <utility>

struct CUgraphExec_st;  // cudaGraphExec_t is a pointer to it

namespace helicity {

/// Work of a stream, recorded once and queued again with one call: what a host spends on launches
/// limits small kernels.
class HELICITY_EXPORT Graph
{
 public:
  Graph() = default;  ///< of nothing
  ~Graph();
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;

  /// Records what `queue` queues on exec.stream, without doing it. `queue` must not wait, allocate
  /// device memory or use other streams.
  /// @throws UsageError for the default stream, which cannot be recorded; RuntimeFault if something
  ///   cannot be recorded; what `queue` throws
  template <class Queue>
  static Graph record(Cuda exec, Queue&& queue)
  {
    Recording recording(exec);
    std::forward<Queue>(queue)();
    return recording.end();
  }

  bool empty() const { return graph_ == nullptr; }

  /// Queues the work on a stream of the device it was recorded on. Does not wait. @pre !empty()
  void launch(Cuda exec) const;

 private:
  class HELICITY_EXPORT Recording
  {
   public:
    explicit Recording(Cuda exec);
    ~Recording();  ///< gives up what was not ended
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    Graph end();

   private:
    Cuda exec_;
    bool running_ = true;
  };

  CUgraphExec_st* graph_ = nullptr;
};

}  // namespace helicity
