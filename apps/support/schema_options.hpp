// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace helicity::job {
class Schema;
}

namespace helicity::app {

/// The keys of a schema as options of a program: --KEY VALUE for each (--KEY alone for flags),
/// --set KEY=VALUE and --print-config. What they say is applied after the file:
///
///     SchemaOptions options(app, schema);
///     parse(app, argc, argv);
///     if (!file.empty()) schema.load(file);
///     options.apply();
///
/// @note keeps references to both, and must not move
class SchemaOptions
{
 public:
  SchemaOptions(CLI::App& app, job::Schema& schema);
  SchemaOptions(const SchemaOptions&) = delete;
  SchemaOptions& operator=(const SchemaOptions&) = delete;

  /// Sets what the command line said, in its order. With --print-config writes the configuration
  /// to stdout then, with comments, and throws Exit.
  /// @throws UsageError as Schema::set
  void apply();

  /// The same without --print-config, for programs whose other options have a say as well.
  void set_keys();
  bool print_config() const { return print_config_; }

 private:
  struct Setting
  {
    std::string key, value, origin;
  };

  void add_key(CLI::App& app, const std::string& key, const std::string& type,
               const std::string& value, const std::string& help);
  void add_set(CLI::App& app);

  job::Schema& schema_;
  std::vector<Setting> settings_;
  bool print_config_ = false;
};

}  // namespace helicity::app
