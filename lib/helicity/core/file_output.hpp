// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace helicity {

/// A file that appears whole or not at all: written as PATH.tmp.<pid> beside its place, put there
/// by commit(), removed if that is never called. "-" is stdout, which commit() only flushes;
/// pipes and devices that exist (/dev/null, a FIFO) are written directly.
///
/// Move-only. @note Not thread-safe.
class HELICITY_EXPORT FileOutput
{
 public:
  /// @throws RuntimeFault if the file cannot be made
  explicit FileOutput(std::string path);
  FileOutput(FileOutput&& other) noexcept;
  FileOutput& operator=(FileOutput&& other) noexcept;
  ~FileOutput();

  /// Appends bytes; buffered.
  /// @throws RuntimeFault if the system refuses (disk full, closed pipe)
  void write(std::string_view bytes);

  /// Flushes, makes the bytes durable (fsync) and gives the file its name. Nothing may be written
  /// after it.
  /// @throws RuntimeFault if one of these fails; the file is then removed
  void commit();

  /// The path asked for; the one written to until commit().
  const std::string& path() const noexcept { return path_; }
  const std::string& working_path() const noexcept { return working_path_; }

  /// The stream beneath, for libraries that want one; owned here.
  std::FILE* stream() const noexcept { return stream_; }

 private:
  void discard() noexcept;
  [[noreturn]] void fail(const char* call);

  std::string path_;
  std::string working_path_;
  std::FILE* stream_ = nullptr;
  bool temporary_ = false;
};

}  // namespace helicity
