// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace helicity::comm::detail {

/// What launchers left in the environment.
struct Launcher
{
  bool mpi = false;       ///< one that starts MPI processes was here
  bool runs_one = false;  ///< and it was asked for one process
  int processes = 0;      ///< how many it started; 0 if it does not say
  int slurm_tasks = 0;    ///< of this Slurm step, or the job; 0 outside Slurm
};

/// Read before MPI_Init, which adds variables of its own.
Launcher read_launcher();

/// @param size  processes that see each other
/// @throws UsageError if more were started: by srun without the right --mpi, by another MPI's
///   mpirun, or for a library without MPI
void check_world(const Launcher& launcher, int size, bool have_mpi);

}  // namespace helicity::comm::detail
