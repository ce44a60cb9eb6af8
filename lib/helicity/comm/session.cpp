// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/launcher.hpp>
#include <helicity/comm/detail/mpi.hpp>
#include <helicity/comm/session.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace helicity::comm {
namespace {

void initialise_mpi()
{
  int provided = 0;
  HELICITY_MPI(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided));
  HELICITY_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
}

void check_threads()
{
  int provided = 0;
  HELICITY_MPI(MPI_Query_thread(&provided));
  if (provided < MPI_THREAD_FUNNELED)
    throw UsageError("MPI runs without threads: initialise it with MPI_THREAD_FUNNELED at least");
}

}  // namespace

Session::Session()
{
  const detail::Launcher launcher = detail::read_launcher();
  const bool running = detail::mpi_runs();
  if (running || launcher.mpi) {
    if (!running) initialise_mpi();
    owns_mpi_ = !running;
    try {
      check_threads();
      MPI_Comm everyone = MPI_COMM_WORLD;
      world_ = Communicator::from_mpi(&everyone);
      detail::check_world(launcher, world_.size(), true);
    } catch (...) {
      world_ = Communicator();
      if (owns_mpi_) MPI_Finalize();
      throw;
    }
  } else {
    detail::check_world(launcher, 1, true);
  }
}

Session::~Session()
{
  const bool alone = world_.size() == 1;
  world_ = Communicator();
  // While an exception of this rank leaves, the others may be anywhere: they would be waited for.
  // mpirun ends them when this process ends without MPI_Finalize.
  if (owns_mpi_ && (alone || std::uncaught_exceptions() == 0)) MPI_Finalize();
}

void Session::abort(int exit_code) const noexcept
{
  std::fflush(nullptr);
  if (detail::mpi_runs() && world_.size() > 1) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace helicity::comm
