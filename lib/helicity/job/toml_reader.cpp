// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/detail/node.hpp>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

namespace helicity::job::detail {
namespace {

Position position_of(const toml::source_region& region)
{
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

Node convert(const toml::node& node);

Node::Table convert_table(const toml::table& table)
{
  Node::Table entries;
  for (const auto& [key, value] : table)
    entries.push_back({std::string(key.str()), position_of(key.source()), convert(value)});
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
  return entries;
}

Node::Array convert_array(const toml::array& array)
{
  Node::Array values;
  for (const auto& value : array) values.push_back(convert(value));
  return values;
}

std::string text_of(const toml::node& node)
{
  if (node.is_date()) return "a date";
  return node.is_time() ? "a time" : "a date and time";
}

Node convert(const toml::node& node)
{
  Node out;
  out.at = position_of(node.source());
  if (const auto* table = node.as_table())
    out.value = convert_table(*table);
  else if (const auto* array = node.as_array())
    out.value = convert_array(*array);
  else if (const auto* text = node.as_string())
    out.value = text->get();
  else if (const auto* integer = node.as_integer())
    out.value = integer->get();
  else if (const auto* real = node.as_floating_point())
    out.value = real->get();
  else if (const auto* flag = node.as_boolean())
    out.value = flag->get();
  else
    out.value = Node::Other{text_of(node)};
  return out;
}

}  // namespace

Node parse_toml(std::string_view text, const std::string& name)
{
  try {
    return convert(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    const Position at = position_of(error.source());
    throw InputError(fmt::format("{}:{}:{}: {}", name, at.line, at.column, error.description()));
  }
}

}  // namespace helicity::job::detail
