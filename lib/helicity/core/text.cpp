// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace helicity {
namespace {

std::string lower(std::string_view text)
{
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trim(std::string_view text)
{
  const auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Bytes in a unit, or nothing if it is not one.
std::optional<double> unit_bytes(std::string_view text)
{
  const std::string unit = lower(text);
  if (unit.empty() || unit == "b") return 1.0;
  const auto power = std::string_view("kmgtp").find(unit.front());
  if (power == std::string_view::npos) return std::nullopt;
  const std::string_view rest = std::string_view(unit).substr(1);
  const bool decimal = rest == "b";
  if (!decimal && !rest.empty() && rest != "i" && rest != "ib") return std::nullopt;
  return std::pow(decimal ? 1000.0 : 1024.0, static_cast<double>(power + 1));
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b)
{
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), above(width), row(width);
  for (std::size_t j = 0; j < width; ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t substitution = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates)
{
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto candidate : candidates) {
    const std::size_t distance = edit_distance(lower(word), lower(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates)
{
  const auto name = nearest_name(word, candidates);
  return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
}

std::string join(std::span<const std::string_view> parts, std::string_view separator)
{
  return fmt::format("{}", fmt::join(parts, separator));
}

std::size_t parse_bytes(std::string_view text)
{
  const std::string_view all = trim(text);
  double number = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  const auto digits = static_cast<std::size_t>(end - all.data());
  const auto unit = unit_bytes(trim(all.substr(digits)));
  const bool good = error == std::errc() && unit && std::isfinite(number) && number >= 0;
  if (!good)
    throw UsageError(fmt::format("'{}' is not a size in bytes, such as 4GiB or 500MB", text));
  const double bytes = number * *unit;
  if (bytes >= static_cast<double>(std::numeric_limits<std::size_t>::max()))
    throw UsageError(fmt::format("'{}' is too large a size", text));
  return static_cast<std::size_t>(bytes);
}

std::string format_bytes(std::size_t bytes)
{
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::string_view units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < std::size(units); ++unit) value /= 1024;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, units[unit]);
}

}  // namespace helicity
