// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"
#include "targets.hpp"
#include "work.hpp"

#include <helicity/align/aligner.hpp>

#include <memory>

namespace helicity::app {

/// Writes results, in the order they come, in one format.
class Writer
{
 public:
  virtual ~Writer() = default;

  /// @throws RuntimeFault if the system refuses; InputError for what the format cannot hold
  virtual void write(const Work& work) = 0;

  /// Completes the output and gives the file its name; without it nothing is left behind.
  virtual void finish() = 0;
};

/// @param table  must outlive the writer
std::unique_ptr<Writer> make_writer(const Options& options, const align::ScoreTable& table,
                                    const TargetFile& targets);

}  // namespace helicity::app
