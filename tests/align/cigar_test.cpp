// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/cigar.hpp>

#include "oracle/gotoh.hpp"
#include "support/align_random.hpp"

#include <gtest/gtest.h>

namespace helicity {
namespace {

using align::Cigar;
using align::CigarOp;
using align::count;
using align::Path;
using align::to_string;
using align::with_match_op;
using test::Codes;
using test::Letters;
using test::Random;

constexpr std::int64_t longest_word = (std::int64_t{1} << 28) - 1;

/// Words of text such as 3=1X2I.
Cigar words(const std::string& text)
{
  Cigar cigar;
  std::uint32_t length = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      length = length * 10 + static_cast<std::uint32_t>(c - '0');
      continue;
    }
    cigar.push_back(length << 4 | static_cast<std::uint32_t>(std::string("MIDNSHP=X").find(c)));
    length = 0;
  }
  return cigar;
}

std::string finish(const std::string& path, const std::string& query, const std::string& target,
                   std::int64_t query_begin = 0, std::int64_t target_begin = 0)
{
  const Codes codes({query, target}, seq::Alphabet::dna);
  Path p;
  p.query_begin = query_begin;
  p.target_begin = target_begin;
  p.ops = words(path);
  return to_string(align::finish_path(p, codes.pair(), 4));
}

TEST(Cigar, AppendMergesEqualOperations)
{
  Cigar cigar;
  append(cigar, CigarOp::equal, 3);
  append(cigar, CigarOp::equal, 4);
  append(cigar, CigarOp::diff, 1);
  append(cigar, CigarOp::insertion, 0);
  append(cigar, CigarOp::diff, 2);
  append(cigar, CigarOp::deletion, 5);
  EXPECT_EQ(cigar, words("7=3X5D"));
}

TEST(Cigar, RunsLongerThanAWordTakeSeveral)
{
  Cigar cigar;
  append(cigar, CigarOp::equal, longest_word - 1);
  append(cigar, CigarOp::equal, 2 * longest_word + 5);
  ASSERT_EQ(cigar.size(), 4u);
  std::int64_t total = 0;
  for (const std::uint32_t word : cigar) {
    EXPECT_EQ(align::cigar_op(word), CigarOp::equal);
    EXPECT_LE(align::cigar_length(word), longest_word);
    EXPECT_GT(align::cigar_length(word), 0);
    total += align::cigar_length(word);
  }
  EXPECT_EQ(total, 3 * longest_word + 4);
  EXPECT_EQ(count(cigar).equal, total);
  EXPECT_EQ(with_match_op(cigar).size(), 4u);
}

TEST(Cigar, Text)
{
  EXPECT_EQ(to_string(Cigar{}), "*");
  EXPECT_EQ(to_string(words("10=1X2I3D4S5M")), "10=1X2I3D4S5M");
  EXPECT_EQ(to_string(words("268435455=")), "268435455=");
}

TEST(Cigar, MatchOperation)
{
  EXPECT_EQ(with_match_op(words("2S3=1X2=1I1X1D4=")), words("2S6M1I1M1D4M"));
  EXPECT_EQ(with_match_op({}), Cigar{});
}

TEST(Cigar, Counts)
{
  const align::CigarCounts counts = count(words("5S10=2X3I4D1X"));
  EXPECT_EQ(counts.equal, 10);
  EXPECT_EQ(counts.diff, 3);
  EXPECT_EQ(counts.inserted, 3);
  EXPECT_EQ(counts.deleted, 4);
  EXPECT_EQ(counts.edit_distance(), 10);
  EXPECT_DOUBLE_EQ(counts.identity(), 0.5);
  EXPECT_EQ(count({}).identity(), 0.0);
}

