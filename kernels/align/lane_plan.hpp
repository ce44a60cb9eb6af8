// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/lanes.hpp>

#include <cstdint>

namespace helicity::align {

/// A problem put into the numbers of one lane width. Values V are signed, floor .. ceiling.
///   local:  V = floor + H
///   else:   V = ceiling - D,  D = a i + b j - H >= 0
/// Both obey V(i,j) = max(V(i-1,j-1) + s, E, F) with one set of (shifted) scores and costs.
struct LanePlan
{
  bool local = false;
  bool uniform = false;  ///< scores by table lookup on (query code ^ target code)
  bool bytes = true;     ///< every score fits a signed byte
  bool query_begin_free = false;
  bool target_begin_free = false;
  bool query_end_free = false;
  bool target_end_free = false;
  std::int32_t floor = -128;
  std::int32_t ceiling = 127;
  std::int32_t divisor = 1;      ///< scores of the scheme = divisor * scores of the plan
  std::int32_t a = 0, b = 0;     ///< per letter of query and target
  std::int32_t open = 0;         ///< subtracted on opening a gap
  std::int32_t query_step = 0;   ///< subtracted per inserted letter: extend + a
  std::int32_t target_step = 0;  ///< subtracted per deleted letter: extend + b
  std::int32_t max_letter = 0;   ///< largest score of the scheme, scaled
  bool match_is_best = false;    ///< equal bases score the most: the diagonal then always attains H
  std::int32_t worst = 0;        ///< largest cost of one aligned pair of letters, scaled
  std::int32_t score[ScoreTable::stride * ScoreTable::stride] = {};

  std::int64_t clamp(std::int64_t v) const { return v < floor ? floor : v; }

  /// V(i, 0) and V(0, j).
  std::int64_t left(std::int64_t i) const
  {
    if (local) return floor;
    if (i == 0) return ceiling;
    return clamp(query_begin_free ? ceiling - a * i : ceiling - open - query_step * i);
  }
  std::int64_t top(std::int64_t j) const
  {
    if (local) return floor;
    if (j == 0) return ceiling;
    return clamp(target_begin_free ? ceiling - b * j : ceiling - open - target_step * j);
  }

  /// H(i,j) of the scheme, scaled.
  std::int64_t scaled(std::int64_t v, std::int64_t i, std::int64_t j) const
  {
    return local ? v - floor : a * i + b * j - (ceiling - v);
  }
};

/// @param query_longer  total query letters exceed total target letters (decides a and b in global
/// mode)
LanePlan plan_lanes(const Problem& problem, LaneWidth width, bool query_longer);

}  // namespace helicity::align
