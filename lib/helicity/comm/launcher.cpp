// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/launcher.hpp>
#include <helicity/comm/session.hpp>
#include <helicity/core/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <initializer_list>

namespace helicity::comm {
namespace {

/// The first of these variables that holds a number above 0; else 0.
int first_number(std::initializer_list<const char*> names)
{
  for (const char* name : names)
    if (const char* text = std::getenv(name))
      if (const int number = std::atoi(text); number > 0) return number;
  return 0;
}

bool any_set(std::initializer_list<const char*> names)
{
  for (const char* name : names)
    if (std::getenv(name) != nullptr) return true;
  return false;
}

}  // namespace

namespace detail {

Launcher read_launcher()
{
  Launcher found;
  found.mpi = any_set({"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK",
                       "MPI_LOCALNRANKS", "MV2_COMM_WORLD_SIZE"});
  found.processes = first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"});
  found.runs_one = found.processes == 1;
  found.slurm_tasks = first_number({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"});
  return found;
}

void check_world(const Launcher& launcher, int size, bool have_mpi)
{
  if (size > 1) return;
  if (launcher.processes > 1)
    throw UsageError(fmt::format(
        "{} processes were started, but they do not see each other: {}", launcher.processes,
        have_mpi ? "mpirun belongs to another MPI library (or use srun --mpi=pmix)"
                 : "this Helicity was built without MPI"));
  if (launcher.slurm_tasks > 1 && !launcher.runs_one)
    throw UsageError(fmt::format(
        "Slurm runs {} tasks, but they do not see each other: {} (to run one process alone: unset "
        "SLURM_NTASKS SLURM_STEP_NUM_TASKS)",
        launcher.slurm_tasks,
        have_mpi ? "start them with srun --mpi=pmix" : "this Helicity was built without MPI"));
}

}  // namespace detail

bool Session::launched() { return detail::read_launcher().mpi; }

}  // namespace helicity::comm
