// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/seq/alphabet.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace helicity::seq {

/// A substitution matrix: a score for each query letter (row) and target letter (column).
/// May be asymmetric.
class HELICITY_EXPORT Matrix
{
 public:
  static constexpr int stride = 32;  ///< table width: codes are below it, unused cells are 0
  using Table = std::array<std::int16_t, std::size_t{stride} * stride>;

  /// Takes any table. @throws UsageError if a cell outside code_count(alphabet) is not 0
  Matrix(std::string name, Alphabet alphabet, const Table& table);

  /// A built-in protein matrix by name, in either case; the names are those of matrix_names().
  /// The values are NCBI's 24-letter tables (ftp blast/matrices: BLOSUM62 with X 0, -1 or -2;
  /// BLOSUM80 in thirds of a bit), as in EMBOSS, Biopython and parasail. Those compiled into BLAST+
  /// differ in B, Z and X, and in the scale of BLOSUM80.
  /// @throws UsageError for another name, with the nearest one
  static Matrix named(std::string_view name);

  /// Reads a file in NCBI's format: comments (`#`), a line of column letters, then a row of
  /// integers for each of these letters, with the letter in front. A letter that the file lacks
  /// scores as X (dna: N) does where the file has that, and as the lowest score of the file where
  /// it does not; U, O and J of a protein file and IUPAC codes of a dna file are checked, then
  /// ignored: these letters are X and N here.
  /// @throws InputError if it cannot be opened or is malformed, with file, line and what was
  /// expected
  static Matrix read(const std::string& path, Alphabet alphabet);

  /// As read(), from text; `name` stands in for the file in messages.
  static Matrix parse(std::string_view text, std::string name, Alphabet alphabet);

  /// The built-in matrix of that name if there is one and the alphabet is protein, else the file.
  /// @throws InputError or UsageError as these do; if there is neither, with the nearest name
  static Matrix load(const std::string& name_or_path, Alphabet alphabet);

  const std::string& name() const { return name_; }
  Alphabet alphabet() const { return alphabet_; }

  /// @pre both codes < code_count(alphabet())
  std::int16_t score(int query_code, int target_code) const
  {
    return table_[static_cast<std::size_t>(query_code) * stride +
                  static_cast<std::size_t>(target_code)];
  }

  /// Row-major, query code * stride + target code.
  const Table& table() const { return table_; }

  std::int16_t lowest() const { return lowest_; }    ///< over the codes of the alphabet
  std::int16_t highest() const { return highest_; }  ///< over the codes of the alphabet
  bool symmetric() const { return symmetric_; }

 private:
  std::string name_;
  Alphabet alphabet_ = Alphabet::protein;
  Table table_{};
  std::int16_t lowest_ = 0;
  std::int16_t highest_ = 0;
  bool symmetric_ = true;
};

/// Names of the built-in matrices: BLOSUM45/50/62/80/90, PAM30/70/120/250.
HELICITY_EXPORT std::span<const std::string_view> matrix_names();

}  // namespace helicity::seq
