// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/io/block.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace helicity::io::detail {

/// Extent of the chunks of a dataset over the global grid: 1 MiB at most, about cubes. Depends on
/// the grid and the size of an element alone, so that a file has one layout for any ranks.
Index3 chunk_of(Index3 cells, std::size_t element_bytes);

/// Sum over this rank's block of hash_cell(bits, component * cells + global index), wrapping.
std::uint64_t hash_block(ElementType type, const void* block, Index3 cells, const grid::Box& box,
                         int component);

/// @throws UsageError if a dataset cannot have this name: a letter, then letters, digits and _
void require_name(const std::string& name);

/// @throws UsageError if there are not as many ranks as boxes
void require_ranks(const comm::Communicator& comm, const comm::Decomposition& decomposition);

/// "uint8", ..., "float64".
const char* to_string(ElementType type);

/// "64 x 64 x 32" for i, j, k.
std::string to_string(Index3 n);

}  // namespace helicity::io::detail
