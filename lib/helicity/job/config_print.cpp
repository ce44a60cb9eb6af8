// SPDX-License-Identifier: Apache-2.0
#include <helicity/job/config.hpp>
#include <helicity/job/detail/schema_state.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace helicity::job {
namespace {

std::string_view table_of(std::string_view name)
{
  const auto dot = name.rfind('.');
  return dot == name.npos ? std::string_view{} : name.substr(0, dot);
}

std::string_view leaf_of(std::string_view name)
{
  const auto dot = name.rfind('.');
  return dot == name.npos ? name : name.substr(dot + 1);
}

/// Names of tables in the order they appear, the nameless first.
std::vector<std::string_view> tables_in(const std::vector<detail::Key>& keys,
                                        const std::vector<detail::TableArray>& arrays)
{
  std::vector<std::string_view> tables{""};
  const auto add = [&](std::string_view name) {
    if (std::find(tables.begin(), tables.end(), name) == tables.end()) tables.push_back(name);
  };
  for (const auto& key : keys) add(table_of(key.name));
  for (const auto& array : arrays)
    if (array.count() == 0) add(table_of(array.name));
  return tables;
}

std::string comment(const detail::Key& key)
{
  const std::string range = detail::print_range(key);
  return fmt::format("# {} ({}{}{})\n", key.help, detail::print_type(key),
                     range.empty() ? "" : ", ", range);
}

}  // namespace

void Schema::State::print_key(std::string& out, const detail::Key& key, std::string_view name,
                              bool comments) const
{
  if (comments) out += comment(key);
  out += fmt::format("{} = {}\n", name, detail::print_value(key));
}

void Schema::State::print_empty_arrays(std::string& out, std::string_view table,
                                       bool comments) const
{
  for (const auto& array : arrays) {
    if (array.count() != 0 || table_of(array.name) != table) continue;
    if (comments) out += fmt::format("# {} (list of tables)\n", array.help);
    out += fmt::format("{} = []\n", leaf_of(array.name));
  }
}

void Schema::State::print(std::string& out, const std::string& outer, bool comments) const
{
  for (const std::string_view table : tables_in(keys, arrays)) {
    if (!table.empty()) out += fmt::format("{}[{}{}]\n", out.empty() ? "" : "\n", outer, table);
    for (const auto& key : keys)
      if (table_of(key.name) == table) print_key(out, key, leaf_of(key.name), comments);
    print_empty_arrays(out, table, comments);
  }
  print_arrays(out, outer, comments);
}

void Schema::State::print_arrays(std::string& out, const std::string& outer, bool comments) const
{
  for (const auto& array : arrays) {
    for (std::size_t i = 0; i < array.count(); ++i) {
      if (!out.empty()) out += "\n";
      if (comments && i == 0) out += fmt::format("# {}\n", array.help);
      out += fmt::format("[[{}{}]]\n", outer, array.name);
      Schema schema;
      array.bind(schema, i);
      schema.state_->print(out, outer + array.name + ".", comments && i == 0);
    }
  }
}

std::string Schema::print(bool comments) const
{
  std::string out;
  state_->print(out, "", comments);
  return out;
}

}  // namespace helicity::job
