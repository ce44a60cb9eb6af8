// SPDX-License-Identifier: Apache-2.0
// Runs rows A1 to A6: ours and each peer in turn, round by round, after all were checked equal.

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "check.hpp"
#include "rows.hpp"

namespace helicity::bench {
namespace {

constexpr std::string_view our_name = "helicity";

struct Options
{
  std::vector<std::string_view> rows;
  std::size_t pairs = 20000;
  std::size_t rounds = 7;
  bool ours = true;
  bool peers = true;
  bool tsv = false;
};

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

double median(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

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

Contest make_contest(const Row& row, const Options& options)
{
  Contest contest;
  contest.row = &row;
  contest.pairs = make_pairs(row.workload, options.pairs);
  for (const TextPair& pair : contest.pairs) {
    contest.expected.push_back(reference_score(pair, row.task.mode));
  }
  for (const PeerFactory& factory : peer_factories()) {
    std::unique_ptr<Peer> peer = factory();
    const bool is_ours = peer->name() == our_name;
    if (!(is_ours ? options.ours : options.peers) || peer->variants(row.task).empty()) {
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

void print_row(const Contest& contest)
{
  const Entry* best = best_peer(contest);
  std::printf("%-4s", std::string(contest.row->name).c_str());
  if (contest.ours) {
    std::printf(" %7.2f", contest.gcups(contest.ours->typical()));
  } else {
    std::printf(" %7s", "-");
  }
  if (best != nullptr) {
    std::printf(" %7.2f", contest.gcups(best->typical()));
  } else {
    std::printf(" %7s", "-");
  }
  if (best != nullptr && contest.ours) {
    const double ratio = best->typical() / contest.ours->typical();
    std::printf(" %6.2f  %4.1f  %s", ratio, contest.row->goal,
                ratio >= contest.row->goal ? "met" : "missed");
  } else {
    std::printf(" %6s  %4.1f", "-", contest.row->goal);
  }
  std::printf("  %s\n", std::string(contest.row->what).c_str());
  if (contest.ours) {
    print_entry(contest, *contest.ours);
  }
  for (const Entry& entry : contest.peers) {
    print_entry(contest, entry);
  }
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

// Runs of one thread and of two in turn: wall clock seconds, and the share of the machine that
// others took meanwhile.
struct ThreadTimes
{
  std::vector<double> one;
  std::vector<double> two;
  double others = 0;
};

ThreadTimes time_threads(const Contest& contest, std::size_t rounds)
{
  ThreadTimes times;
  Peer& ours = *contest.ours->peer;
  const auto begin = std::chrono::steady_clock::now();
  const double busy = machine_busy_seconds();
  const double own = process_cpu_seconds();
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const char* variant : {"1 thread", "2 threads"}) {
      ours.prepare(contest.row->task, variant, contest.pairs);
      ours.run();
      (variant[0] == '1' ? times.one : times.two).push_back(timed_run(ours).wall);
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const double foreign = machine_busy_seconds() - busy - (process_cpu_seconds() - own);
  times.others = foreign / (wall.count() * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)));
  return times;
}

void print_threads(const Contest& contest, std::size_t rounds)
{
  constexpr double busy_share = 0.05;  // above it the wall clock says little
  const ThreadTimes times = time_threads(contest, rounds);
  const double speedup = median(times.one) / median(times.two);
  std::printf("     2 threads over 1, wall clock: %.2f, goal %.1f  ", speedup, threads_goal);
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
      std::printf("%s\t%s\t%.4f\n", std::string(contest.row->name).c_str(),
                  entry.peer->name().c_str(), contest.gcups(seconds));
    }
  };
  if (contest.ours) {
    print(*contest.ours);
  }
  for (const Entry& entry : contest.peers) {
    print(entry);
  }
}

std::size_t parse_count(std::string_view text)
{
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
    throw std::invalid_argument("not a positive number: " + std::string(text));
  }
  return value;
}

Options parse(std::span<char* const> arguments)
{
  Options options;
  for (const std::string_view argument : arguments) {
    if (argument.starts_with("--pairs=")) {
      options.pairs = parse_count(argument.substr(8));
    } else if (argument.starts_with("--rounds=")) {
      options.rounds = parse_count(argument.substr(9));
    } else if (argument == "--peers-only") {
      options.ours = false;
    } else if (argument == "--ours-only") {
      options.peers = false;
    } else if (argument == "--tsv") {
      options.tsv = true;
    } else if (argument.starts_with("-")) {
      throw std::invalid_argument("unknown option " + std::string(argument));
    } else {
      options.rows.push_back(argument);
    }
  }
  for (const std::string_view name : options.rows) {
    const auto known = [name](const Row& row) { return row.name == name; };
    if (std::none_of(all_rows().begin(), all_rows().end(), known)) {
      throw std::invalid_argument("unknown row " + std::string(name));
    }
  }
  return options;
}

void print_head(const Options& options)
{
  double load = 0;
  getloadavg(&load, 1);
  std::printf(
      "GCUPS = full matrix cells / CPU second, one thread; %zu pairs, %zu rounds in turn, "
      "medians; load %.1f\n",
      options.pairs, options.rounds, load);
  if (std::string_view(HELICITY_MISSING_PEERS) != "") {
    std::printf("peers not found (scripts/install_peers.sh): %s\n", HELICITY_MISSING_PEERS);
  }
  std::printf("ROW     ours    peer  ratio  goal\n");
}

void bench(const Options& options)
{
  if (!options.tsv) {
    print_head(options);
  }
  for (const Row& row : all_rows()) {
    if (!options.rows.empty() &&
        std::count(options.rows.begin(), options.rows.end(), row.name) == 0) {
      continue;
    }
    Contest contest = make_contest(row, options);
    run_rounds(contest, options.rounds);
    if (options.tsv) {
      print_tsv(contest);
    } else {
      print_row(contest);
      if (contest.ours) {
        print_threads(contest, options.rounds);
      }
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace helicity::bench

int main(int count, char** arguments)
{
  try {
    helicity::bench::bench(
        helicity::bench::parse({arguments + 1, static_cast<std::size_t>(count - 1)}));
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr,
                 "row_bench: error: %s\nusage: row_bench [--pairs=N] [--rounds=N] "
                 "[--peers-only | --ours-only] [--tsv] [ROW...]\n",
                 error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "row_bench: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
