// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/matrix.hpp>

#include <helicity/core/error.hpp>

#include "support.hpp"

#include <cctype>

#if __has_include(<parasail.h>)
#include <parasail.h>
#define HELICITY_TEST_PARASAIL 1
#endif

namespace helicity::seq {
namespace {

class MatrixFileTest : public FileTest
{};

int protein_score(const Matrix& matrix, char query, char target)
{
  const EncodeTable& table = encode_table(Alphabet::protein);
  return matrix.score(table[static_cast<unsigned char>(query)],
                      table[static_cast<unsigned char>(target)]);
}

int dna_score(const Matrix& matrix, char query, char target)
{
  const EncodeTable& table = encode_table(Alphabet::dna);
  return matrix.score(table[static_cast<unsigned char>(query)],
                      table[static_cast<unsigned char>(target)]);
}

std::string parse_failure(const std::string& text, Alphabet alphabet = Alphabet::protein)
{
  try {
    Matrix::parse(text, "m.txt", alphabet);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string named_failure(const std::string& name)
{
  try {
    Matrix::named(name);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Matrix, BuiltinsEqualParasail)
{
#ifndef HELICITY_TEST_PARASAIL
  GTEST_SKIP() << "libparasail-dev is not installed";
#else
  for (const std::string_view name : matrix_names()) {
    std::string lower(name);
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    const parasail_matrix_t* theirs = parasail_matrix_lookup(lower.c_str());
    ASSERT_NE(theirs, nullptr) << name;
    const Matrix ours = Matrix::named(name);
    for (const char a : protein_letters) {
      for (const char b : protein_letters) {
        const int row = theirs->mapper[static_cast<unsigned char>(a)];
        const int column = theirs->mapper[static_cast<unsigned char>(b)];
        EXPECT_EQ(protein_score(ours, a, b), theirs->matrix[row * theirs->size + column])
            << name << ' ' << a << b;
      }
    }
  }
#endif
}

TEST(Matrix, BuiltinsEqualPublishedCells)
{
  // Diagonals as printed in the files that BLAST's ftp area serves.
  struct Expected
  {
    const char* name;
    int ww, cc, aa, stop;
  };
  for (const Expected& e : {Expected{"BLOSUM45", 15, 12, 5, -5},
                            {"BLOSUM50", 15, 13, 5, -5},
                            {"BLOSUM62", 11, 9, 4, -4},
                            {"BLOSUM80", 16, 13, 7, -8},
                            {"BLOSUM90", 11, 9, 5, -6},
                            {"PAM30", 13, 10, 6, -17},
                            {"PAM70", 13, 9, 5, -11},
                            {"PAM120", 12, 9, 3, -8},
                            {"PAM250", 17, 12, 2, -8}})
  {
    const Matrix matrix = Matrix::named(e.name);
    EXPECT_EQ(protein_score(matrix, 'W', 'W'), e.ww) << e.name;
    EXPECT_EQ(protein_score(matrix, 'C', 'C'), e.cc) << e.name;
    EXPECT_EQ(protein_score(matrix, 'A', 'A'), e.aa) << e.name;
    EXPECT_EQ(protein_score(matrix, 'A', '*'), e.stop) << e.name;
    EXPECT_EQ(protein_score(matrix, '*', '*'), 1) << e.name;
    EXPECT_EQ(matrix.lowest(), e.stop) << e.name;
    EXPECT_EQ(matrix.highest(), e.ww) << e.name;
    EXPECT_TRUE(matrix.symmetric());
  }
}

TEST(Matrix, NamesAreFoundInEitherCaseAndSuggested)
{
  EXPECT_EQ(matrix_names().size(), 9u);
  EXPECT_EQ(Matrix::named("blosum62").name(), "BLOSUM62");
  EXPECT_NE(named_failure("BLOSSUM62").find("did you mean 'BLOSUM62'"), std::string::npos);
  EXPECT_NE(named_failure("pam3").find("PAM30"), std::string::npos);
  EXPECT_NE(named_failure("").find("no built-in matrix ''"), std::string::npos);
}

TEST(Matrix, ParsesAsymmetricFileWithCommentsAndCrlf)
{
  const Matrix matrix = Matrix::parse(
      "# a comment\r\n\r\n  A  C\tG T\r\nA 5 -4 -4 +1\r\n# more\r\nC -4 5 -4 -4\r\n"
      "g -1 -4 5 -4\nT -4 -4 -4 32767",
      "m", Alphabet::dna);
  EXPECT_EQ(dna_score(matrix, 'a', 'T'), 1);
  EXPECT_EQ(dna_score(matrix, 'T', 'A'), -4);
  EXPECT_EQ(dna_score(matrix, 'G', 'A'), -1);
  EXPECT_EQ(dna_score(matrix, 'A', 'G'), -4);
  EXPECT_EQ(dna_score(matrix, 'U', 'T'), 32767);
  EXPECT_EQ(dna_score(matrix, 'N', 'A'), -4);  // no N in the file: its lowest score
  EXPECT_FALSE(matrix.symmetric());
  EXPECT_EQ(matrix.lowest(), -4);
}

TEST(Matrix, LettersThatTheFileLacksScoreAsX)
{
  const Matrix matrix = Matrix::parse("A X\nA 4 -1\nX -2 -3\n", "m", Alphabet::protein);
  EXPECT_EQ(protein_score(matrix, 'A', 'W'), -1);
  EXPECT_EQ(protein_score(matrix, 'W', 'A'), -2);
  EXPECT_EQ(protein_score(matrix, 'W', 'C'), -3);
  const Matrix without = Matrix::parse("A R\nA 4 -1\nR -7 5\n", "m", Alphabet::protein);
  EXPECT_EQ(protein_score(without, 'A', 'W'), -7);
}

TEST(Matrix, AliasesAreReadAndIgnored)
{
  const Matrix matrix = Matrix::parse("A J X U\nA 4 9 -1 9\nJ 9 9 9 9\nX -1 9 -1 9\nU 9 9 9 9\n",
                                      "m", Alphabet::protein);
  EXPECT_EQ(protein_score(matrix, 'A', 'J'), -1);
  EXPECT_EQ(protein_score(matrix, 'U', 'A'), -1);
  EXPECT_EQ(matrix.highest(), 4);
  const Matrix rna = Matrix::parse("A U R\nA 1 -9 0\nU -2 1 0\nR 0 0 0\n", "m", Alphabet::dna);
  EXPECT_EQ(dna_score(rna, 'T', 'A'), -2);
  EXPECT_EQ(dna_score(rna, 'T', 'U'), 1);
  const Matrix both = Matrix::parse("U T\nU 7 7\nT 7 1\n", "m", Alphabet::dna);
  EXPECT_EQ(dna_score(both, 'U', 'T'), 1);
}

TEST(Matrix, MalformedFilesAreLocated)
{
  EXPECT_EQ(parse_failure(""), "m.txt:line 0: the file ends: expected a line of column letters");
  EXPECT_EQ(parse_failure("# x\n"),
            "m.txt:line 1: the file ends: expected a line of column letters");
  EXPECT_EQ(parse_failure("A R\nA 1 2\n"), "m.txt:line 2: the file ends: expected a row for 'R'");
  EXPECT_EQ(parse_failure("A R\nA 1\n"),
            "m.txt:line 2: row 'A' has 1 values: expected 2, one for each column");
  EXPECT_EQ(parse_failure("A\nA 1 2\n"),
            "m.txt:line 2: row 'A' has 2 values: expected 1, one for each column");
  EXPECT_EQ(parse_failure("A a\n"), "m.txt:line 1: column 'a' is given twice");
  EXPECT_EQ(parse_failure("A\nA 1\nA 1\n"), "m.txt:line 3: row 'A' is given twice");
  EXPECT_EQ(parse_failure("A\nR 1\n"), "m.txt:line 2: row 'R' has no column of that letter");
  EXPECT_EQ(
      parse_failure("A\nA 1.5\n"),
      "m.txt:line 2: value '1.5' in row 'A', column 'A': expected an integer from -32768 to 32767");
  for (const char* value :
       {"32768", "-32769", "x", "+", "-", "+-1", "++1", "1x", "0x1", "99999999999"})
    EXPECT_NE(parse_failure(std::string("A\nA ") + value).find("expected an integer"),
              std::string::npos)
        << value;
  EXPECT_NE(parse_failure("A ?\n").find("'?': expected an amino acid letter"), std::string::npos);
  EXPECT_NE(parse_failure("AR\n").find("'AR': expected"), std::string::npos);
  EXPECT_NE(parse_failure("A E\n", Alphabet::dna).find("'E': expected A C G T U N"),
            std::string::npos);
  EXPECT_NE(parse_failure(std::string("A\0\n", 3)).find("expected"), std::string::npos);
}

TEST(Matrix, LowerCaseLettersAreTheSame)
{
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein}) {
    std::string upper;
    for (const char c : letters(alphabet)) upper.append(" ").append(1, c);
    int score = 0;
    for (const char row : letters(alphabet)) {
      upper.append("\n").append(1, row);
      for (std::size_t i = 0; i < letters(alphabet).size(); ++i)
        upper.append(" ").append(std::to_string(++score));
    }
    std::string lower = upper;
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    EXPECT_EQ(Matrix::parse(lower, "m", alphabet).table(),
              Matrix::parse(upper, "m", alphabet).table());
  }
}

TEST(Matrix, TableOutsideTheAlphabetIsRefused)
{
  Matrix::Table table{};
  table[5] = 1;
  EXPECT_THROW(Matrix("m", Alphabet::dna, table), UsageError);
  EXPECT_NO_THROW(Matrix("m", Alphabet::protein, table));
}

TEST_F(MatrixFileTest, LoadTakesNameThenFile)
{
  EXPECT_EQ(Matrix::load("Blosum80", Alphabet::protein).name(), "BLOSUM80");
  const std::string file =
      write("own.txt", "A C G T\nA 1 0 0 0\nC 0 1 0 0\nG 0 0 1 0\nT 0 0 0 1\n");
  EXPECT_EQ(Matrix::load(file, Alphabet::dna).score(2, 2), 1);
  EXPECT_THROW(Matrix::load("BLOSUM62", Alphabet::dna), UsageError);
  EXPECT_THROW(Matrix::load(path("none"), Alphabet::dna), UsageError);
  EXPECT_THROW(Matrix::read(path("none"), Alphabet::dna), InputError);
  EXPECT_THROW(Matrix::read(folder_.string(), Alphabet::dna), InputError);
  const std::string large = write("large", std::string(2 << 20, '#'));
  EXPECT_THROW(Matrix::read(large, Alphabet::dna), InputError);
}

TEST_F(MatrixFileTest, BuiltinsSurviveWritingAndReading)
{
  for (const std::string_view name : matrix_names()) {
    const Matrix matrix = Matrix::named(name);
    std::string text = "#\n ";
    for (const char c : protein_letters) text += std::string(" ") + c;
    for (const char row : protein_letters) {
      text += std::string("\n") + row;
      for (const char column : protein_letters)
        text.append(" ").append(std::to_string(protein_score(matrix, row, column)));
    }
    EXPECT_EQ(Matrix::parse(text, "m", Alphabet::protein).table(), matrix.table()) << name;
  }
}

}  // namespace
}  // namespace helicity::seq
