// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/io/metadata.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace helicity::io::detail {

/// Values one after another as bytes, to send them and to hash them.
class Packer
{
 public:
  Packer& number(std::uint64_t value)
  {
    for (int shift = 0; shift < 64; shift += 8)
      bytes_.push_back(static_cast<char>(value >> shift & 0xff));
    return *this;
  }
  Packer& text(std::string_view value)
  {
    number(value.size());
    bytes_ += value;
    return *this;
  }
  Packer& attributes(const Attributes& values);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// The opposite, of bytes that a Packer made.
class Unpacker
{
 public:
  explicit Unpacker(std::string bytes) : bytes_(std::move(bytes)) {}

  std::uint64_t number()
  {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 8)
      value |= std::uint64_t{static_cast<unsigned char>(bytes_.at(at_++))} << shift;
    return value;
  }
  std::string text()
  {
    const std::size_t size = number();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  Attributes attributes();

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// A 64-bit hash of bytes (FNV-1a, mixed at the end).
std::uint64_t hash_text(std::string_view bytes);

}  // namespace helicity::io::detail