TEST(FinishPath, SplitsMatches)
{
  EXPECT_EQ(finish("4M", "ACGT", "ACCT"), "2=1X1=");
  EXPECT_EQ(finish("4M", "ANNT", "ANCT"), "1=2X1=");  // N equals nothing, not even N
  EXPECT_EQ(finish("4M", "acgu", "ACGT"), "4=");
  EXPECT_EQ(finish("2M", "RR", "RR"), "2X");
  EXPECT_EQ(finish("", "", ""), "*");
  EXPECT_EQ(finish("2M", "TTACTT", "GAC", 2, 1), "2=");
}

TEST(FinishPath, ProteinXEqualsNothing)
{
  const Codes codes({"AXW*", "AXW*"}, seq::Alphabet::protein);
  Path path;
  path.ops = words("4M");
  EXPECT_EQ(to_string(align::finish_path(path, codes.pair(), 22)), "1=1X2=");
}

TEST(FinishPath, ShiftsGapsLeft)
{
  EXPECT_EQ(finish("4M1D2M", "GATTAC", "GATTTAC"), "2=1D4=");
  EXPECT_EQ(finish("4M1I2M", "GATTTAC", "GATTAC"), "2=1I4=");
  EXPECT_EQ(finish("7M2D1M", "CACACACG", "CACACACACG"), "2D8=");  // to the begin
  EXPECT_EQ(finish("5M2D1M", "GCACAG", "GCACACAG"), "1=2D5=");    // by more than its length
  EXPECT_EQ(finish("4M2D2M", "GACCTT", "GACCAATT"), "4=2D2=");    // stays
  EXPECT_EQ(finish("3M1D2M", "TTNAC", "TTNNAC"), "2=1D1X2=");     // N shifts over N: same code
  EXPECT_EQ(finish("3M1D1M", "CCAT", "CCGGT"), "2=1D1X1=");       // a mismatch moves along
  EXPECT_EQ(finish("2M1D1M", "TAAG", "CAAAG", 1, 1), "1D3=");
}

TEST(FinishPath, GapsThatMeet)
{
  EXPECT_EQ(finish("2M1I2M1D2M", "CGTAACC", "CGAAACC"), "2=1I1D4=");  // stays behind the other kind
  EXPECT_EQ(finish("2M1D2M1D2M", "CGAATT", "CGTAAATT"), "2=2D4=");    // joins its own kind
  EXPECT_EQ(finish("3M1I1D2M", "CGTTAC", "CGTGAC"), "2=1I1=1D2=");
  EXPECT_EQ(finish("1D3M1D", "AAA", "AAAAA"), "2D3=");
  EXPECT_EQ(finish("3D", "", "ACG"), "3D");
  EXPECT_EQ(finish("2I3D", "AC", "ACG"), "2I3D");
}

/// A random walk over two sequences: valid, and nothing else.
Path random_path(Random& random, const align::CodePair& pair)
{
  Path path;
  path.query_begin = random.between(0, pair.query_length / 3);
  path.target_begin = random.between(0, pair.target_length / 3);
  std::int64_t i = path.query_begin;
  std::int64_t j = path.target_begin;
  while (random.chance(98)) {
    auto op = static_cast<std::uint32_t>(std::max<std::int64_t>(random.between(-3, 2), 0));
    if (!path.ops.empty() && (path.ops.back() & 15) == op) continue;
    const std::int64_t length = random.between(1, op == 0 ? 8 : 3);
    if (op != 2 && i + length > pair.query_length) break;
    if (op != 1 && j + length > pair.target_length) break;
    if (op != 2) i += length;
    if (op != 1) j += length;
    path.ops.push_back(static_cast<std::uint32_t>(length) << 4 | op);
  }
  path.end.query_end = i;
  path.end.target_end = j;
  return path;
}

Letters few_letters(Random& random)
{
  Letters letters;
  const std::string_view known = random.chance(50) ? "AC" : "AACN";
  for (std::string* sequence : {&letters.query, &letters.target})
    for (std::int64_t left = random.between(0, 60); left > 0; --left)
      *sequence += known[static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(known.size()) - 1))];
  return letters;
}

