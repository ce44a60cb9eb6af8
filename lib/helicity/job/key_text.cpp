// SPDX-License-Identifier: Apache-2.0
// Values of keys as a command line writes them, and as TOML and help show them.
#include <helicity/core/error.hpp>
#include <helicity/job/detail/key.hpp>
#include <helicity/job/detail/units.hpp>

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace helicity::job::detail {
namespace {

std::string_view trim(std::string_view text)
{
  const auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool is_quoted(std::string_view text)
{
  return text.size() >= 2 && text.front() == text.back() &&
         (text.front() == '"' || text.front() == '\'');
}

std::string unquoted(std::string_view text)
{
  if (!is_quoted(text)) return std::string(text);
  try {
    const Node table = parse_toml(fmt::format("v = {}", text), "");
    const auto& value = std::get<Node::Table>(table.value).front().value.value;
    if (const auto* inner = std::get_if<std::string>(&value)) return *inner;
  } catch (const InputError&) {
  }
  return std::string(text);
}

Node integer_node(std::string_view text)
{
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
    return {std::string(text), {}};
  return {value, {}};
}

Node flag_node(std::string_view text)
{
  if (text == "true" || text == "on" || text == "yes") return {true, {}};
  if (text == "false" || text == "off" || text == "no") return {false, {}};
  return {std::string(text), {}};
}

Node text_node(std::string_view text) { return {unquoted(text), {}}; }

/// Splits "[a, b]", "a,b" and for numbers "axb" (where there is no comma).
Node list_node(std::string_view text, bool numbers, Node (*element)(std::string_view))
{
  if (text.starts_with('[') && text.ends_with(']')) text = trim(text.substr(1, text.size() - 2));
  Node::Array values;
  const char separator = numbers && text.find(',') == text.npos ? 'x' : ',';
  while (!text.empty()) {
    const auto end = text.find(separator);
    values.push_back(element(trim(text.substr(0, end))));
    if (end == text.npos) break;
    text = text.substr(end + 1);
    if (trim(text).empty()) values.push_back(element(""));
  }
  return {std::move(values), {}};
}

struct NodeMaker
{
  const Key& key;
  std::string_view text;

  Node operator()(bool*) const { return flag_node(text); }
  Node operator()(std::int64_t*) const
  {
    return key.count == 0 ? integer_node(text) : list_node(text, true, &integer_node);
  }
  Node operator()(double*) const
  {
    return key.count == 0 ? text_node(text) : list_node(text, true, &text_node);
  }
  Node operator()(std::string*) const { return text_node(text); }
  Node operator()(std::vector<std::string>*) const { return list_node(text, false, &text_node); }
};

template <class T>
Node numbers_node(const T* values, int count)
{
  if (count == 0) return {*values, {}};
  Node::Array array;
  for (int i = 0; i < count; ++i) array.push_back({values[i], {}});
  return {std::move(array), {}};
}

struct Current
{
  int count;

  Node operator()(const bool* value) const { return {*value, {}}; }
  Node operator()(const std::int64_t* values) const { return numbers_node(values, count); }
  Node operator()(const double* values) const { return numbers_node(values, count); }
  Node operator()(const std::string* value) const { return {*value, {}}; }
  Node operator()(const std::vector<std::string>* values) const
  {
    Node::Array array;
    for (const auto& value : *values) array.push_back({value, {}});
    return {std::move(array), {}};
  }
};

std::string number_type(const char* name, const Key& key)
{
  std::string type = key.count == 0 ? name : fmt::format("{} {}s", key.count, name);
  if (key.unit != Unit::none) type += fmt::format(" [{}]", si_name(key.unit));
  return type;
}

template <class Range, class T>
std::string range_text(const Range& range, bool above, T open_low, T open_high)
{
  std::string text;
  if (range.lowest != open_low && range.highest != open_high && !above)
    return fmt::format("between {} and {}", range.lowest, range.highest);
  if (range.lowest != open_low)
    text = fmt::format("{} {}", above ? "above" : "at least", range.lowest);
  if (range.highest != open_high)
    text += fmt::format("{}at most {}", text.empty() ? "" : " and ", range.highest);
  return text;
}

}  // namespace

Value read_value(const Key& key, std::string_view text)
{
  return read_value(key, std::visit(NodeMaker{key, trim(text)}, key.target));
}

std::string print_value(const Key& key)
{
  return to_toml(std::visit(Current{key.count}, key.target));
}

std::string print_type(const Key& key)
{
  if (std::holds_alternative<bool*>(key.target)) return "true or false";
  if (std::holds_alternative<std::int64_t*>(key.target)) return number_type("integer", key);
  if (std::holds_alternative<double*>(key.target)) return number_type("real", key);
  if (std::holds_alternative<std::vector<std::string>*>(key.target)) return "a list of texts";
  if (key.choices.empty()) return "text";
  return fmt::format("one of {}", fmt::join(key.choices, ", "));
}

std::string print_range(const Key& key)
{
  if (std::holds_alternative<std::int64_t*>(key.target)) {
    using Limits = std::numeric_limits<std::int64_t>;
    return range_text(key.integers, false, Limits::min(), Limits::max());
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return range_text(key.reals, key.reals.above, -infinity, infinity);
}

}  // namespace helicity::job::detail
