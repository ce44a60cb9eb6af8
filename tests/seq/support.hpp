// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/seq/reader.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace helicity::seq {

/// A folder of its own for each test, removed at its end.
class FileTest : public testing::Test
{
 protected:
  void SetUp() override
  {
    std::string pattern = (std::filesystem::temp_directory_path() / "helicity-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, const std::string& content) const
  {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  static std::string read(const std::string& path)
  {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Runs a shell command in the folder; true if it succeeds.
  bool run(const std::string& command) const
  {
    return std::system(("cd " + folder_.string() + " && " + command).c_str()) == 0;
  }

  static bool have(const std::string& program)
  {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
  }

  std::filesystem::path folder_;
};

/// Text in memory, handed out at most `chunk` bytes at a time.
class StringSource final : public ByteSource
{
 public:
  StringSource(std::string text, std::size_t chunk) : text_(std::move(text)), chunk_(chunk) {}

  std::size_t read(char* bytes, std::size_t size) override
  {
    const std::size_t count = std::min({size, chunk_, text_.size() - position_});
    std::memcpy(bytes, text_.data() + position_, count);
    position_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t chunk_;
  std::size_t position_ = 0;
};

inline Reader text_reader(const std::string& text, std::size_t chunk = 1 << 20,
                          const ReaderOptions& options = {})
{
  return Reader(std::make_unique<StringSource>(text, chunk), "text", options);
}

inline std::vector<Record> read_all(Reader reader)
{
  std::vector<Record> records;
  for (Record record; reader.next(record);) records.push_back(record);
  return records;
}

/// What the reader throws, or "" if it reads to the end.
inline std::string failure_of(const std::string& text, const ReaderOptions& options = {})
{
  try {
    read_all(text_reader(text, 1 << 20, options));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// name|comment|sequence|quality
inline std::string show(const Record& record)
{
  return record.name + "|" + record.comment + "|" + record.sequence + "|" + record.quality;
}

}  // namespace helicity::seq
