// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace helicity::test {

/// A folder of its own for one test, removed with all in it at the end.
class TemporaryFolder
{
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const noexcept { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// The whole of a file; fails the test if it cannot be read.
std::string read_file(const std::string& path);

void write_file(const std::string& path, std::string_view bytes);

}  // namespace helicity::test
