// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rows.hpp"

namespace helicity::bench {

double median(std::vector<double> values);

// One aligner in the variant that was fastest, with its CPU seconds round by round.
struct Entry
{
  std::unique_ptr<Peer> peer;
  std::string variant;
  std::size_t wrong = 0;
  std::vector<double> seconds;

  bool counts() const { return peer->exact() && wrong == 0; }
  double typical() const { return median(seconds); }
};

// A row at work: its pairs, the right scores, and all who can do it.
struct Contest
{
  const Row* row = nullptr;
  std::vector<TextPair> pairs;
  std::vector<std::int32_t> expected;
  std::optional<Entry> ours;
  std::vector<Entry> peers;

  double gcups(double seconds) const { return full_cells(pairs) / seconds / 1e9; }
};

enum class Who {
  all,
  ours,
  peers,
};

// Makes the pairs, checks all who can do the row against the reference, and picks variants.
Contest make_contest(const Row& row, std::size_t pairs, Who who);

// Times everybody in turn, ours after each peer.
void run_rounds(Contest& contest, std::size_t rounds);

// The fastest peer that answers the same question and is right; null if there is none.
const Entry* best_peer(const Contest& contest);

// Peer over ours, round by round.
std::vector<double> round_ratios(const Contest& contest, const Entry& peer);

// Runs of one thread and of two in turn, and the share of the machine that others took meanwhile.
struct ThreadTimes
{
  std::vector<double> wall[2];
  std::vector<double> cpu[2];
  double others = 0;
};

// Needs ours to be in the contest.
ThreadTimes time_threads(const Contest& contest, std::size_t rounds);

}  // namespace helicity::bench
