// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/config.hpp>
#include <helicity/job/detail/schema_state.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace helicity::job {
namespace {

using detail::Entry;
using detail::Node;
using detail::Place;
using detail::Position;
using detail::Update;

[[noreturn]] void fail(const Place& place, Position at, const std::string& text)
{
  throw InputError(fmt::format("{}:{}:{}: {}", place.file, at.line, at.column, text));
}

std::string read_all(const std::string& path)
{
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw InputError(fmt::format("{}: {}", path, std::strerror(errno)));
  std::string text;
  char bytes[4096];
  while (const std::size_t n = std::fread(bytes, 1, sizeof bytes, file.get()))
    text.append(bytes, n);
  if (std::ferror(file.get()) != 0)
    throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return text;
}

/// Elements added for a check, taken away again.
class Trial
{
 public:
  Trial(const detail::TableArray& array, std::size_t more) : array_(array), before_(array.count())
  {
    array_.resize(before_ + more);
  }
  ~Trial() { array_.resize(before_); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  std::size_t element(std::size_t i) const { return before_ + i; }

 private:
  const detail::TableArray& array_;
  std::size_t before_;
};

}  // namespace

Update Schema::State::check(const Node& table, const Place& place)
{
  Update update;
  for (const Entry& entry : std::get<Node::Table>(table.value)) check_entry(entry, place, update);
  return update;
}

void Schema::State::check_entry(const Entry& entry, const Place& place, Update& update)
{
  const std::string name = place.prefix + entry.name;
  const std::string shown = place.outer + name;
  const bool is_a_table = std::holds_alternative<Node::Table>(entry.value.value);
  if (const std::size_t i = find_key(name); i != npos) {
    try {
      update.values.emplace_back(i, detail::read_value(keys[i], entry.value));
    } catch (const detail::Mismatch& mismatch) {
      fail(place, mismatch.at, fmt::format("{}: {}", shown, mismatch.text));
    }
  } else if (const std::size_t a = find_array(name); a != npos) {
    update.tables.emplace_back(a, check_array(a, entry.value, place));
  } else if (is_table(name)) {
    if (!is_a_table)
      fail(place, entry.at,
           fmt::format("'{}' is a table: write [{}], then its keys", shown, shown));
    Update inner = check(entry.value, {place.file, place.outer, name + "."});
    for (auto& value : inner.values) update.values.push_back(std::move(value));
    for (auto& array : inner.tables) update.tables.push_back(std::move(array));
  } else {
    std::string near = suggestion(name, is_a_table);
    if (const auto quote = near.find('\''); quote != near.npos) near.insert(quote + 1, place.outer);
    fail(place, entry.at,
         fmt::format("unknown {} '{}'{}", is_a_table ? "table" : "key", shown, near));
  }
}

std::vector<Update> Schema::State::check_array(std::size_t index, const Node& node,
                                               const Place& place)
{
  const detail::TableArray& array = arrays[index];
  const std::string shown = place.outer + array.name;
  const auto* elements = std::get_if<Node::Array>(&node.value);
  if (elements == nullptr)
    fail(place, node.at, fmt::format("'{}' is a list of tables: write [[{}]]", shown, shown));
  const Trial trial(array, elements->size());
  std::vector<Update> updates;
  for (std::size_t i = 0; i < elements->size(); ++i) {
    const Node& element = (*elements)[i];
    if (!std::holds_alternative<Node::Table>(element.value))
      fail(place, element.at, fmt::format("'{}' is a list of tables: write [[{}]]", shown, shown));
    Schema schema;
    array.bind(schema, trial.element(i));
    updates.push_back(schema.state_->check(element, {place.file, shown + ".", ""}));
  }
  return updates;
}

void Schema::State::apply(Update update)
{
  for (auto& [i, value] : update.values) {
    detail::assign(keys[i], std::move(value));
    keys[i].set = true;
  }
  for (auto& [a, elements] : update.tables) {
    detail::TableArray& array = arrays[a];
    array.resize(0);
    array.resize(elements.size());
    array.set = true;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Schema schema;
      array.bind(schema, i);
      schema.state_->apply(std::move(elements[i]));
    }
  }
}

void Schema::parse(std::string_view toml, const std::string& name)
{
  const Node table = detail::parse_toml(toml, name);
  state_->apply(state_->check(table, {name, "", ""}));
}

void Schema::load(const std::string& path) { parse(read_all(path), path); }

}  // namespace helicity::job
