// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/core/progress.hpp>
#include <helicity/io/image.hpp>
#include <helicity/job/simulation.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace helicity::job {

/// Exit codes of a run beyond success, failure and misuse.
enum RunExit : int { done = 0, blew_up = 3, requeue = 75, interrupted = 130 };

/// A point whose values are columns "NAME.VARIABLE" of a series: the cell that it lies in, by the
/// coordinates of snapshots.
struct Probe
{
  std::string name;
  std::array<double, 3> position{};
  std::vector<std::string> variables;
};

struct OutputPlan
{
  std::string directory = ".";
  std::string name = "run";            ///< files are DIRECTORY/NAME...
  Every snapshots;                     ///< NAME_<step>.h5, NAME.xmf
  std::vector<std::string> variables;  ///< empty: all
  bool compress = false;
  Every images;  ///< NAME_<variable>_<step>.png
  std::string image_variable;
  int image_axis = 2;
  io::ImageOptions image;
  Every series;  ///< rows of NAME_series.csv: step, time, Simulation::series(), probes
  std::vector<Probe> probes;
  io::SnapshotOptions snapshot;  ///< coordinates; attributes, of which "configuration" is the TOML
                                 ///< text that checkpoints keep and a restart compares
};

struct CheckpointPlan
{
  Every steps;                       ///< NAME_restart_<step>.h5
  int keep = 2;                      ///< older ones are removed when a new one is whole
  std::string restart;               ///< file to resume from; "latest"; "auto": latest if there is
                                     ///< a state, else from the start; or empty
  std::string configuration_digest;  ///< what must agree between a state and a run
};

struct RunPlan
{
  std::int64_t steps = 0;       ///< total, counted from step 0
  double walltime_seconds = 0;  ///< stop and checkpoint in time; 0: no limit
  Every health{100};
  OutputPlan output;
  CheckpointPlan checkpoint;
  ProgressMode progress = ProgressMode::automatic;
  std::string metrics_file;  ///< JSON, at the end; empty: none
  double bandwidth = 0;      ///< measured bytes per second of this rank; 0: unknown
  std::function<void(const Simulation&)> after_step;  ///< called after every burst of steps
};

/// Runs a simulation to plan.steps: snapshots, images, series, checkpoints, health, progress,
/// signals. SIGTERM, SIGUSR1 and the wall time finish the step, write a checkpoint and return
/// `requeue` (75); SIGINT the same with `interrupted` (130); a second SIGINT ends at once. The
/// first non-finite value or violated limit stops all ranks and returns `blew_up` (3) after one
/// report: variable, global cell, time, local numbers, last good checkpoint, advice. Collective.
///
/// Steps are done in bursts of about 0.15 s, after which signals are looked for, so keep
/// checkpoints quick: mpirun hands SIGUSR1 to the ranks and leaves them alone (sbatch
/// --signal=USR1@120), but a SIGTERM or SIGINT to mpirun itself ends them by SIGKILL some seconds
/// later.
/// A resumed run goes on with the series of the run before, without what that wrote after the
/// state.
/// @throws UsageError if plan.checkpoint.restart names no state that can be used (what was wrong
///   with each candidate), or a probe lies outside the grid; as io
HELICITY_EXPORT int run(Simulation& simulation, const RunPlan& plan);

/// The newest valid state NAME_restart_*.h5 of a folder; what was wrong with newer ones is logged
/// as warnings, file by file. Collective.
/// @throws InputError if there is none
HELICITY_EXPORT std::string latest_restart(const std::string& directory, const std::string& name,
                                           const comm::Communicator& comm,
                                           const comm::Decomposition& decomposition);

/// Text of --dry-run: memory per rank against what there is, bytes per step, step limits, predicted
/// speed and duration. Collective.
/// @param executor  where the simulation is: whose memory is looked at
HELICITY_EXPORT std::string describe_plan(const Simulation& simulation, const RunPlan& plan,
                                          const Executor& executor = Cpu{});

/// Throws if what a run needs cannot be had: called before anything is allocated.
/// @param bytes  that this rank will take on `executor`
/// @throws UsageError, the same on every rank, with what is needed, what there is and how many
///   ranks would do
HELICITY_EXPORT void require_memory(const comm::Communicator& comm, const Executor& executor,
                                    std::size_t bytes);

/// Bytes per second of STREAM triad (a = b + s c, 24 bytes per double) on this executor, measured
/// for some tenths of a second, the best of several runs; all ranks of a host at once. Collective.
HELICITY_EXPORT double measure_bandwidth(const comm::Communicator& comm, const Executor& executor);

}  // namespace helicity::job
