// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace helicity::io::detail {

/// A letter of 5 x 7 dots: rows from the top, bit 4 the left column.
using Glyph = std::array<std::uint8_t, 7>;

constexpr int glyph_width = 5, glyph_height = 7, glyph_advance = 6;

/// The letter of a printable ASCII character; '?' for others.
const Glyph& glyph(char c);

}  // namespace helicity::io::detail
