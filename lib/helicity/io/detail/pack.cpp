// SPDX-License-Identifier: Apache-2.0
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/io/detail/pack.hpp>

namespace helicity::io::detail {

Packer& Packer::attributes(const Attributes& values)
{
  number(values.size());
  for (const auto& [name, value] : values) {
    text(name).number(value.index());
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      number(static_cast<std::uint64_t>(*integer));
    else if (const auto* real = std::get_if<double>(&value))
      number(grid::bits_of(*real));
    else
      text(std::get<std::string>(value));
  }
  return *this;
}

Attributes Unpacker::attributes()
{
  Attributes values;
  for (std::uint64_t left = number(); left > 0; --left) {
    const std::string name = text();
    const std::uint64_t index = number();
    if (index == 2) {
      values[name] = text();
      continue;
    }
    const std::uint64_t bits = number();
    double real;
    std::memcpy(&real, &bits, sizeof real);
    values[name] = index == 0 ? Value(static_cast<std::int64_t>(bits)) : Value(real);
  }
  return values;
}

std::uint64_t hash_text(std::string_view bytes)
{
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return grid::hash_cell(hash, bytes.size());
}

}  // namespace helicity::io::detail
