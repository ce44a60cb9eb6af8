// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/error.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

/// Checks a CUDA runtime call: HELICITY_CUDA(cudaMalloc(&data, bytes)).
/// @throws RuntimeFault "cudaMalloc: out of memory (device 0)"
#define HELICITY_CUDA(call) ::helicity::check_cuda(call, #call)

namespace helicity {

/// The error as text, on the device that is current.
inline std::string cuda_fault(cudaError_t error, const char* call)
{
  std::string text(call);
  text.resize(std::min(text.size(), text.find('(')));
  int device = 0;
  const bool known = cudaGetDevice(&device) == cudaSuccess;
  return text + ": " + cudaGetErrorString(error) +
         (known ? " (device " + std::to_string(device) + ")" : "");
}

inline void check_cuda(cudaError_t error, const char* call)
{
  if (error == cudaSuccess) [[likely]]
    return;
  cudaGetLastError();  // so that an error that does not stick is not seen again by the next check
  throw RuntimeFault(cuda_fault(error, call));
}

}  // namespace helicity
