// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/job/config.hpp>
#include <helicity/job/detail/node.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace helicity::job::detail {

using Target = std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::string>*>;

/// A key and the variable it sets.
struct Key
{
  std::string name, help;
  Target target;
  int count = 0;  ///< numbers in a list; 0: one number, no list
  Unit unit = Unit::none;
  Schema::IntegerRange integers;
  Schema::RealRange reals;
  std::vector<std::string> choices;  ///< empty: any text
  bool set = false;
};

/// A checked value, on its way to a variable.
using Value = std::variant<bool, std::vector<std::int64_t>, std::vector<double>, std::string,
                           std::vector<std::string>>;

/// What is wrong with a value, without its key.
struct Mismatch
{
  std::string text;
  Position at;
};

/// The value of a node as this key wants it. @throws Mismatch
Value read_value(const Key& key, const Node& node);

/// The same from a command line's text. @throws Mismatch
Value read_value(const Key& key, std::string_view text);

void assign(const Key& key, Value value);

std::string print_value(const Key& key);  ///< as it stands now, in TOML
std::string print_type(const Key& key);   ///< KeyInfo::type

/// "at least 1", "between 0 and 1", "above 0 and at most 1", or "".
std::string print_range(const Key& key);

}  // namespace helicity::job::detail
