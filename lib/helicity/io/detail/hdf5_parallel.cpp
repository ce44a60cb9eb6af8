// SPDX-License-Identifier: Apache-2.0
// What only an HDF5 built with MPI has.
#include <helicity/io/detail/hdf5.hpp>

namespace helicity::io::detail {

bool parallel_hdf5() { return true; }

herr_t share_access(hid_t access, const comm::Communicator& comm)
{
  MPI_Comm group = *static_cast<const MPI_Comm*>(comm.mpi());
  if (H5Pset_fapl_mpio(access, group, MPI_INFO_NULL) < 0) return -1;
  if (H5Pset_coll_metadata_write(access, true) < 0) return -1;
  return H5Pset_all_coll_metadata_ops(access, true);
}

herr_t share_transfer(hid_t transfer, const comm::Communicator& comm)
{
  return comm.size() > 1 ? H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE) : 0;
}

}  // namespace helicity::io::detail
