// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/scoring.hpp>
#include <helicity/core/error.hpp>
#include <helicity/seq/matrix.hpp>

#include <gtest/gtest.h>

#include <string>

namespace helicity {
namespace {

using align::ScoreTable;
using align::Scoring;

std::string message(const Scoring& scoring)
{
  try {
    align::resolve(scoring);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Scoring, DefaultsOfDna)
{
  const ScoreTable table = align::resolve({});
  EXPECT_EQ(table.letters, 5);
  EXPECT_TRUE(table.uniform);
  EXPECT_EQ(table.gap_open, 4);
  EXPECT_EQ(table.gap_extend, 2);
  EXPECT_EQ(table.max_score, 2);
  EXPECT_EQ(table.min_score, -4);
  for (int q = 0; q < 5; ++q)
    for (int t = 0; t < 5; ++t) EXPECT_EQ(table(q, t), q == t && q < 4 ? 2 : -4) << q << ' ' << t;
  for (int q = 0; q < ScoreTable::stride; ++q)
    for (int t = 0; t < ScoreTable::stride; ++t)
      if (q > 4 || t > 4) {
        EXPECT_EQ(table(q, t), 0);
      }
}

TEST(Scoring, ScoreOfN)
{
  Scoring scoring{.match = 3, .mismatch = 5, .gap_open = 0, .gap_extend = 1};
  scoring.n_score = 7;
  const ScoreTable table = align::resolve(scoring);
  for (int code = 0; code < 5; ++code) {
    EXPECT_EQ(table(code, 4), 7);
    EXPECT_EQ(table(4, code), 7);
  }
  EXPECT_EQ(table(0, 0), 3);
  EXPECT_EQ(table(0, 1), -5);
  EXPECT_EQ(table.max_score, 7);
  EXPECT_EQ(table.min_score, -5);
  scoring.n_score = 0;
  EXPECT_EQ(align::resolve(scoring)(4, 4), 0);
}

TEST(Scoring, MismatchMayGain)
{
  const ScoreTable table = align::resolve({.match = -1, .mismatch = -3});
  EXPECT_EQ(table(1, 1), -1);
  EXPECT_EQ(table(1, 2), 3);
  EXPECT_EQ(table(4, 4), 3);
  EXPECT_EQ(table.max_score, 3);
  EXPECT_EQ(table.min_score, -1);
}

TEST(Scoring, MatrixReplacesMatchAndMismatch)
{
  Scoring scoring{.match = 1000000, .mismatch = -1000000, .gap_open = 10, .gap_extend = 1};
  scoring.matrix = std::make_shared<const seq::Matrix>(seq::Matrix::named("BLOSUM62"));
  const ScoreTable table = align::resolve(scoring);
  EXPECT_EQ(table.letters, 24);
  EXPECT_FALSE(table.uniform);
  EXPECT_EQ(table(17, 17), 11);  // W
  EXPECT_EQ(table(0, 0), 4);     // A
  EXPECT_EQ(table(0, 1), -1);    // A R
  EXPECT_EQ(table.max_score, 11);
  EXPECT_EQ(table.min_score, -4);
}

TEST(Scoring, MatrixRowsAreOfTheQuery)
{
  seq::Matrix::Table cells{};
  cells[1 * seq::Matrix::stride + 3] = 9;
  cells[3 * seq::Matrix::stride + 1] = -9;
  Scoring scoring;
  scoring.matrix = std::make_shared<const seq::Matrix>("skew", seq::Alphabet::dna, cells);
  const ScoreTable table = align::resolve(scoring);
  EXPECT_EQ(table.letters, 5);
  EXPECT_FALSE(table.uniform);
  EXPECT_EQ(table(1, 3), 9);
  EXPECT_EQ(table(3, 1), -9);
}

TEST(Scoring, ExtremesAreTaken)
{
  EXPECT_EQ(message({.match = 30000, .mismatch = 30000, .gap_open = 30000, .gap_extend = 30000}),
            "no error");
  EXPECT_EQ(message({.match = -30000, .mismatch = -30000, .gap_open = 0, .gap_extend = 0}),
            "no error");
}

TEST(Scoring, MessagesNameKeyValueAndRange)
{
  EXPECT_EQ(message({.match = 30001}),
            "match is 30001; expected -30000 to 30000 (added for equal bases)");
  EXPECT_EQ(message({.mismatch = -30001}),
            "mismatch is -30001; expected -30000 to 30000 (subtracted for unequal bases)");
  EXPECT_EQ(message({.gap_open = -1}),
            "gap_open is -1; expected 0 to 30000 (a cost: subtracted once for each gap)");
  EXPECT_EQ(
      message({.gap_extend = 30001}),
      "gap_extend is 30001; expected 0 to 30000 (a cost: subtracted for each letter of a gap)");
  Scoring scoring;
  scoring.n_score = 40000;
  EXPECT_EQ(message(scoring),
            "n_score is 40000; expected -30000 to 30000 (added where either base is N)");
  seq::Matrix::Table cells{};
  cells[0] = -32768;
  scoring.matrix = std::make_shared<const seq::Matrix>("deep", seq::Alphabet::dna, cells);
  EXPECT_EQ(
      message(scoring),
      "a score of matrix deep is -32768; expected -30000 to 30000 (added for a pair of letters)");
}

}  // namespace
}  // namespace helicity
