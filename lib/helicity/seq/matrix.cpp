// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/matrix.hpp>

#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/seq/detail/matrix_data.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

namespace helicity::seq {
namespace {

constexpr std::size_t largest_file = 1 << 20;  // the largest real ones have a few kB

std::vector<std::string_view> collect_names()
{
  std::vector<std::string_view> names;
  for (const auto& builtin : detail::builtin_matrices()) names.push_back(builtin.name);
  return names;
}

std::string upper(std::string_view text)
{
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

const detail::BuiltinMatrix* find_builtin(std::string_view name)
{
  const std::string wanted = upper(name);
  for (const auto& builtin : detail::builtin_matrices())
    if (builtin.name == wanted) return &builtin;
  return nullptr;
}

Matrix expand(const detail::BuiltinMatrix& builtin)
{
  Matrix::Table table{};
  std::size_t next = 0;
  for (std::size_t row = 0; row < protein_letters.size(); ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      const std::int16_t score = builtin.scores[next++];
      table[row * Matrix::stride + column] = score;
      table[column * Matrix::stride + row] = score;
    }
  }
  return Matrix(std::string(builtin.name), Alphabet::protein, table);
}

std::string read_small_file(const std::string& path)
{
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": " + std::strerror(errno ? errno : EIO));
  std::string text(largest_file + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw RuntimeFault(path + ": read: " + std::strerror(errno ? errno : EIO));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > largest_file)
    throw InputError(path + ": larger than 1 MiB: expected a substitution matrix");
  return text;
}

}  // namespace

std::span<const std::string_view> matrix_names()
{
  static const std::vector<std::string_view> names = collect_names();
  return names;
}

Matrix::Matrix(std::string name, Alphabet alphabet, const Table& table)
    : name_(std::move(name)),
      alphabet_(alphabet),
      table_(table),
      lowest_(table[0]),
      highest_(table[0])
{
  const int count = code_count(alphabet);
  for (int row = 0; row < stride; ++row) {
    for (int column = 0; column < stride; ++column) {
      if (row >= count || column >= count) {
        if (score(row, column) != 0)
          throw UsageError("Matrix " + name_ + ": cell outside the alphabet is not 0");
        continue;
      }
      lowest_ = std::min(lowest_, score(row, column));
      highest_ = std::max(highest_, score(row, column));
      symmetric_ = symmetric_ && score(row, column) == score(column, row);
    }
  }
}

Matrix Matrix::named(std::string_view name)
{
  if (const auto* builtin = find_builtin(name)) return expand(*builtin);
  throw UsageError("no built-in matrix '" + std::string(name) + "'" +
                   did_you_mean(upper(name), matrix_names()));
}

Matrix Matrix::read(const std::string& path, Alphabet alphabet)
{
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError(path + ": is a directory: expected a substitution matrix");
  return parse(read_small_file(path), path, alphabet);
}

Matrix Matrix::load(const std::string& name_or_path, Alphabet alphabet)
{
  const auto* builtin = find_builtin(name_or_path);
  if (builtin && alphabet == Alphabet::protein) return expand(*builtin);
  std::error_code error;
  if (std::filesystem::exists(name_or_path, error)) return read(name_or_path, alphabet);
  if (builtin)
    throw UsageError("matrix " + std::string(builtin->name) + " is for proteins: expected dna");
  throw UsageError("matrix '" + name_or_path + "' is neither a built-in one nor a file" +
                   did_you_mean(upper(name_or_path), matrix_names()));
}

}  // namespace helicity::seq
