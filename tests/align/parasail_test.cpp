// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/aligner.hpp>
#include <helicity/seq/matrix.hpp>

#include "support/align_expected.hpp"
#include "support/align_random.hpp"

#include <parasail.h>
#include <parasail/matrix_lookup.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

/// Against an independent library. Its "diag" kernels of 2.6 are wrong at -O2 and are left alone;
/// so are its "striped" kernels for some linear gaps (sg_db, GAQFGVQSDITKWCKIATTWTCGR / WL,
/// BLOSUM62, 0 + 3k: -56, the scan kernels and enumeration say -53); it has no answer for empty
/// sequences and spells a gap's first letter open + extend.
namespace helicity {
namespace {

using align::Alignment;
using align::Mode;
using test::Letters;
using test::Random;

struct ResultFree
{
  void operator()(parasail_result_t* result) const { parasail_result_free(result); }
};
using Result = std::unique_ptr<parasail_result_t, ResultFree>;

struct MatrixFree
{
  void operator()(parasail_matrix_t* matrix) const { parasail_matrix_free(matrix); }
};

/// Free ends that parasail has kernels for; three free ends it has none for.
struct Ends
{
  const char* name;
  align::FreeEnds free;
};
constexpr Ends all_ends[] = {
    {"sg_dx", {false, false, true, true}},    {"sg_db", {false, false, true, false}},
    {"sg_de", {false, false, false, true}},   {"sg_qx", {true, true, false, false}},
    {"sg_qb", {true, false, false, false}},   {"sg_qe", {false, true, false, false}},
    {"sg_qb_db", {true, false, true, false}}, {"sg_qe_de", {false, true, false, true}},
    {"sg_qb_de", {true, false, false, true}}, {"sg_qe_db", {false, true, true, false}},
    {"sg", {true, true, true, true}}};

/// A configuration, and the name of parasail's kernels for it.
struct Case
{
  align::Config config;
  std::string kernel;
};

const std::string scan = "_scan_32";
const std::string striped = "_striped_32";

Result run(const Case& c, const std::string& vectors, const Letters& letters,
           const parasail_matrix_t* matrix)
{
  parasail_function_t* kernel = parasail_lookup_function((c.kernel + vectors).c_str());
  if (kernel == nullptr) return nullptr;
  const int extend = c.config.scoring.gap_extend;
  return Result(kernel(letters.query.c_str(), static_cast<int>(letters.query.size()),
                       letters.target.c_str(), static_cast<int>(letters.target.size()),
                       c.config.scoring.gap_open + extend, extend, matrix));
}

/// Both end at the smallest target end of the best, then at the smallest query end; where the last
/// row and the last column compete, parasail does not say which it takes.
bool ends_are_comparable(const align::Config& config)
{
  return config.mode != Mode::semi_global || !config.free_ends.query_end;
}

/// An end cell before the first letter of a sequence: parasail does not look there.
bool ends_on_the_rim(const Alignment& alignment)
{
  return alignment.query_end == 0 || alignment.target_end == 0;
}

void compare(const Case& c, const std::vector<Letters>& letters, const parasail_matrix_t* matrix)
{
  std::vector<align::Pair> pairs;
  for (const Letters& pair : letters) pairs.push_back({pair.query, pair.target});
  align::Aligner aligner(c.config);
  const std::vector<Alignment> ours = aligner.align(pairs);
  for (std::size_t k = 0; k < letters.size(); ++k) {
    for (const std::string& vectors : {scan, striped}) {
      if (c.config.scoring.gap_open == 0 && vectors == striped) continue;
      const Result theirs = run(c, vectors, letters[k], matrix);
      ASSERT_NE(theirs, nullptr) << c.kernel;
      SCOPED_TRACE(
          c.kernel + vectors + '\n' +
          test::describe(test::make_problem(c.config.scoring, c.config.mode, c.config.free_ends)) +
          '\n' + test::describe(letters[k]) + '\n' + test::describe(ours[k]));
      ASSERT_FALSE(parasail_result_is_saturated(theirs.get()));
      if (ends_on_the_rim(ours[k])) {
        ASSERT_GE(ours[k].score, parasail_result_get_score(theirs.get()));
        continue;
      }
      ASSERT_EQ(ours[k].score, parasail_result_get_score(theirs.get()));
      if (ours[k].status != align::Status::ok || !ends_are_comparable(c.config)) continue;
      ASSERT_EQ(ours[k].query_end, parasail_result_get_end_query(theirs.get()) + 1);
      ASSERT_EQ(ours[k].target_end, parasail_result_get_end_ref(theirs.get()) + 1);
    }
  }
}

/// Non-empty, of plain upper-case letters: what both sides read alike.
std::vector<Letters> plain_pairs(Random& random, seq::Alphabet alphabet, int count)
{
  const std::string known = alphabet == seq::Alphabet::dna ? "ACGT" : "ARNDCQEGHILKMFPSTWYVBZX";
  std::vector<Letters> pairs;
  while (static_cast<int>(pairs.size()) < count) {
    Letters pair = test::random_pair(random, alphabet, 600);
    if (pair.query.empty() || pair.target.empty()) continue;
    for (std::string* sequence : {&pair.query, &pair.target})
      for (char& letter : *sequence) {
        letter = static_cast<char>(std::toupper(letter));
        if (known.find(letter) == std::string::npos) letter = known.back();
      }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

Case make_case(int index)
{
  constexpr Mode modes[] = {Mode::global, Mode::local, Mode::semi_global, Mode::semi_global};
  Case c;
  c.config.mode = modes[index % 4];
  c.config.output = align::Output::end;
  c.config.exec.device = Device::cpu;
  c.config.exec.threads = 1;
  const Ends& ends = all_ends[static_cast<std::size_t>(index / 2) % std::size(all_ends)];
  c.config.free_ends = ends.free;
  c.kernel = c.config.mode == Mode::global ? "nw" : c.config.mode == Mode::local ? "sw" : ends.name;
  return c;
}

TEST(Parasail, Dna)
{
  Random random(41);
  for (int index = 0; index < 48; ++index) {
    Case c = make_case(index);
    c.config.scoring = {.match = static_cast<int>(random.between(1, 6)),
                        .mismatch = static_cast<int>(random.between(0, 8)),
                        .gap_open = index % 3 == 0 ? 0 : static_cast<int>(random.between(1, 12)),
                        .gap_extend = static_cast<int>(random.between(1, 5))};
    if (index < 4) c.config.scoring = {};
    const std::unique_ptr<parasail_matrix_t, MatrixFree> matrix(
        parasail_matrix_create("ACGT", c.config.scoring.match, -c.config.scoring.mismatch));
    compare(c, plain_pairs(random, seq::Alphabet::dna, 100), matrix.get());
    if (HasFatalFailure()) return;
  }
}

TEST(Parasail, Protein)
{
  Random random(42);
  struct Names
  {
    const char* ours;
    const char* theirs;
  };
  constexpr Names names[] = {{"BLOSUM62", "blosum62"},
                             {"BLOSUM50", "blosum50"},
                             {"BLOSUM80", "blosum80"},
                             {"PAM250", "pam250"}};
  for (int index = 0; index < 48; ++index) {
    const Names name = names[index < 24 ? 0 : index / 4 % 4];
    Case c = make_case(index);
    c.config.scoring.gap_open = index % 3 == 2 ? 0 : static_cast<int>(random.between(3, 14));
    c.config.scoring.gap_extend = static_cast<int>(random.between(1, 4));
    c.config.scoring.matrix = std::make_shared<const seq::Matrix>(seq::Matrix::named(name.ours));
    const parasail_matrix_t* matrix = parasail_matrix_lookup(name.theirs);
    ASSERT_NE(matrix, nullptr);
    SCOPED_TRACE(name.ours);
    compare(c, plain_pairs(random, seq::Alphabet::protein, 100), matrix);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace helicity
