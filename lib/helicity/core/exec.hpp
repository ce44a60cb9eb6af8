// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <variant>

struct CUstream_st;  // cudaStream_t is a pointer to it; no CUDA header is needed here

namespace helicity {

/// Where a computation runs. `automatic` takes a GPU if one answers, else the CPU.
enum class Device { automatic, cpu, cuda };

/// A choice of device and its limits, as an option: what a caller asks for.
struct Exec
{
  Device device = Device::automatic;
  int threads = 0;                ///< CPU threads; 0: all that the process may use
  int device_id = 0;              ///< CUDA ordinal
  CUstream_st* stream = nullptr;  ///< CUDA stream of the caller; nullptr: streams of our own
  std::size_t memory = 0;         ///< budget in bytes for batches, tiles and traceback; 0: default
};

/// Tag of the CPU implementation of a kernel: what `Exec` resolves to.
struct Cpu
{
  int threads = 1;
};

/// Tag of the CUDA implementation of a kernel: work is ordered on `stream` of device `device_id`.
struct Cuda
{
  int device_id = 0;
  CUstream_st* stream = nullptr;
};

/// Where and how a computation runs, decided: what resolve() and comm::Session::executor() return.
using Executor = std::variant<Cpu, Cuda>;

}  // namespace helicity
