// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/file_output.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace helicity {
namespace {

bool is_special(const std::string& path)
{
  struct stat status;
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

}  // namespace

FileOutput::FileOutput(std::string path) : path_(std::move(path)), working_path_(path_)
{
  if (path_ == "-") {
    stream_ = stdout;
    return;
  }
  temporary_ = !is_special(path_);
  if (temporary_) working_path_ += ".tmp." + std::to_string(getpid());
  stream_ = std::fopen(working_path_.c_str(), "wb");
  if (stream_ == nullptr) fail("open");
}

FileOutput::FileOutput(FileOutput&& other) noexcept
    : path_(std::move(other.path_)),
      working_path_(std::move(other.working_path_)),
      stream_(std::exchange(other.stream_, nullptr)),
      temporary_(std::exchange(other.temporary_, false))
{}

FileOutput& FileOutput::operator=(FileOutput&& other) noexcept
{
  std::swap(path_, other.path_);
  std::swap(working_path_, other.working_path_);
  std::swap(stream_, other.stream_);
  std::swap(temporary_, other.temporary_);
  return *this;
}

FileOutput::~FileOutput() { discard(); }

void FileOutput::write(std::string_view bytes)
{
  if (stream_ == nullptr) throw Error("write to " + path_ + " after its end");
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) fail("write");
}

void FileOutput::commit()
{
  if (stream_ == nullptr) throw Error("second commit of " + path_);
  if (std::fflush(stream_) != 0) fail("write");
  if (stream_ == stdout) return;
  if (temporary_ && fsync(fileno(stream_)) != 0) fail("fsync");
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) fail("close");
  if (temporary_ && std::rename(working_path_.c_str(), path_.c_str()) != 0) fail("rename");
  temporary_ = false;
}

void FileOutput::discard() noexcept
{
  if (stream_ != nullptr && stream_ != stdout) std::fclose(stream_);
  stream_ = nullptr;
  if (std::exchange(temporary_, false)) unlink(working_path_.c_str());
}

void FileOutput::fail(const char* call)
{
  const std::string cause = std::strerror(errno);
  const std::string name = path_ == "-" ? "standard output" : path_;
  discard();
  throw RuntimeFault("cannot " + std::string(call) + " " + name + ": " + cause);
}

}  // namespace helicity
