// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/seq/alphabet.hpp>

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace helicity::align {

/// seq::encode for batches: the same codes and the same answer, DNA a register at a time.
/// `codes` holds text.size() bytes.
HELICITY_EXPORT std::size_t encode_letters(std::string_view text, seq::Alphabet alphabet,
                                           std::uint8_t* codes);

}  // namespace helicity::align
