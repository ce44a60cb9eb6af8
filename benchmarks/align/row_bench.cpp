// SPDX-License-Identifier: Apache-2.0
// Runs rows A1 to A6: ours and each peer in turn, round by round, after all were checked equal.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "report.hpp"

namespace helicity::bench {
namespace {

struct Options
{
  std::vector<std::string_view> rows;
  std::size_t pairs = 20000;
  std::size_t rounds = 7;
  Who who = Who::all;
  bool tsv = false;
};

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
      options.who = Who::peers;
    } else if (argument == "--ours-only") {
      options.who = Who::ours;
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

// False if one of our answers was wrong.
bool bench(const Options& options)
{
  bool right = true;
  if (!options.tsv) {
    print_head(options);
  }
  for (const Row& row : all_rows()) {
    if (!options.rows.empty() &&
        std::count(options.rows.begin(), options.rows.end(), row.name) == 0) {
      continue;
    }
    Contest contest = make_contest(row, options.pairs, options.who);
    run_rounds(contest, options.rounds);
    right = right && !(contest.ours && contest.ours->wrong > 0);
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
  return right;
}

}  // namespace
}  // namespace helicity::bench

int main(int count, char** arguments)
{
  try {
    using namespace helicity::bench;
    return bench(parse({arguments + 1, static_cast<std::size_t>(count - 1)})) ? 0 : 1;
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
}
