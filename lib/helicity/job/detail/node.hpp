// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace helicity::job::detail {

/// Line and column in a file, from 1; 0 where there is none.
struct Position
{
  int line = 0, column = 0;
};

struct Entry;

/// A value of a TOML file and where it stands.
struct Node
{
  using Array = std::vector<Node>;
  using Table = std::vector<Entry>;  ///< in the order of the file
  struct Other                       ///< dates and times, which no key takes
  {
    std::string text;
  };

  std::variant<Other, bool, std::int64_t, double, std::string, Array, Table> value;
  Position at;
};

struct Entry
{
  std::string name;
  Position at;
  Node value;
};

/// Reads a TOML text. @throws InputError "NAME:LINE:COLUMN: ..." for a wrong one
Node parse_toml(std::string_view text, const std::string& name);

/// All values of a table that are no tables, "table.key" and the value in TOML, in order.
std::vector<std::pair<std::string, std::string>> flatten(const Node& table);

/// A value as TOML writes it, on one line.
std::string to_toml(const Node& node);
std::string to_toml(double value);  ///< shortest text that reads back to the same bits
std::string to_toml(const std::string& value);

}  // namespace helicity::job::detail