TEST(FinishPath, EqualsTheOracleOnRandomPaths)
{
  Random random(4);
  const align::ScoreTable table = align::resolve({2, 4, 4, 2, {}, nullptr});
  for (int k = 0; k < 30000; ++k) {
    const Letters letters = few_letters(random);
    const Codes codes(letters, seq::Alphabet::dna);
    const align::CodePair pair = codes.pair();
    const Path path = random_path(random, pair);
    const Cigar cigar = align::finish_path(path, pair, 4);
    SCOPED_TRACE(test::describe(letters) + '\n' + test::describe(path));
    ASSERT_EQ(to_string(cigar), to_string(oracle::finish_path(path, pair, 4)));

    Path again = path;  // a fixed point
    again.ops = with_match_op(cigar);
    ASSERT_EQ(align::finish_path(again, pair, 4), cigar);

    const std::uint8_t* query = pair.query + path.query_begin;
    const std::uint8_t* target = pair.target + path.target_begin;
    const std::int64_t score = rescore(cigar, table, query, target);
    ASSERT_EQ(score, oracle::score_of(cigar, table, query, target));
    ASSERT_GE(score, oracle::score_of(path.ops, table, query, target));
  }
}

TEST(Rescore, GapsByTheirLength)
{
  const align::ScoreTable table = align::resolve({2, 4, 4, 2, -1, nullptr});
  const Codes codes({"ACGTN", "ACT"}, seq::Alphabet::dna);
  const align::CodePair pair = codes.pair();
  EXPECT_EQ(rescore(words("2=2I1X"), table, pair.query, pair.target), 4 - 8 - 1);
  EXPECT_EQ(rescore(words("2M1I1I1M"), table, pair.query, pair.target), 4 - 8 - 1);  // one gap
  EXPECT_EQ(rescore(words("2=1D3I"), table, pair.query, pair.target), 4 - 6 - 10);
  EXPECT_EQ(rescore({}, table, pair.query, pair.target), 0);
}

TEST(Md, Text)
{
  EXPECT_EQ(align::md_string({}, ""), "0");
  EXPECT_EQ(align::md_string(words("4="), "ACGT"), "4");
  EXPECT_EQ(align::md_string(words("1X2=1X"), "acgt"), "0A2T0");
  EXPECT_EQ(align::md_string(words("2X"), "NR"), "0N0R0");
  EXPECT_EQ(align::md_string(words("2=3I2="), "ACGT"), "4");
  EXPECT_EQ(align::md_string(words("2=2D2="), "ACGTAC"), "2^GT2");
  EXPECT_EQ(align::md_string(words("2D1X1="), "ACGT"), "0^AC0G1");
  EXPECT_EQ(align::md_string(words("1=1D1I1D1="), "ACGT"), "1^C0^G1");
  EXPECT_EQ(align::md_string(words("1=1D1D1="), "ACGT"), "1^CG1");
}

TEST(Md, DescribesTheTarget)
{
  Random random(5);
  for (int k = 0; k < 20000; ++k) {
    const Letters letters = few_letters(random);
    const Codes codes(letters, seq::Alphabet::dna);
    const Path path = random_path(random, codes.pair());
    const Cigar cigar = align::finish_path(path, codes.pair(), 4);
    const auto part = [](const std::string& text, std::int64_t begin, std::int64_t end) {
      return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    };
    const std::string query = part(letters.query, path.query_begin, path.end.query_end);
    const std::string target = part(letters.target, path.target_begin, path.end.target_end);
    const std::string md = align::md_string(cigar, target);
    ASSERT_EQ(oracle::target_from_md(cigar, md, query), target)
        << to_string(cigar) << ' ' << md << '\n'
        << query << '\n'
        << target;
    const align::CigarCounts counts = count(cigar);
    std::int64_t mismatches = 0;  // NM by definition, from the letters
    for (std::size_t at = 0; at < md.size(); ++at)
      if (md[at] >= 'A' && md[at] <= 'Z') ++mismatches;
    ASSERT_EQ(counts.edit_distance(), mismatches + counts.inserted);
  }
}

}  // namespace
}  // namespace helicity
