// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/detail/line_reader.hpp>

#include <cstring>
#include <utility>

namespace helicity::seq::detail {
namespace {

constexpr std::size_t buffer_size = std::size_t{256} << 10;

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(std::make_unique_for_overwrite<char[]>(buffer_size))
{}

bool LineReader::refill()
{
  if (at_end_) return false;
  position_ = 0;
  end_ = 0;  // stays so if read() throws
  end_ = source_->read(buffer_.get(), buffer_size);
  at_end_ = end_ == 0;
  return !at_end_;
}

bool LineReader::append_line(std::string& out, std::size_t limit)
{
  line_read_ = line();
  while (position_ < end_ || refill()) {
    const char* begin = buffer_.get() + position_;
    const void* newline = std::memchr(begin, '\n', end_ - position_);
    const std::size_t size =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - begin)
                : end_ - position_;
    if (size > limit) return false;
    limit -= size;
    out.append(begin, size);
    position_ += size;
    if (newline) {
      take();
      return true;
    }
  }
  return true;
}

}  // namespace helicity::seq::detail
