// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/config.hpp>

#include <support/app.hpp>
#include <support/schema_options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace helicity::app {
namespace {

/// "[fluid]" options stand together in --help.
std::string group_of(const std::string& key)
{
  const auto dot = key.rfind('.');
  return dot == std::string::npos ? "Configuration" : fmt::format("[{}]", key.substr(0, dot));
}

}  // namespace

SchemaOptions::SchemaOptions(CLI::App& app, job::Schema& schema) : schema_(schema)
{
  add_set(app);
  app.add_flag("--print-config", print_config_, "Print the whole configuration as TOML and exit")
      ->group("Configuration");
  for (const auto& key : schema.keys()) add_key(app, key.key, key.type, key.value, key.help);
}

void SchemaOptions::add_key(CLI::App& app, const std::string& key, const std::string& type,
                            const std::string& value, const std::string& help)
{
  const std::string name = "--" + key;
  if (app.get_option_no_throw(name) != nullptr) return;  // the program has its own
  // CLI11 takes "[1, 2]" apart: the callback gets the pieces.
  const auto keep = [this, key, name](const CLI::results_t& pieces) {
    settings_.push_back({key, fmt::format("{}", fmt::join(pieces, ",")), name});
    return true;
  };
  CLI::Option* option = app.add_option(name, keep, help)
                            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                            ->trigger_on_parse()
                            ->group(group_of(key));
  const bool flag = type == "true or false";
  if (flag)
    option->expected(0);
  else
    option->type_name(type);
  option->default_str(flag && value == "false" ? "" : value);
}

void SchemaOptions::add_set(CLI::App& app)
{
  const auto keep = [this](const CLI::results_t& pieces) {
    const std::string text = fmt::format("{}", fmt::join(pieces, ","));
    const auto equals = text.find('=');
    if (equals == std::string::npos)
      throw CLI::ValidationError("--set", fmt::format("expected KEY=VALUE, found '{}'", text));
    settings_.push_back({text.substr(0, equals), text.substr(equals + 1), "--set"});
    return true;
  };
  app.add_option("--set", keep, "Set a key of the configuration; may be repeated")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->trigger_on_parse()
      ->type_name("KEY=VALUE")
      ->group("Configuration");
}

void SchemaOptions::set_keys()
{
  for (const auto& [key, value, origin] : settings_) schema_.set(key, value, origin);
}

void SchemaOptions::apply()
{
  set_keys();
  if (!print_config_) return;
  fmt::print("{}", schema_.print(true));
  throw Exit{success};
}

}  // namespace helicity::app
