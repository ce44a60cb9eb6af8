// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/aligner.hpp>
#include <helicity/seq/matrix.hpp>

#include "support/align_expected.hpp"
#include "support/align_random.hpp"

#include <parasail.h>
#include <parasail/matrix_lookup.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

/// Against an independent library. Its "diag" kernels of 2.6 are wrong at -O2 and are left alone;
/// it has no answer for empty sequences and spells a gap's first letter open + extend.
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

enum class Kernel { scan, striped };

Result run(const align::Config& config, Kernel kernel, const Letters& letters,
           const parasail_matrix_t* matrix)
{
  const char* q = letters.query.c_str();
  const char* t = letters.target.c_str();
  const int m = static_cast<int>(letters.query.size());
  const int n = static_cast<int>(letters.target.size());
  const int extend = config.scoring.gap_extend;
  const int first = config.scoring.gap_open + extend;
  const bool scan = kernel == Kernel::scan;
  if (config.mode == Mode::global)
    return Result(
        (scan ? parasail_nw_scan_32 : parasail_nw_striped_32)(q, m, t, n, first, extend, matrix));
  if (config.mode == Mode::local)
    return Result(
        (scan ? parasail_sw_scan_32 : parasail_sw_striped_32)(q, m, t, n, first, extend, matrix));
  const align::FreeEnds& free = config.free_ends;
  return Result((scan ? parasail_sg_flags_scan_32 : parasail_sg_flags_striped_32)(
      q, m, t, n, first, extend, matrix, free.query_begin, free.query_end, free.target_begin,
      free.target_end));
}

/// One end cell only, or the same rule for ties: local and "fit" ends can be compared.
bool ends_are_comparable(const align::Config& config)
{
  if (config.mode != Mode::semi_global) return true;
  return !config.free_ends.query_end;
}

void compare(const align::Config& config, const std::vector<Letters>& letters,
             const parasail_matrix_t* matrix)
{
  std::vector<align::Pair> pairs;
  for (const Letters& pair : letters) pairs.push_back({pair.query, pair.target});
  align::Aligner aligner(config);
  const std::vector<Alignment> ours = aligner.align(pairs);
  for (std::size_t k = 0; k < letters.size(); ++k) {
    for (const Kernel kernel : {Kernel::scan, Kernel::striped}) {
      const Result theirs = run(config, kernel, letters[k], matrix);
      ASSERT_NE(theirs, nullptr);
      SCOPED_TRACE(
          test::describe(test::make_problem(config.scoring, config.mode, config.free_ends)) + '\n' +
          test::describe(letters[k]) + '\n' + test::describe(ours[k]));
      ASSERT_FALSE(parasail_result_is_saturated(theirs.get()));
      ASSERT_EQ(ours[k].score, parasail_result_get_score(theirs.get()));
      if (ours[k].status != align::Status::ok || !ends_are_comparable(config)) continue;
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

align::Config configuration(Random& random, int index)
{
  constexpr Mode modes[] = {Mode::global, Mode::local, Mode::semi_global, Mode::semi_global};
  align::Config config;
  config.mode = modes[index % 4];
  config.free_ends =
      index == 2 ? test::free_ends(12) : test::free_ends(static_cast<int>(random.between(0, 15)));
  config.output = align::Output::end;
  config.exec.device = Device::cpu;
  config.exec.threads = 1;
  return config;
}

TEST(Parasail, Dna)
{
  Random random(41);
  for (int index = 0; index < 48; ++index) {
    align::Config config = configuration(random, index);
    config.scoring = {.match = static_cast<int>(random.between(1, 6)),
                      .mismatch = static_cast<int>(random.between(0, 8)),
                      .gap_open = index % 3 == 0 ? 0 : static_cast<int>(random.between(1, 12)),
                      .gap_extend = static_cast<int>(random.between(1, 5))};
    if (index < 4) config.scoring = {};
    const std::unique_ptr<parasail_matrix_t, MatrixFree> matrix(
        parasail_matrix_create("ACGT", config.scoring.match, -config.scoring.mismatch));
    compare(config, plain_pairs(random, seq::Alphabet::dna, 100), matrix.get());
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
    align::Config config = configuration(random, index);
    config.scoring.gap_open = index % 3 == 2 ? 0 : static_cast<int>(random.between(3, 14));
    config.scoring.gap_extend = static_cast<int>(random.between(1, 4));
    config.scoring.matrix = std::make_shared<const seq::Matrix>(seq::Matrix::named(name.ours));
    const parasail_matrix_t* matrix = parasail_matrix_lookup(name.theirs);
    ASSERT_NE(matrix, nullptr);
    SCOPED_TRACE(name.ours);
    compare(config, plain_pairs(random, seq::Alphabet::protein, 100), matrix);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace helicity
