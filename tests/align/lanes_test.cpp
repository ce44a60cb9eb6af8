// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/lanes.hpp>

#include "oracle/gotoh.hpp"
#include "support/align_isa.hpp"
#include "support/align_random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <ostream>
#include <vector>

namespace helicity {
namespace {

using align::LaneOutput;
using align::LaneWidth;
using align::Mode;
using align::Path;
using align::Problem;
using test::Codes;
using test::Letters;
using test::Random;

/// Pairs under one problem, with what the oracle says.
struct Group
{
  Problem problem;
  std::vector<Letters> letters;
  std::deque<Codes> codes;
  std::vector<Path> paths;

  explicit Group(const Problem& p) : problem(p) {}
  void add(const Letters& pair, seq::Alphabet alphabet = seq::Alphabet::dna)
  {
    if (pair.query.empty() || pair.target.empty()) return;  // never in lanes
    letters.push_back(pair);
    codes.emplace_back(pair, alphabet);
    paths.push_back(oracle::align(problem, codes.back().pair()));
  }
};

struct Tally
{
  std::int64_t pairs = 0;
  std::int64_t exact = 0;
};

constexpr LaneOutput outputs[] = {LaneOutput::score, LaneOutput::end, LaneOutput::path};
constexpr LaneWidth widths[] = {LaneWidth::bits8, LaneWidth::bits16};

/// As much of a path as `output` asks for.
std::string as_text(const Path& path, LaneOutput output)
{
  if (output == LaneOutput::score) return std::to_string(path.end.score);
  Path shown = path;
  if (output == LaneOutput::end) {
    shown.query_begin = shown.target_begin = 0;
    shown.ops.clear();
  }
  return test::describe(shown);
}

/// Runs a group in portions of up to lane_count and compares with the oracle.
void check(const Group& group, LaneWidth width, LaneOutput output, bool banded,
           align::LaneWorkspace& workspace, Tally& tally)
{
  if (!align::lanes_take(group.problem, width)) return;
  if (banded && !align::lanes_can_band(group.problem, output)) return;
  const auto run = banded ? align::align_lanes_banded : align::align_lanes;
  const auto lanes = static_cast<std::size_t>(align::lane_count(width));
  for (std::size_t begin = 0; begin < group.codes.size(); begin += lanes) {
    const std::size_t size = std::min(lanes, group.codes.size() - begin);
    std::vector<align::CodePair> pairs;
    for (std::size_t k = 0; k < size; ++k) pairs.push_back(group.codes[begin + k].pair());
    std::vector<Path> paths(size);
    const auto exact = std::make_unique<bool[]>(size);
    run(group.problem, width, output, pairs, workspace, paths.data(), exact.get());
    for (std::size_t k = 0; k < size; ++k) {
      ++tally.pairs;
      tally.exact += exact[k];
      const bool must_fit =
          !banded && align::lanes_always_fit(group.problem, width, pairs[k].query_length,
                                             pairs[k].target_length);
      if (exact[k] && as_text(paths[k], output) == as_text(group.paths[begin + k], output))
        continue;
      if (!exact[k] && !must_fit) continue;
      ADD_FAILURE() << chosen_isa().name << ", " << (width == LaneWidth::bits8 ? 8 : 16)
                    << " bits, output " << static_cast<int>(output) << ", lane " << k << " of "
                    << size << (banded ? ", banded" : "")
                    << (exact[k] ? "" : ", not exact though it always fits") << '\n'
                    << test::describe(group.problem) << '\n'
                    << test::describe(group.letters[begin + k]) << '\n'
                    << "is:     " << as_text(paths[k], output) << '\n'
                    << "oracle: " << as_text(group.paths[begin + k], output);
      return;  // one report a group is enough
    }
  }
}

/// Every instruction set, width and output, without and with a band; one workspace for all, as in
/// the library. The tally of banded runs goes to `in_band` if that is given.
Tally check_all(const std::vector<Group>& groups, Tally* in_band = nullptr)
{
  Tally tally;
  Tally banded_tally;
  for (const std::string& isa : test::usable_isas()) {
    const test::IsaLimit limit(isa);
    align::LaneWorkspace workspace;
    for (const Group& group : groups) {
      for (const LaneWidth width : widths)
        for (const LaneOutput output : outputs) {
          check(group, width, output, false, workspace, tally);
          check(group, width, output, true, workspace, banded_tally);
          if (testing::Test::HasFailure()) return tally;
        }
    }
  }
  if (in_band != nullptr) *in_band = banded_tally;
  return tally;
}

struct Ends
{
  Mode mode;
  int free;
};

std::ostream& operator<<(std::ostream& out, const Ends& ends)
{
  return out << static_cast<int>(ends.mode) << '/' << ends.free;
}

std::vector<Ends> all_ends()
{
  std::vector<Ends> result{{Mode::global, 0}, {Mode::local, 0}};
  for (int free = 0; free < 16; ++free) result.push_back({Mode::semi_global, free});
  return result;
}

class Lanes : public testing::TestWithParam<Ends>
{
 protected:
  Problem problem(const align::Scoring& scoring) const
  {
    return test::make_problem(scoring, GetParam().mode, test::free_ends(GetParam().free));
  }
  Random random{
      static_cast<std::uint64_t>(GetParam().free * 3 + static_cast<int>(GetParam().mode))};
};

TEST_P(Lanes, DnaEqualsOracle)
{
  std::vector<Group> groups;
  for (int index = 0; index < 2 * test::scheme_kinds; ++index) {
    const bool linear = index % 3 == 1;
    Group group(problem(test::dna_scheme(random, index, linear)));
    const std::int64_t longest = index % 4 == 0 ? 600 : 120;
    for (std::int64_t left = random.between(1, 70); left > 0; --left)
      group.add(test::random_pair(random, seq::Alphabet::dna, longest));
    groups.push_back(std::move(group));
  }
  const Tally tally = check_all(groups);
  EXPECT_GT(tally.exact, tally.pairs / 4);
}

TEST_P(Lanes, ProteinEqualsOracle)
{
  std::vector<Group> groups;
  for (int index = 0; index < 12; ++index) {
    Group group(problem(test::protein_scheme(random, index, index % 3 == 1)));
    for (std::int64_t left = random.between(1, 70); left > 0; --left)
      group.add(test::random_pair(random, seq::Alphabet::protein, index % 4 == 0 ? 400 : 100),
                seq::Alphabet::protein);
    groups.push_back(std::move(group));
  }
  const Tally tally = check_all(groups);
  EXPECT_GT(tally.exact, tally.pairs / 4);
}

/// Every pair of lengths 1 to 18, the same pairs in lanes beside longer ones.
TEST_P(Lanes, SmallLengths)
{
  std::vector<Group> groups;
  for (const bool linear : {false, true}) {
    Group group(problem(test::dna_scheme(random, 0, linear)));
    for (std::int64_t m = 1; m <= 18; ++m)
      for (std::int64_t n = 1; n <= 18; ++n) {
        Letters pair{test::random_sequence(random, seq::Alphabet::dna, m), ""};
        pair.target = test::mutated(random, seq::Alphabet::dna, pair.query, 20);
        pair.target += test::random_sequence(random, seq::Alphabet::dna, n);
        pair.target.resize(static_cast<std::size_t>(n));
        group.add(pair);
      }
    groups.push_back(std::move(group));
  }
  check_all(groups);
}

/// Scores around the largest and smallest that a lane can hold, letter by letter.
TEST_P(Lanes, AroundTheRangeOfALane)
{
  std::vector<Group> groups;
  const auto add = [&](const align::Scoring& scoring, std::int64_t from, std::int64_t to) {
    Group same(problem(scoring));
    Group other = same;
    for (std::int64_t length = from; length <= to; ++length) {
      const std::string sequence = test::random_sequence(random, seq::Alphabet::dna, length);
      same.add({sequence, sequence});
      other.add({std::string(static_cast<std::size_t>(length), 'A'), std::string(40, 'C')});
    }
    groups.push_back(std::move(same));
    groups.push_back(std::move(other));
  };
  add({.match = 1, .mismatch = 1, .gap_open = 1, .gap_extend = 1}, 60, 70);
  add({.match = 1, .mismatch = 1, .gap_open = 1, .gap_extend = 1}, 120, 136);
  add({.match = 1, .mismatch = 1, .gap_open = 1, .gap_extend = 1}, 245, 262);
  add({.match = 2, .mismatch = 4, .gap_open = 4, .gap_extend = 2}, 245, 262);
  add({.match = 63, .mismatch = 1, .gap_open = 0, .gap_extend = 5}, 1, 9);
  add({.match = 255, .mismatch = 255, .gap_open = 0, .gap_extend = 255}, 1, 4);
  add({.match = 101, .mismatch = 100, .gap_open = 90, .gap_extend = 50}, 320, 330);
  add({.match = 201, .mismatch = 100, .gap_open = 90, .gap_extend = 50}, 320, 330);
  add({.match = 1001, .mismatch = 1000, .gap_open = 7000, .gap_extend = 3001}, 28, 36);
  add({.match = 2003, .mismatch = 1000, .gap_open = 7000, .gap_extend = 3001}, 28, 36);
  add({.match = 30000, .mismatch = 29999, .gap_open = 1, .gap_extend = 1}, 1, 5);
  check_all(groups);
}

/// Like sequences with two opposite gaps, which leave the diagonal for a while and come back, and
/// with repeats, where a path beside the best one costs the same or little more.
Letters detour(Random& random, std::int64_t gap)
{
  const std::int64_t length = random.between(60, 250);
  std::string base = test::random_sequence(random, seq::Alphabet::dna, length);
  if (random.chance(40)) {
    const std::string unit =
        test::random_sequence(random, seq::Alphabet::dna, random.between(1, 9));
    std::string run;
    while (run.size() < 80) run += unit;
    base.replace(static_cast<std::size_t>(length / 4), static_cast<std::size_t>(length / 3), run);
  }
  const auto size = static_cast<std::int64_t>(base.size());
  const auto insert = [&](std::string text, std::int64_t at) {
    text.insert(static_cast<std::size_t>(at),
                test::random_sequence(random, seq::Alphabet::dna, gap));
    return text;
  };
  Letters pair{insert(base, random.between(0, size)), base};
  if (random.chance(70)) pair.target = insert(base, random.between(0, size));
  if (random.chance(50)) std::swap(pair.query, pair.target);
  if (random.chance(30)) pair.target += test::random_sequence(random, seq::Alphabet::dna, gap);
  if (random.chance(50)) pair.query = test::mutated(random, seq::Alphabet::dna, pair.query, 2);
  return pair;
}

TEST_P(Lanes, DetoursFromTheDiagonal)
{
  std::vector<Group> groups;
  for (int index = 0; index < 8; ++index) {
    Group group(problem(test::dna_scheme(random, index, index % 3 == 1)));
    for (int k = 0; k < 32; ++k) group.add(detour(random, random.between(0, 1 + 6 * index)));
    groups.push_back(std::move(group));
  }
  Tally in_band;
  check_all(groups, &in_band);
  EXPECT_TRUE(in_band.pairs == 0 || in_band.exact > 0);
}

/// Reads within windows that hold several near copies of them: many end cells compete, and what is
/// cut off must not hide the first of equals.
TEST_P(Lanes, ReadsInWindowsOfRepeats)
{
  std::vector<Group> groups;
  for (int index = 0; index < 2; ++index) {
    Group group(problem(test::dna_scheme(random, 0, index == 1)));
    for (int k = 0; k < 40; ++k) {
      const std::string read =
          test::random_sequence(random, seq::Alphabet::dna, random.between(20, 90));
      Letters pair{read, ""};
      for (int copy = 0; copy < 3; ++copy) {
        pair.target += test::random_sequence(random, seq::Alphabet::dna, random.between(0, 20));
        pair.target += test::mutated(random, seq::Alphabet::dna, read,
                                     static_cast<int>(random.between(0, copy * 6)));
      }
      if (random.chance(50)) pair.query = test::mutated(random, seq::Alphabet::dna, read, 8);
      if (random.chance(20)) std::swap(pair.query, pair.target);
      group.add(pair);
    }
    groups.push_back(std::move(group));
  }
  check_all(groups);
}

std::string ends_name(const testing::TestParamInfo<Ends>& parameter)
{
  const char* const names[] = {"global", "local", "semi"};
  std::string name = names[static_cast<int>(parameter.param.mode)];
  if (parameter.param.mode == Mode::semi_global) name += std::to_string(parameter.param.free);
  return name;
}

INSTANTIATE_TEST_SUITE_P(AllEnds, Lanes, testing::ValuesIn(all_ends()), ends_name);

TEST(LanesFit, EverydayReadsNeverNeedMoreThan16Bits)
{
  for (const Ends& ends : all_ends()) {
    const Problem problem = test::make_problem({}, ends.mode, test::free_ends(ends.free));
    EXPECT_TRUE(align::lanes_take(problem, LaneWidth::bits8)) << ends;
    EXPECT_TRUE(align::lanes_take(problem, LaneWidth::bits16)) << ends;
    if (ends.mode != Mode::semi_global) {
      EXPECT_TRUE(align::lanes_always_fit(problem, LaneWidth::bits16, 600, 600)) << ends;
    }
    EXPECT_FALSE(align::lanes_always_fit(problem, LaneWidth::bits8, 600, 600)) << ends;
  }
}

TEST(LanesFit, LongSequencesInLanes)
{
  Random random(7);
  std::vector<Group> groups;
  for (const Ends& ends : {Ends{Mode::global, 0}, Ends{Mode::local, 0}, Ends{Mode::semi_global, 12},
                           Ends{Mode::semi_global, 3}})
  {
    const Problem problem = test::make_problem({}, ends.mode, test::free_ends(ends.free));
    const std::string sequence = test::random_sequence(random, seq::Alphabet::dna, 12);
    const std::string filler = test::random_sequence(random, seq::Alphabet::dna, 33000);
    Group wide(problem);
    wide.add({sequence, filler + sequence + filler.substr(0, 300)});  // columns above 2^15
    wide.add({"A", "A"});  // one letter beside 33 thousand
    wide.add({sequence, sequence});
    groups.push_back(std::move(wide));
    Group high(problem);
    high.add({filler.substr(0, 16000), sequence});
    high.add({"AC", "C"});
    groups.push_back(std::move(high));
  }
  check_all(groups);
}

TEST(LanesFit, CountsAndScratch)
{
  for (const std::string& isa : test::usable_isas()) {
    const test::IsaLimit limit(isa);
    EXPECT_GE(align::lane_count(LaneWidth::bits8), align::lane_count(LaneWidth::bits16)) << isa;
    EXPECT_GE(align::lane_count(LaneWidth::bits16), 1) << isa;
    for (const LaneWidth width : widths) {
      EXPECT_GE(align::lane_path_bytes(width, 300, 400), align::lane_path_bytes(width, 200, 400));
      EXPECT_GT(align::lane_path_bytes(width, 300, 400), 0u);
    }
  }
}

}  // namespace
}  // namespace helicity
