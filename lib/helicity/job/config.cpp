// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/job/config.hpp>
#include <helicity/job/detail/schema_state.hpp>

#include <fmt/format.h>

namespace helicity::job {

std::size_t Schema::State::find_key(std::string_view name) const
{
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i].name == name) return i;
  return npos;
}

std::size_t Schema::State::find_array(std::string_view name) const
{
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i].name == name) return i;
  return npos;
}

bool Schema::State::is_table(std::string_view name) const
{
  const std::string prefix = std::string(name) + ".";
  for (const auto& key : keys)
    if (key.name.starts_with(prefix)) return true;
  for (const auto& array : arrays)
    if (array.name.starts_with(prefix)) return true;
  return false;
}

std::string Schema::State::suggestion(const std::string& name, bool table) const
{
  std::vector<std::string_view> names;
  for (const auto& key : keys) {
    if (!table) names.emplace_back(key.name);
    if (table && key.name.find('.') != std::string::npos)
      names.emplace_back(std::string_view(key.name).substr(0, key.name.rfind('.')));
  }
  for (const auto& array : arrays) names.emplace_back(array.name);
  std::string text = did_you_mean(name, names);
  if (!text.empty() || table) return text;
  const std::string_view leaf = std::string_view(name).substr(name.rfind('.') + 1);
  for (const auto& key : keys)  // the right word in the wrong table
    if (std::string_view(key.name).substr(key.name.rfind('.') + 1) == leaf)
      return fmt::format("; did you mean '{}'?", key.name);
  return "";
}

void Schema::State::require_new(const std::string& name) const
{
  if (name.empty() || find_key(name) != npos || find_array(name) != npos || is_table(name))
    throw UsageError(fmt::format("the key '{}' cannot be bound: it is empty or taken", name));
}

void Schema::State::add(detail::Key key)
{
  require_new(key.name);
  keys.push_back(std::move(key));
}

Schema::Schema() : state_(std::make_unique<State>()) {}
Schema::~Schema() = default;
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;

void Schema::flag(std::string key, bool& target, std::string help)
{
  state_->add({.name = std::move(key), .help = std::move(help), .target = &target});
}

void Schema::integer(std::string key, std::int64_t& target, std::string help, IntegerRange range)
{
  state_->add(
      {.name = std::move(key), .help = std::move(help), .target = &target, .integers = range});
}

void Schema::integers(std::string key, std::int64_t* target, int count, std::string help,
                      IntegerRange range)
{
  state_->add({.name = std::move(key),
               .help = std::move(help),
               .target = target,
               .count = count,
               .integers = range});
}

void Schema::real(std::string key, double& target, Unit unit, std::string help, RealRange range)
{
  state_->add({.name = std::move(key),
               .help = std::move(help),
               .target = &target,
               .unit = unit,
               .reals = range});
}

void Schema::reals(std::string key, double* target, int count, Unit unit, std::string help,
                   RealRange range)
{
  state_->add({.name = std::move(key),
               .help = std::move(help),
               .target = target,
               .count = count,
               .unit = unit,
               .reals = range});
}

void Schema::text(std::string key, std::string& target, std::string help)
{
  state_->add({.name = std::move(key), .help = std::move(help), .target = &target});
}

void Schema::texts(std::string key, std::vector<std::string>& target, std::string help)
{
  state_->add({.name = std::move(key), .help = std::move(help), .target = &target});
}

void Schema::choice(std::string key, std::string& target, std::vector<std::string> choices,
                    std::string help)
{
  state_->add({.name = std::move(key),
               .help = std::move(help),
               .target = &target,
               .choices = std::move(choices)});
}

void Schema::tables(std::string key, std::string help,
                    std::function<void(Schema&, std::size_t)> bind,
                    std::function<std::size_t()> count, std::function<void(std::size_t)> resize)
{
  state_->require_new(key);
  state_->arrays.push_back({.name = std::move(key),
                            .help = std::move(help),
                            .bind = std::move(bind),
                            .count = std::move(count),
                            .resize = std::move(resize)});
}

void Schema::set(std::string_view name, std::string_view value, std::string_view origin)
{
  const std::string flag = fmt::format("--{}", name);
  const std::string who = origin == flag ? flag : fmt::format("{}: {}", origin, name);
  const std::size_t i = state_->find_key(name);
  if (i == State::npos && state_->find_array(name) != State::npos)
    throw UsageError(fmt::format("{}: a list of tables can only be given in a file", who));
  if (i == State::npos)
    throw UsageError(fmt::format("{}: unknown key '{}'{}", origin, name,
                                 state_->suggestion(std::string(name), false)));
  try {
    detail::Key& key = state_->keys[i];
    detail::assign(key, detail::read_value(key, value));
    key.set = true;
  } catch (const detail::Mismatch& mismatch) {
    throw UsageError(fmt::format("{}: {}", who, mismatch.text));
  }
}

std::vector<KeyInfo> Schema::keys() const
{
  std::vector<KeyInfo> infos;
  for (const auto& key : state_->keys)
    infos.push_back({key.name, detail::print_type(key), detail::print_value(key), key.help});
  return infos;
}

bool Schema::is_set(std::string_view name) const
{
  const std::size_t key = state_->find_key(name);
  if (key != State::npos) return state_->keys[key].set;
  const std::size_t array = state_->find_array(name);
  return array != State::npos && state_->arrays[array].set;
}

}  // namespace helicity::job
