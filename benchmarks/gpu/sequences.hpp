// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "row.hpp"

#include <helicity/align/problem.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gpu_rows {

/// Lengths of the pairs of a row.
struct Shape
{
  std::int64_t query, target;
  std::string text() const { return std::to_string(query) + " x " + std::to_string(target); }
};

/// Pairs of DNA, a query with 3 % errors somewhere in its target: few sequences, used many times.
class Sequences
{
 public:
  /// @param most_cells  of all pairs together
  Sequences(Shape shape, double most_cells, std::size_t most_pairs);

  const std::vector<helicity::align::CodePair>& pairs() const { return pairs_; }
  const std::vector<std::uint8_t>& letters() const { return letters_; }
  double cells() const { return cells_; }
  std::string text() const;  ///< "150 x 250, 1000 pairs"

 private:
  Shape shape_;
  std::vector<std::uint8_t> letters_;
  std::vector<helicity::align::CodePair> pairs_;
  double cells_ = 0;
};

/// The scheme and modes that alignment rows are measured with.
helicity::align::Problem problem_of(helicity::align::Mode mode);
const char* mode_name(helicity::align::Mode mode);

/// TCUPS of the fastest score kernels of this device.
double score_ceiling(const Bench& bench, helicity::align::Mode mode);

}  // namespace gpu_rows
