// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/config.hpp>
#include <helicity/job/detail/units.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

namespace helicity::job {
namespace {

/// A unit is 10^exponent * factor / divisor of the SI unit. The power of ten goes into the text
/// that is read, so that "57 cm" is the number nearest to 0.57.
struct Scale
{
  std::string_view name;
  int exponent = 0;
  double factor = 1, divisor = 1;
};

constexpr Scale seconds[] = {{"s"},          {"ms", -3},   {"us", -6},     {"ns", -9},
                             {"min", 0, 60}, {"m", 0, 60}, {"h", 0, 3600}, {"d", 0, 86400}};
constexpr Scale metres[] = {{"m"}, {"km", 3}, {"cm", -2}, {"mm", -3}, {"um", -6}, {"nm", -9}};
constexpr Scale speeds[] = {{"m/s"},      {"km/s", 3},  {"cm/s", -2},
                            {"mm/s", -3}, {"um/s", -6}, {"km/h", 3, 1, 3600}};
constexpr Scale diffusivities[] = {{"m2/s"},       {"cm2/s", -4}, {"mm2/s", -6},
                                   {"um2/s", -12}, {"St", -4},    {"cSt", -6}};
constexpr Scale accelerations[] = {{"m/s2"}, {"cm/s2", -2}, {"mm/s2", -3}};
constexpr Scale densities[] = {{"kg/m3"}, {"g/cm3", 3}, {"g/m3", -3}};

std::span<const Scale> scales(Unit unit)
{
  switch (unit) {
    case Unit::seconds: return seconds;
    case Unit::metres: return metres;
    case Unit::metres_per_second: return speeds;
    case Unit::square_metres_per_second: return diffusivities;
    case Unit::metres_per_second_squared: return accelerations;
    case Unit::kilograms_per_cubic_metre: return densities;
    case Unit::none: break;
  }
  return {};
}

void replace_all(std::string& text, std::string_view from, std::string_view to)
{
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// A unit as the tables spell it: "m^2/s" and "m²/s" are "m2/s", "µm" is "um".
std::string plain_unit(std::string_view text)
{
  std::string unit(text);
  constexpr std::pair<std::string_view, std::string_view> spellings[] = {
      {"^", ""}, {"\u00b2", "2"}, {"\u00b3", "3"}, {"\u00b5", "u"}, {"\u03bc", "u"}};
  for (const auto& [from, to] : spellings) replace_all(unit, from, to);
  return unit;
}

std::string_view trim(std::string_view text)
{
  const auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<double> read_number(std::string_view text)
{
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Number of characters of the decimal number that a text begins with.
std::size_t number_length(std::string_view text)
{
  std::size_t n = text.find_first_not_of("+-");
  n = std::min(n, text.size());
  const auto digits = [&] {
    while (n < text.size() && (text[n] == '.' || (text[n] >= '0' && text[n] <= '9'))) ++n;
  };
  digits();
  if (n + 1 >= text.size() || (text[n] != 'e' && text[n] != 'E')) return n;
  const std::size_t sign = text[n + 1] == '+' || text[n + 1] == '-' ? 1 : 0;
  if (n + 1 + sign >= text.size() || text[n + 1 + sign] < '0' || text[n + 1 + sign] > '9') return n;
  n += 1 + sign;
  digits();
  return n;
}

/// `number` times 10^exponent, rounded once.
std::optional<double> shifted(std::string_view number, int exponent)
{
  if (exponent == 0) return read_number(number);
  const auto e = number.find_first_of("eE");
  int written = 0;
  if (e != number.npos) {
    std::string_view digits = number.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), written);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  }
  return read_number(fmt::format("{}e{}", number.substr(0, e), written + exponent));
}

[[noreturn]] void refuse_unit(std::string_view text, std::string_view unit, Unit kind)
{
  if (kind == Unit::none)
    throw UsageError(fmt::format("'{}': expected a number without a unit", text));
  throw UsageError(fmt::format("'{}': unit '{}' does not fit; accepted: {}", text, unit,
                               detail::accepted_units(kind)));
}

[[noreturn]] void refuse_number(std::string_view text, Unit kind)
{
  const std::string units = detail::accepted_units(kind);
  throw UsageError(units.empty()
                       ? fmt::format("'{}' is not a number", text)
                       : fmt::format("'{}' is not a number with a unit ({})", text, units));
}

struct Part
{
  double value = 0;
  std::string_view rest;
};

/// The number and unit that `rest` begins with.
Part read_part(std::string_view text, std::string_view rest, Unit kind)
{
  const std::size_t n = number_length(rest);
  const std::string_view number = rest.substr(0, n);
  std::string_view tail = trim(rest.substr(n));
  const std::size_t end = kind == Unit::seconds ? tail.find_first_of("0123456789 ") : tail.npos;
  const std::string_view unit = trim(tail.substr(0, end));
  if (n == 0 || !read_number(number)) refuse_number(text, kind);
  tail = end == tail.npos ? std::string_view{} : trim(tail.substr(end));
  const bool alone = tail.empty() && rest.size() == trim(text).size();
  if (unit.empty() && !alone) refuse_number(text, kind);
  if (unit.empty()) return {*read_number(number), tail};
  const std::string name = plain_unit(unit);
  for (const Scale& scale : scales(kind)) {
    if (scale.name != name) continue;
    const auto value = shifted(number, scale.exponent);
    if (!value) refuse_number(text, kind);
    return {*value * scale.factor / scale.divisor, tail};
  }
  refuse_unit(text, unit, kind);
}

}  // namespace

double parse_quantity(std::string_view text, Unit unit)
{
  std::string_view rest = trim(text);
  Part part = read_part(text, rest, unit);
  double sum = part.value;
  const double sign = rest.starts_with('-') ? -1 : 1;
  while (!part.rest.empty()) {  // "2h30m", seconds only
    part = read_part(text, part.rest, unit);
    sum += sign * part.value;
  }
  return sum;
}

namespace detail {

std::string_view si_name(Unit unit)
{
  const auto all = scales(unit);
  return all.empty() ? std::string_view{} : all.front().name;
}

std::string accepted_units(Unit unit)
{
  std::string text;
  for (const Scale& scale : scales(unit)) {
    if (unit == Unit::seconds && scale.name == "m") continue;  // read, but not recommended
    text += fmt::format("{}{}", text.empty() ? "" : ", ", scale.name);
  }
  return text;
}

}  // namespace detail
}  // namespace helicity::job
