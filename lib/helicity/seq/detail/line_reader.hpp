// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/seq/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace helicity::seq::detail {

/// Lines of a byte source, through a buffer of fixed size.
class LineReader
{
 public:
  explicit LineReader(std::unique_ptr<ByteSource> source);

  /// The next byte without taking it, or -1 at the end.
  int peek()
  {
    if (position_ == end_ && !refill()) return -1;
    return static_cast<unsigned char>(buffer_[position_]);
  }

  /// Takes the byte that peek() returned.
  void take()
  {
    if (buffer_[position_++] == '\n') ++lines_;
  }

  /// Appends the rest of the line to `out`, without its newline, and takes both. False, with the
  /// line not finished, if that would append more than `limit` bytes.
  bool append_line(std::string& out, std::size_t limit);

  /// Number of the line that peek() is in, from 1.
  std::uint64_t line() const { return lines_ + 1; }

  /// Number of the line that append_line() returned last.
  std::uint64_t line_read() const { return line_read_; }

 private:
  bool refill();

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<char[]> buffer_;
  std::size_t position_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t lines_ = 0;  // newlines taken
  std::uint64_t line_read_ = 0;
};

}  // namespace helicity::seq::detail
