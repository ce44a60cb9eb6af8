// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"
#include "targets.hpp"
#include "work.hpp"

#include <memory>

namespace helicity::app {

/// Gives the pairs of a run, in output order, in pieces of bounded size.
class PairSource
{
 public:
  virtual ~PairSource() = default;

  /// Replaces `work` by the next pairs; false when there are none left.
  /// @throws InputError if a file is malformed or their numbers of records differ
  virtual bool next(Work& work) = 0;
};

/// @throws InputError if a file cannot be opened
std::unique_ptr<PairSource> make_source(const Options& options, const TargetFile& targets);

}  // namespace helicity::app
