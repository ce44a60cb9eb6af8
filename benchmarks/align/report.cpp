// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <cstdio>

namespace helicity::bench {
namespace {

std::string label(const Entry& entry)
{
  return entry.peer->name() + " " + entry.peer->version() + " (" + entry.variant + ")";
}

void print_entry(const Contest& contest, const Entry& entry)
{
  const auto [fast, slow] = std::minmax_element(entry.seconds.begin(), entry.seconds.end());
  std::printf("     %7.2f  [%.2f .. %.2f]  %s%s", contest.gcups(entry.typical()),
              contest.gcups(*slow), contest.gcups(*fast), label(entry).c_str(),
              entry.peer->exact() ? "" : ", context only");
  if (entry.wrong > 0 && entry.peer->exact()) {
    std::printf(", WRONG in %zu of %zu: not compared", entry.wrong, contest.pairs.size());
  }
  std::printf("\n");
}

std::string figure(const Contest& contest, const Entry* entry)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", entry ? contest.gcups(entry->typical()) : 0.0);
  return entry ? text : "-";
}

void print_verdict(const Contest& contest, const Entry& best)
{
  const double ratio = best.typical() / contest.ours->typical();
  const std::vector<double> ratios = round_ratios(contest, best);
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  std::printf(" %6.2f  %4.1f  %s (by round %.2f .. %.2f), ", ratio, contest.row->goal,
              contest.ours->wrong > 0      ? "WRONG"
              : ratio >= contest.row->goal ? "met"
                                           : "missed",
              *low, *high);
}

}  // namespace

void print_row(const Contest& contest)
{
  const Entry* best = best_peer(contest);
  const Entry* ours = contest.ours ? &*contest.ours : nullptr;
  std::printf("%-4s %7s %7s", contest.row->name.data(), figure(contest, ours).c_str(),
              figure(contest, best).c_str());
  if (ours != nullptr && best != nullptr) {
    print_verdict(contest, *best);
  } else {
    std::printf(" %6s  %4.1f  ", "-", contest.row->goal);
  }
  std::printf("%s\n", contest.row->what.data());
  if (ours != nullptr) print_entry(contest, *ours);
  for (const Entry& entry : contest.peers) print_entry(contest, entry);
}

void print_threads(const Contest& contest, std::size_t rounds)
{
  constexpr double busy_share = 0.05;  // above it the wall clock says little
  const ThreadTimes times = time_threads(contest, rounds);
  const double speedup = median(times.wall[0]) / median(times.wall[1]);
  const double cost = median(times.cpu[1]) / median(times.cpu[0]);
  std::printf("     2 threads over 1: wall clock %.2f times faster (goal %.1f), CPU time %.2f: ",
              speedup, threads_goal, cost);
  if (times.others > busy_share) {
    std::printf("not judged: others took %.0f %% of the machine\n", 100 * times.others);
  } else {
    std::printf("%s\n", speedup >= threads_goal ? "met" : "missed");
  }
}

void print_tsv(const Contest& contest)
{
  const auto print = [&contest](const Entry& entry) {
    for (const double seconds : entry.seconds) {
      std::printf("%s\t%s\t%.4f\n", contest.row->name.data(), entry.peer->name().c_str(),
                  contest.gcups(seconds));
    }
  };
  if (contest.ours) {
    print(*contest.ours);
  }
  for (const Entry& entry : contest.peers) {
    print(entry);
  }
}

}  // namespace helicity::bench
