// SPDX-License-Identifier: Apache-2.0
// Checking of values: types, counts, ranges, units.
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/job/detail/key.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

namespace helicity::job::detail {
namespace {

std::string describe(const Node& node)
{
  if (std::holds_alternative<Node::Table>(node.value)) return "a table";
  if (const auto* array = std::get_if<Node::Array>(&node.value))
    return fmt::format("a list of {}", array->size());
  return to_toml(node);
}

[[noreturn]] void refuse(const Key& key, const Node& node)
{
  const std::string type = print_type(key);
  const bool one = type == "integer" || type.starts_with("real");
  const char* article = !one ? "" : type == "integer" ? "an " : "a ";
  throw Mismatch{fmt::format("expected {}{}, found {}", article, type, describe(node)), node.at};
}

template <class T, class Range>
bool inside(T value, const Range& range)
{
  return value >= range.lowest && value <= range.highest;
}

std::int64_t read_integer(const Key& key, const Node& node)
{
  const auto* value = std::get_if<std::int64_t>(&node.value);
  if (value == nullptr) refuse(key, node);
  if (!inside(*value, key.integers))
    throw Mismatch{fmt::format("must be {}, found {}", print_range(key), *value), node.at};
  return *value;
}

double number_of(const Key& key, const Node& node)
{
  if (const auto* integer = std::get_if<std::int64_t>(&node.value))
    return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&node.value)) return *real;
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr) refuse(key, node);
  try {
    return parse_quantity(*text, key.unit);
  } catch (const UsageError& error) {
    throw Mismatch{error.what(), node.at};
  }
}

double read_real(const Key& key, const Node& node)
{
  const double value = number_of(key, node);
  if (!std::isfinite(value))
    throw Mismatch{fmt::format("must be a finite number, found {}", value), node.at};
  const bool touches = key.reals.above && value == key.reals.lowest;
  if (!inside(value, key.reals) || touches)
    throw Mismatch{fmt::format("must be {}, found {}", print_range(key), value), node.at};
  return value;
}

std::string read_text(const Key& key, const Node& node)
{
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr) refuse(key, node);
  if (key.choices.empty()) return *text;
  const std::vector<std::string_view> names(key.choices.begin(), key.choices.end());
  for (const auto name : names)
    if (name == *text) return *text;
  throw Mismatch{fmt::format("expected {}, found {}{}", print_type(key), to_toml(*text),
                             did_you_mean(*text, names)),
                 node.at};
}

/// The elements of a list of key.count values, or of any number for 0.
template <class T>
std::vector<T> read_list(const Key& key, const Node& node, T (*read)(const Key&, const Node&))
{
  const auto* array = std::get_if<Node::Array>(&node.value);
  const bool any = key.count == 0;
  if (array == nullptr || (!any && array->size() != static_cast<std::size_t>(key.count)))
    refuse(key, node);
  std::vector<T> values;
  for (const Node& element : *array) values.push_back(read(key, element));
  return values;
}

template <class T>
std::vector<T> read_numbers(const Key& key, const Node& node, T (*read)(const Key&, const Node&))
{
  if (key.count == 0) return {read(key, node)};
  return read_list(key, node, read);
}

struct Reader
{
  const Key& key;
  const Node& node;

  Value operator()(bool*) const
  {
    const auto* value = std::get_if<bool>(&node.value);
    if (value == nullptr) refuse(key, node);
    return *value;
  }
  Value operator()(std::int64_t*) const { return read_numbers(key, node, &read_integer); }
  Value operator()(double*) const { return read_numbers(key, node, &read_real); }
  Value operator()(std::string*) const { return read_text(key, node); }
  Value operator()(std::vector<std::string>*) const { return read_list(key, node, &read_text); }
};

}  // namespace

Value read_value(const Key& key, const Node& node)
{
  return std::visit(Reader{key, node}, key.target);
}

void assign(const Key& key, Value value)
{
  if (auto* flag = std::get_if<bool>(&value)) *std::get<bool*>(key.target) = *flag;
  if (auto* integers = std::get_if<std::vector<std::int64_t>>(&value))
    std::copy(integers->begin(), integers->end(), std::get<std::int64_t*>(key.target));
  if (auto* reals = std::get_if<std::vector<double>>(&value))
    std::copy(reals->begin(), reals->end(), std::get<double*>(key.target));
  if (auto* text = std::get_if<std::string>(&value))
    *std::get<std::string*>(key.target) = std::move(*text);
  if (auto* texts = std::get_if<std::vector<std::string>>(&value))
    *std::get<std::vector<std::string>*>(key.target) = std::move(*texts);
}

}  // namespace helicity::job::detail
