// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input.hpp"
#include "writer.hpp"

#include <helicity/align/aligner.hpp>

#include <cstdint>
#include <functional>

namespace helicity::app {

/// What a run did, and the seconds that each of its parts was busy.
struct Totals
{
  std::uint64_t pairs = 0;
  std::uint64_t unaligned = 0;
  std::uint64_t failed = 0;  ///< pairs with a status other than ok and unaligned
  double read_seconds = 0;
  double align_seconds = 0;
  double write_seconds = 0;
};

/// Reads, aligns and writes all pairs. With `overlap` the three go on at once, each in its own
/// thread, a few pieces apart; without, one after the other in this one.
/// The first exception of any part ends all and is rethrown.
/// @param progress  called by this thread with the number of pairs aligned so far
Totals run_pipeline(PairSource& source, align::Aligner& aligner, Writer& writer, bool overlap,
                    const std::function<void(std::uint64_t)>& progress);

}  // namespace helicity::app
