// SPDX-License-Identifier: Apache-2.0
// The place of hdf5_parallel.cpp where HDF5 was built without MPI.
#include <helicity/io/detail/hdf5.hpp>

namespace helicity::io::detail {

bool parallel_hdf5() { return false; }

herr_t share_access(hid_t, const comm::Communicator& comm) { return comm.size() > 1 ? -1 : 0; }

herr_t share_transfer(hid_t, const comm::Communicator&) { return 0; }

}  // namespace helicity::io::detail
