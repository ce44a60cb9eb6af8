// SPDX-License-Identifier: Apache-2.0
#include "contest.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>

#include "check.hpp"

namespace helicity::bench {
namespace {

constexpr std::string_view our_name = "helicity";

struct Times
{
  double cpu = 0;
  double wall = 0;
};

double process_cpu_seconds()
{
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Times timed_run(Peer& peer)
{
  const auto wall = std::chrono::steady_clock::now();
  const double cpu = process_cpu_seconds();
  peer.run();
  const double used = process_cpu_seconds() - cpu;
  return {used, std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count()};
}

// Prepares the fastest variant that is right; if none is, the fastest, with its count of errors.
Entry pick_variant(const Contest& contest, std::unique_ptr<Peer> peer)
{
  Entry best;
  double best_seconds = 0;
  for (const std::string& variant : peer->variants(contest.row->task)) {
    peer->prepare(contest.row->task, variant, contest.pairs);
    peer->run();
    const std::size_t wrong =
        count_wrong(contest.row->task, contest.pairs, contest.expected, peer->results());
    const double seconds = std::min(timed_run(*peer).cpu, timed_run(*peer).cpu);
    const bool more_right = wrong == 0 && best.wrong > 0;
    const bool as_right = (wrong == 0) == (best.wrong == 0);
    if (best.variant.empty() || more_right || (as_right && seconds < best_seconds)) {
      best.variant = variant;
      best.wrong = wrong;
      best_seconds = seconds;
    }
  }
  peer->prepare(contest.row->task, best.variant, contest.pairs);
  best.peer = std::move(peer);
  return best;
}

// CPU seconds that the whole machine was busy since it started; 0 where the system does not tell.
double machine_busy_seconds()
{
  std::ifstream stat("/proc/stat");
  std::string label;
  stat >> label;
  double busy = 0;
  double ticks = 0;
  for (int field = 0; field < 8 && stat >> ticks; ++field) {
    const bool idle = field == 3 || field == 4;  // idle, iowait
    busy += idle ? 0 : ticks;
  }
  return busy / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

double median(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Contest make_contest(const Row& row, std::size_t pairs, Who who)
{
  Contest contest;
  contest.row = &row;
  contest.pairs = make_pairs(row.workload, pairs);
  for (const TextPair& pair : contest.pairs) {
    contest.expected.push_back(reference_score(pair, row.task.mode));
  }
  for (const PeerFactory& factory : peer_factories()) {
    std::unique_ptr<Peer> peer = factory();
    const bool is_ours = peer->name() == our_name;
    if (who == (is_ours ? Who::peers : Who::ours) || peer->variants(row.task).empty()) {
      continue;
    }
    Entry entry = pick_variant(contest, std::move(peer));
    if (is_ours) {
      contest.ours = std::move(entry);
    } else {
      contest.peers.push_back(std::move(entry));
    }
  }
  return contest;
}

void run_rounds(Contest& contest, std::size_t rounds)
{
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Entry& entry : contest.peers) {
      entry.seconds.push_back(timed_run(*entry.peer).cpu);
      if (contest.ours) {
        contest.ours->seconds.push_back(timed_run(*contest.ours->peer).cpu);
      }
    }
    if (contest.peers.empty() && contest.ours) {
      contest.ours->seconds.push_back(timed_run(*contest.ours->peer).cpu);
    }
  }
}

const Entry* best_peer(const Contest& contest)
{
  const Entry* best = nullptr;
  for (const Entry& entry : contest.peers) {
    if (entry.counts() && (best == nullptr || entry.typical() < best->typical())) {
      best = &entry;
    }
  }
  return best;
}

std::vector<double> round_ratios(const Contest& contest, const Entry& peer)
{
  const auto place = static_cast<std::size_t>(&peer - contest.peers.data());
  std::vector<double> ratios;
  for (std::size_t round = 0; round < peer.seconds.size(); ++round) {
    const std::size_t next = round * contest.peers.size() + place;
    ratios.push_back(peer.seconds[round] / contest.ours->seconds[next]);
  }
  return ratios;
}

ThreadTimes time_threads(const Contest& contest, std::size_t rounds)
{
  ThreadTimes times;
  Peer& ours = *contest.ours->peer;
  const auto begin = std::chrono::steady_clock::now();
  const double busy = machine_busy_seconds();
  const double own = process_cpu_seconds();
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const int more : {0, 1}) {
      ours.prepare(contest.row->task, more ? "2 threads" : "1 thread", contest.pairs);
      ours.run();
      const Times taken = timed_run(ours);
      times.wall[more].push_back(taken.wall);
      times.cpu[more].push_back(taken.cpu);
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const double foreign = machine_busy_seconds() - busy - (process_cpu_seconds() - own);
  times.others = foreign / (wall.count() * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)));
  return times;
}

}  // namespace helicity::bench
