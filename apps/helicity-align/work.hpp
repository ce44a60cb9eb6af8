// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/aligner.hpp>
#include <helicity/seq/record.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace helicity::app {

/// Which records of a Work make a pair.
struct PairIndex
{
  std::uint32_t query = 0;
  std::uint32_t target = 0;
};

/// A piece of the run on its way from input to output: records, pairs of them, their alignments.
/// Records may be shared with other pieces; nobody changes them any more.
struct Work
{
  std::shared_ptr<const seq::Batch> queries;
  std::shared_ptr<const seq::Batch> targets;
  std::vector<PairIndex> pairs;
  std::vector<align::Alignment> alignments;  ///< one for each pair, once aligned
};

/// One result with all that a writer may want to know.
struct AlignedPair
{
  seq::RecordView query;
  seq::RecordView target;
  const align::Alignment& alignment;
};

inline AlignedPair aligned_pair(const Work& work, std::size_t i)
{
  const PairIndex pair = work.pairs[i];
  return {(*work.queries)[pair.query], (*work.targets)[pair.target], work.alignments[i]};
}

}  // namespace helicity::app
