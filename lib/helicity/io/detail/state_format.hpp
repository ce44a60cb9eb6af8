// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>
#include <helicity/io/block.hpp>
#include <helicity/io/detail/pack.hpp>
#include <helicity/io/metadata.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace helicity::io::detail {

/// Layout of state files. Root attributes: kind, version, cells (i, j, k), checksum (of the user's
/// attributes and the cells). Group "attributes": the user's. Datasets [component][k][j][i] with
/// the attribute checksum: sum over all elements of hash_cell(bits, component * cells + index).
namespace state {

constexpr const char* kind = "helicity state";
constexpr std::int64_t version = 1;
constexpr const char* attributes_group = "attributes";
constexpr const char* checksum = "checksum";

struct Stored
{
  ElementType type = ElementType::uint8;
  int components = 0;
  std::uint64_t checksum = 0;
};

/// All of a file but the data.
struct Header
{
  Attributes attributes;
  std::map<std::string, Stored> datasets;
};

inline std::uint64_t checksum_of(const Attributes& attributes, Index3 cells)
{
  Packer packer;
  packer.attributes(attributes);
  for (int axis = 0; axis < 3; ++axis) packer.number(static_cast<std::uint64_t>(cells[axis]));
  return hash_text(packer.bytes());
}

}  // namespace state
}  // namespace helicity::io::detail
