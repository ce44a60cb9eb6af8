// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/transport.hpp>
#include <helicity/core/exec.hpp>

#include <string>

namespace helicity::comm {

struct SessionOptions
{
  bool share_gpu = false;  ///< several ranks may use one GPU
  TransportRequest gpu_aware_mpi = TransportRequest::automatic;
};

/// MPI from here to the closing brace. Started by a launcher (mpirun, srun) the process becomes a
/// rank; alone it never starts MPI, and world() is this process. MPI that the caller has
/// initialised is used and left running.
/// @note One at a time, on the thread that makes it; MPI calls come from that thread only.
class HELICITY_EXPORT Session
{
 public:
  /// @throws UsageError if Slurm started several tasks that do not see each other (srun without
  ///   --mpi=pmix), or a launcher did and the library was built without MPI
  Session();
  Session(int& argc, char**& argv) : Session() { (void)argc, (void)argv; }

  /// Waits for the other ranks, but not while an exception leaves: then the launcher ends them,
  /// once this process has ended.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Communicator& world() const { return world_; }

  /// What this rank computes on. CUDA: the visible device number node rank % visible devices,
  /// unless exec names one; `automatic` takes GPUs only if every rank has one. CPU: exec.threads
  /// per rank; 0 shares the cores of this host among its ranks. Collective.
  /// @throws UsageError, the same on every rank: as resolve(); or two ranks on one GPU (by PCI id)
  ///   unless options.share_gpu; the text holds the table of ranks
  Executor executor(const Exec& exec, const SessionOptions& options = {}) const;

  /// Lines "rank host device PCI-id" of the last executor(), on every rank.
  const std::string& device_table() const { return device_table_; }

  /// Ends the job on all ranks with this exit code; after MPI has started, mpirun reports it.
  [[noreturn]] void abort(int exit_code) const noexcept;

  /// True if this process is one rank of an MPI job: what a launcher left in the environment says.
  static bool launched();

 private:
  Communicator world_;
  bool owns_mpi_ = false;
  mutable std::string device_table_;
};

}  // namespace helicity::comm
