// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

#include <helicity/core/error.hpp>

#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unordered_map>

namespace helicity::app {
namespace {

bool can_be_read_twice(const std::string& path)
{
  std::error_code ignored;
  return path.find("://") != std::string::npos ||
         (path != "-" && !std::filesystem::is_other(path, ignored));
}

void write_all(int descriptor, std::string_view text)
{
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw RuntimeFault(fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// An open file without a name, in TMPDIR or /tmp: it goes when the process does.
int unnamed_file()
{
  const char* folder = std::getenv("TMPDIR");
  std::string path = fmt::format("{}/helicity-align.XXXXXX",
                                 folder == nullptr || *folder == '\0' ? "/tmp" : folder);
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0)
    throw RuntimeFault(fmt::format("cannot make {}: {}", path, std::strerror(errno)));
  ::unlink(path.c_str());
  return descriptor;
}

}  // namespace

seq::ReaderOptions reader_options(const Options& options) { return {.alphabet = options.alphabet}; }

TargetFile::TargetFile(const Options& options)
    : name_(options.target), path_(options.target), options_(reader_options(options))
{
  const bool twice = options.all || options.format == Format::sam || options.format == Format::bam;
  if (twice && !can_be_read_twice(path_)) spool();
}

TargetFile::~TargetFile()
{
  if (descriptor_ >= 0) ::close(descriptor_);
}

seq::Reader TargetFile::open() const { return seq::Reader(path_, options_); }

void TargetFile::spool()
{
  seq::Reader reader(path_, options_);
  descriptor_ = unnamed_file();
  std::string buffer;
  for (seq::Record record; reader.next(record);) {
    buffer += fmt::format(">{} {}\n{}\n", record.name, record.comment, record.sequence);
    if (buffer.size() < (std::size_t{1} << 20)) continue;
    write_all(descriptor_, buffer);
    buffer.clear();
  }
  write_all(descriptor_, buffer);
  path_ = fmt::format("/proc/self/fd/{}", descriptor_);
}

std::vector<seq::SamReference> TargetFile::references() const
{
  std::vector<seq::SamReference> references;
  std::unordered_map<std::string, std::int64_t> lengths;
  std::int64_t count = 0;
  seq::Reader reader = open();
  for (seq::Record record; reader.next(record);) {
    ++count;
    const auto length = static_cast<std::int64_t>(record.sequence.size());
    if (length == 0) continue;
    const auto [known, is_new] = lengths.try_emplace(record.name, length);
    if (is_new) {
      references.push_back({record.name, length});
    } else if (known->second != length) {
      throw InputError(fmt::format(
          "{}:record {} ({}): {} letters, but an earlier target of this name has {}; SAM needs one "
          "length for each name",
          name_, count, record.name, length, known->second));
    }
  }
  return references;
}

}  // namespace helicity::app
