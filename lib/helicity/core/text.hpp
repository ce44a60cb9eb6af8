// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace helicity {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
/// Cost: product of the lengths.
HELICITY_EXPORT std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, the first of equals; empty if none is near enough to be what a
/// typing mistake could have meant (a third of the letters, at least 1).
HELICITY_EXPORT std::string_view nearest_name(std::string_view word,
                                              std::span<const std::string_view> candidates);

/// "; did you mean 'NAME'?" for the nearest candidate, or "".
HELICITY_EXPORT std::string did_you_mean(std::string_view word,
                                         std::span<const std::string_view> candidates);

/// The parts with `separator` between them.
HELICITY_EXPORT std::string join(std::span<const std::string_view> parts,
                                 std::string_view separator);

/// Reads a size in bytes: "1048576", "1.5GiB", "200 MB", "4G" (a bare letter counts in 1024s).
/// @throws UsageError if it is anything else, negative or too large
HELICITY_EXPORT std::size_t parse_bytes(std::string_view text);

/// Writes a size in bytes for people, three digits: "512 B", "1.50 KiB", "4.00 GiB".
HELICITY_EXPORT std::string format_bytes(std::size_t bytes);

}  // namespace helicity
