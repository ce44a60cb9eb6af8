// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/io/detail/hdf5.hpp>
#include <helicity/io/detail/state_format.hpp>

#include <string>

namespace helicity::io::detail {

/// Runs f; a failure of HDF5 becomes InputError "PATH: damaged: what".
template <class F>
void reading(const std::string& path, F&& f)
{
  try {
    f();
  } catch (const Hdf5Fault& e) {
    throw InputError(path + ": damaged: " + e.short_text());
  }
}

/// Opens an HDF5 file for reading by this process alone. @throws InputError if there is none, it is
/// not HDF5 or it is damaged; RuntimeFault if the file system refuses
File open_input(const std::string& path);

/// Reads and checks all of a state file but the data, on rank 0, for every rank. Collective.
/// @throws InputError, the same on every rank
state::Header read_header(const std::string& path, const comm::Communicator& comm, Index3 cells);

}  // namespace helicity::io::detail
