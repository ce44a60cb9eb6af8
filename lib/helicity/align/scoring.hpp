// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace helicity::seq {
class Matrix;
}

namespace helicity::align {

/// A scoring scheme as a user states it. A gap of length L costs gap_open + L * gap_extend
/// (minimap2's convention; BLAST's "open" is our gap_open + gap_extend). Costs are positive
/// numbers that are subtracted; gap_open = 0 gives linear gaps.
struct Scoring
{
  int match = 2;                              ///< added for equal bases (DNA without a matrix)
  int mismatch = 4;                           ///< subtracted for unequal bases
  int gap_open = 4;                           ///< subtracted once for each gap
  int gap_extend = 2;                         ///< subtracted for each letter of a gap
  std::optional<int> n_score = std::nullopt;  ///< added where either base is N; unset: -mismatch
  std::shared_ptr<const seq::Matrix> matrix = nullptr;  ///< replaces match, mismatch and n_score
};

/// A scoring scheme resolved to numbers: what kernels read.
struct ScoreTable
{
  static constexpr int stride = 32;

  std::array<std::int32_t, std::size_t{stride} * stride>
      score{};          ///< [query code * 32 + target code]
  int letters = 5;      ///< codes 0 .. letters-1; DNA: A C G T N, protein: the 24 letters
  int gap_open = 4;     ///< >= 0
  int gap_extend = 2;   ///< >= 0
  int max_score = 2;    ///< largest and
  int min_score = -4;   ///< smallest entry
  bool uniform = true;  ///< DNA with one match, one mismatch and one N score

  HELICITY_HD std::int32_t operator()(int query_code, int target_code) const
  {
    return score[static_cast<std::size_t>(query_code) * stride +
                 static_cast<std::size_t>(target_code)];
  }
};

/// Resolves and checks a scheme.
/// @throws UsageError if a gap cost is negative or a number is out of [-30000, 30000]
HELICITY_EXPORT ScoreTable resolve(const Scoring& scoring);

}  // namespace helicity::align
