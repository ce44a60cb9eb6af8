// SPDX-License-Identifier: Apache-2.0
#include <helicity/job/detail/node.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace helicity::job::detail {
namespace {

std::string escaped(char c)
{
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\t': return "\\t";
    case '\n': return "\\n";
    case '\f': return "\\f";
    case '\r': return "\\r";
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f ? fmt::format("\\u{:04X}", byte) : std::string(1, c);
}

std::string join_values(const Node::Array& values)
{
  std::string text;
  for (const Node& value : values)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", to_toml(value));
  return fmt::format("[{}]", text);
}

std::string join_entries(const Node::Table& entries)
{
  std::string text;
  for (const Entry& entry : entries)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", entry.name, to_toml(entry.value));
  return fmt::format("{{ {} }}", text);
}

struct Writer
{
  std::string operator()(const Node::Other& value) const { return value.text; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return to_toml(value); }
  std::string operator()(const std::string& value) const { return to_toml(value); }
  std::string operator()(const Node::Array& values) const { return join_values(values); }
  std::string operator()(const Node::Table& entries) const { return join_entries(entries); }
};

void flatten_into(const Node::Table& table, const std::string& prefix,
                  std::vector<std::pair<std::string, std::string>>& out)
{
  for (const Entry& entry : table) {
    const std::string key = prefix + entry.name;
    if (const auto* inner = std::get_if<Node::Table>(&entry.value.value))
      flatten_into(*inner, key + ".", out);
    else
      out.emplace_back(key, to_toml(entry.value));
  }
}

}  // namespace

std::string to_toml(double value)
{
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[40];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";  // or it would be an integer
  return text;
}

std::string to_toml(const std::string& value)
{
  std::string text = "\"";
  for (const char c : value) text += escaped(c);
  return text + "\"";
}

std::string to_toml(const Node& node) { return std::visit(Writer{}, node.value); }

std::vector<std::pair<std::string, std::string>> flatten(const Node& table)
{
  std::vector<std::pair<std::string, std::string>> out;
  if (const auto* entries = std::get_if<Node::Table>(&table.value)) flatten_into(*entries, "", out);
  return out;
}

}  // namespace helicity::job::detail
