// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>

#include <string>

namespace helicity::comm {

/// Whether MPI may be handed device memory: if a trial shows that it can; never; it must.
enum class TransportRequest { automatic, off, on };

/// How halos travel between ranks.
enum class Transport {
  host,    ///< host memory by MPI: fields on CPUs
  staged,  ///< packed on the device, copied to pinned host memory, sent by MPI
  direct   ///< packed on the device, device memory handed to MPI
};

/// Chooses, the same on every rank. For CUDA: asks the MPI library whether it is CUDA-aware, and
/// believes it after one element has made the way between device buffers of neighbouring ranks;
/// device memory never reaches an MPI that denies it.
/// @param why  set to the reason, one line
/// @throws UsageError for `on` if the MPI library denies it or the trial fails
HELICITY_EXPORT Transport choose_transport(const Communicator& comm, const Executor& executor,
                                           TransportRequest request, std::string* why = nullptr);

HELICITY_EXPORT const char* to_string(Transport transport);

}  // namespace helicity::comm
