// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/job/driver.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace helicity::job::detail {

/// Numbers of a run as --metrics writes them.
struct Metrics
{
  std::string name;
  int exit_code = 0;
  std::string exit_reason;  ///< "done", "walltime", "signal", "interrupted", "blew up"
  int ranks = 1;
  std::string decomposition;
  std::int64_t first_step = 0, last_step = 0;
  double time = 0;
  double seconds = 0, stepping = 0, checkpointing = 0, output = 0, checking = 0;
  Index cells = 0;
  double bytes_per_step = 0;  ///< of rank 0
  double bandwidth = 0;       ///< of rank 0; 0: unknown
  std::int64_t checkpoints = 0, snapshots = 0, images = 0;
  std::string last_checkpoint;
  std::uint64_t memory = 0, peak_memory = 0;  ///< bytes of all ranks: planned, resident
  std::uint64_t state_hash = 0;

  double steps() const { return static_cast<double>(last_step - first_step); }
  double updates_per_second() const;
  double bytes_per_second() const;
  std::optional<double> fraction_of_bandwidth() const;
};

/// @throws RuntimeFault if the file cannot be written
void write_metrics(const Metrics& metrics, const std::string& path);

}  // namespace helicity::job::detail
