// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/graph.hpp>
#include <support/check.cuh>

namespace helicity {

Graph::~Graph()
{
  if (graph_ != nullptr && cudaGraphExecDestroy(graph_) != cudaSuccess) cudaGetLastError();
}

Graph::Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}

Graph& Graph::operator=(Graph&& other) noexcept
{
  std::swap(graph_, other.graph_);
  return *this;
}

void Graph::launch(Cuda exec) const
{
  const DeviceGuard guard(exec.device_id);
  HELICITY_CUDA(cudaGraphLaunch(graph_, exec.stream));
}

Graph::Recording::Recording(Cuda exec) : exec_(exec)
{
  if (exec.stream == nullptr) throw UsageError("the default stream cannot be recorded");
  const DeviceGuard guard(exec.device_id);
  HELICITY_CUDA(cudaStreamBeginCapture(exec.stream, cudaStreamCaptureModeThreadLocal));
}

Graph::Recording::~Recording()
{
  if (!running_) return;
  cudaGraph_t graph = nullptr;
  static_cast<void>(cudaStreamEndCapture(exec_.stream, &graph));
  if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
  cudaGetLastError();
}

Graph Graph::Recording::end()
{
  running_ = false;
  const DeviceGuard guard(exec_.device_id);
  cudaGraph_t graph = nullptr;
  HELICITY_CUDA(cudaStreamEndCapture(exec_.stream, &graph));
  Graph result;
  const cudaError_t error = cudaGraphInstantiate(&result.graph_, graph, 0);
  static_cast<void>(cudaGraphDestroy(graph));
  check_cuda(error, "cudaGraphInstantiate");
  return result;
}

}  // namespace helicity
