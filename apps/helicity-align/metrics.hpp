// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline.hpp"

#include <helicity/align/aligner.hpp>

#include <string>

namespace helicity::app {

/// What a run did and what it took.
struct Metrics
{
  Totals totals;
  align::Counters counters;
  std::string device;
  int threads = 1;
  double seconds = 0;  ///< of the whole run

  /// Matrix cells per second of alignment, in 10^9.
  double gcups() const;
};

/// "1000 pairs, 22.5 Mcells in 1.20 s (19 GCUPS), cpu (...)" and how many did not align.
std::string summary(const Metrics& metrics);

/// How long each part of the run was busy, and the peak of memory.
std::string details(const Metrics& metrics);

/// @throws RuntimeFault if the file cannot be written
void write_json(const Metrics& metrics, const std::string& path);

}  // namespace helicity::app
