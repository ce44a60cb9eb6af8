// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace helicity::align {

/// The batch engine on CPU: one pair per SIMD lane, full matrix, 8- or 16-bit scores.
///
/// Scores are kept divided by the common divisor of the scheme. Outside local mode the matrix
/// holds H - a i - b j with a + b = the largest letter score, so that matches cost nothing and
/// values only fall along a path: with saturating arithmetic a value above the floor is exact.
/// In local mode the floor is the zero of Smith and Waterman, and a value below the ceiling is
/// exact.

/// Scratch memory of one thread; grows on demand.
class HELICITY_EXPORT LaneWorkspace
{
 public:
  LaneWorkspace();
  ~LaneWorkspace();
  LaneWorkspace(const LaneWorkspace&) = delete;
  LaneWorkspace& operator=(const LaneWorkspace&) = delete;

  struct Impl;
  std::unique_ptr<Impl> impl;
};

enum class LaneWidth : std::uint8_t { bits8, bits16 };
enum class LaneOutput : std::uint8_t { score, end, path };

/// Longest sequences that lanes take (column numbers are kept in two bytes).
inline constexpr std::int64_t lane_max_query = 16384;
inline constexpr std::int64_t lane_max_target = 65000;

/// Pairs that one call takes on this machine's instruction set.
HELICITY_EXPORT int lane_count(LaneWidth width);

/// Are pairs of these lengths exact at this width whatever their letters? Never promised in
/// semi_global mode.
HELICITY_EXPORT bool lanes_always_fit(const Problem& problem, LaneWidth width,
                                      std::int64_t query_length, std::int64_t target_length);

/// May the scheme be used at this width at all (its scores and costs fit a lane)?
HELICITY_EXPORT bool lanes_take(const Problem& problem, LaneWidth width);

/// Bytes of traceback scratch for a group whose longest sequences are given; and with a band, for
/// pairs of about these lengths.
HELICITY_EXPORT std::size_t lane_path_bytes(LaneWidth width, std::int64_t query_length,
                                            std::int64_t target_length);

HELICITY_EXPORT std::size_t lane_band_bytes(const Problem& problem, LaneWidth width,
                                            std::int64_t query_length, std::int64_t target_length);

/// Aligns pairs.size() <= lane_count(width) pairs, none of them with an empty sequence. paths[k] is
/// filled as far as `output` says (score; end cell; path) and exact[k] is true, or exact[k] is
/// false and the pair must be run wider.
HELICITY_EXPORT void align_lanes(const Problem& problem, LaneWidth width, LaneOutput output,
                                 std::span<const CodePair> pairs, LaneWorkspace& workspace,
                                 Path* paths, bool* exact);

/// Bytes of a group's matrix up to which keeping all of it costs no more than finding the end
/// first.
inline constexpr std::size_t lane_cached_matrix = std::size_t{2} << 20;

/// Do end cells compete along the target alone (its end is free, the query's is not)? Then
/// align_lanes_banded leaves out cells whose cost is beyond a cutoff.
HELICITY_EXPORT bool lanes_can_cut_off(const Problem& problem);

/// May align_lanes_banded be used?
HELICITY_EXPORT bool lanes_can_band(const Problem& problem, LaneOutput output);

/// As align_lanes, with the matrix cut to a part that is proved to hold every optimal path: any
/// path that leaves it costs more than the best one inside. exact[k] is false where that proof
/// fails too; the pair must then be run with the whole matrix.
/// global: a band around the diagonals of both corners. lanes_can_cut_off: rows past the last that
/// costs within a cutoff reach are left out, column by column. Else, and where the matrix is large:
/// the end cell comes first (score and maximum only), the path from a band around its diagonal.
HELICITY_EXPORT void align_lanes_banded(const Problem& problem, LaneWidth width, LaneOutput output,
                                        std::span<const CodePair> pairs, LaneWorkspace& workspace,
                                        Path* paths, bool* exact);

}  // namespace helicity::align
