// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/job/config.hpp>
#include <helicity/job/detail/key.hpp>
#include <helicity/job/detail/node.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helicity::job {

namespace detail {

/// What a file changes: collected while it is checked, done when all of it is right.
struct Update
{
  std::vector<std::pair<std::size_t, Value>> values;                ///< by index of the key
  std::vector<std::pair<std::size_t, std::vector<Update>>> tables;  ///< by index of the array
};

/// An array of tables as it was bound.
struct TableArray
{
  std::string name, help;
  std::function<void(Schema&, std::size_t)> bind;
  std::function<std::size_t()> count;
  std::function<void(std::size_t)> resize;
  bool set = false;
};

/// Where a table of a file stands among the keys, for errors.
struct Place
{
  const std::string& file;
  std::string outer;   ///< "solid." for elements of [[solid]]
  std::string prefix;  ///< "grid." within [grid]
};

}  // namespace detail

struct Schema::State
{
  std::vector<detail::Key> keys;
  std::vector<detail::TableArray> arrays;

  /// Index of a key or array of that name, or npos.
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  std::size_t find_key(std::string_view name) const;
  std::size_t find_array(std::string_view name) const;
  bool is_table(std::string_view name) const;  ///< some key begins with "name."

  /// "; did you mean 'fluid.viscosity'?" or "".
  std::string suggestion(const std::string& name, bool table) const;

  void add(detail::Key key);
  void require_new(const std::string& name) const;

  /// Checks a table. @throws InputError
  detail::Update check(const detail::Node& table, const detail::Place& place);
  void check_entry(const detail::Entry& entry, const detail::Place& place, detail::Update& update);
  std::vector<detail::Update> check_array(std::size_t array, const detail::Node& node,
                                          const detail::Place& place);
  void apply(detail::Update update);

  /// Adds lines "key = value", [table] headers and [[array]] elements to a text.
  void print(std::string& out, const std::string& outer, bool comments) const;
  void print_key(std::string& out, const detail::Key& key, std::string_view name,
                 bool comments) const;
  void print_arrays(std::string& out, const std::string& outer, bool comments) const;
  void print_empty_arrays(std::string& out, std::string_view table, bool comments) const;
};

}  // namespace helicity::job
