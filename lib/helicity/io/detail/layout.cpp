// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/grid/reduce_cells.hpp>
#include <helicity/io/detail/layout.hpp>

#include <cctype>

namespace helicity::io::detail {
namespace {

template <class T>
std::uint64_t hash_rows(const T* values, Index3 cells, const grid::Box& box, int component)
{
  const Index3 n = box.size();
  const Index first = component * volume(cells);
  std::uint64_t sum = 0;
  for (Index k = 0; k < n.k; ++k)
    for (Index j = 0; j < n.j; ++j) {
      const T* row = values + (k * n.j + j) * n.i;
      const auto place = static_cast<std::uint64_t>(
          first + box.lo.i + cells.i * (box.lo.j + j + cells.j * (box.lo.k + k)));
      for (Index i = 0; i < n.i; ++i)
        sum += grid::hash_cell(grid::bits_of(row[i]), place + static_cast<std::uint64_t>(i));
    }
  return sum;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

Index3 chunk_of(Index3 cells, std::size_t element_bytes)
{
  constexpr Index most_bytes = Index{1} << 20;
  Index3 chunk = cells;
  while (volume(chunk) * static_cast<Index>(element_bytes) > most_bytes) {
    int longest = 2;  // of equals: k, then j
    for (int axis = 1; axis >= 0; --axis)
      if (chunk[axis] > chunk[longest]) longest = axis;
    chunk[longest] = (chunk[longest] + 1) / 2;
  }
  return chunk;
}

std::uint64_t hash_block(ElementType type, const void* block, Index3 cells, const grid::Box& box,
                         int component)
{
  switch (type) {
    case ElementType::uint8:
      return hash_rows(static_cast<const std::uint8_t*>(block), cells, box, component);
    case ElementType::int32:
    case ElementType::float32:
      return hash_rows(static_cast<const std::uint32_t*>(block), cells, box, component);
    case ElementType::int64:
    case ElementType::float64:
      return hash_rows(static_cast<const std::uint64_t*>(block), cells, box, component);
  }
  throw UsageError("unknown element type");
}

void require_name(const std::string& name)
{
  bool good = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  for (const char c : name) good = good && is_word(c);
  if (!good)
    throw UsageError("'" + name + "' cannot name a variable: a letter, then letters, digits and _");
}

void require_ranks(const comm::Communicator& comm, const comm::Decomposition& decomposition)
{
  if (comm.size() != decomposition.size())
    throw UsageError("a grid split for " + std::to_string(decomposition.size()) +
                     " ranks is used on " + std::to_string(comm.size()));
}

const char* to_string(ElementType type)
{
  switch (type) {
    case ElementType::uint8: return "uint8";
    case ElementType::int32: return "int32";
    case ElementType::int64: return "int64";
    case ElementType::float32: return "float32";
    case ElementType::float64: return "float64";
  }
  return "unknown";
}

std::string to_string(Index3 n)
{
  return std::to_string(n.i) + " x " + std::to_string(n.j) + " x " + std::to_string(n.k);
}

}  // namespace helicity::io::detail
