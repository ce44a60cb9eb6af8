// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/error.hpp>

#include <mpi.h>

#include <string>

/// Checks an MPI call: HELICITY_MPI(MPI_Barrier(comm)).
/// @throws RuntimeFault "MPI_Barrier: invalid communicator"
#define HELICITY_MPI(call) ::helicity::comm::detail::check_mpi(call, #call)

namespace helicity::comm::detail {

inline void check_mpi(int error, const char* call)
{
  if (error == MPI_SUCCESS) [[likely]]
    return;
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  if (MPI_Error_string(error, text, &length) != MPI_SUCCESS) length = 0;
  std::string name = call;
  name.resize(name.find('('));
  throw RuntimeFault(name + ": " +
                     (length > 0 ? std::string(text, static_cast<std::size_t>(length))
                                 : "error " + std::to_string(error)));
}

/// Between MPI_Init and MPI_Finalize?
inline bool mpi_runs()
{
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  return started != 0 && ended == 0;
}

inline MPI_Comm handle(const void* comm) { return *static_cast<const MPI_Comm*>(comm); }

}  // namespace helicity::comm::detail
