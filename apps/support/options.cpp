// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/core/version.hpp>

#include <support/app.hpp>
#include <support/options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdio>
#include <vector>

namespace helicity::app {
namespace {

/// CLI11 wants its own exception from a callback, or it would not name the option.
template <class Read>
CLI::Option* add_parsed_option(CLI::App& app, const std::string& name, const std::string& help,
                               Read read)
{
  return app.add_option_function<std::string>(
      name,
      [name, read](const std::string& text) {
        try {
          read(text);
        } catch (const UsageError& error) {
          throw CLI::ValidationError(name, error.what());
        }
      },
      help);
}

/// "--long" and "-s" of every option.
std::vector<std::string> option_names(const CLI::App& app)
{
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// What is wrong with the first argument that no option took, or "".
std::string describe_extras(const CLI::App& app)
{
  for (const auto& argument : app.remaining(true)) {
    if (argument.size() < 2 || argument[0] != '-') continue;
    const std::string name = argument.substr(0, argument.find('='));
    const auto owned = option_names(app);
    const std::vector<std::string_view> names(owned.begin(), owned.end());
    return fmt::format("unknown option '{}'{}", name, did_you_mean(name, names));
  }
  const auto extras = app.remaining(true);
  return extras.empty() ? "" : fmt::format("unexpected argument '{}'", extras.front());
}

}  // namespace

LogLevel Verbosity::level() const noexcept
{
  return quiet ? LogLevel::quiet : verbose ? LogLevel::verbose : LogLevel::normal;
}

ProgressMode Verbosity::progress_mode() const noexcept
{
  if (progress) return ProgressMode::always;
  return quiet ? ProgressMode::never : ProgressMode::automatic;
}

void set_up(CLI::App& app)
{
  app.option_defaults()->always_capture_default();
  app.set_version_flag("--version", fmt::format("helicity {}", version()),
                       "Print the version and exit");
  app.get_formatter()->column_width(34);
}

void add_exec_options(CLI::App& app, Exec& exec)
{
  app.add_option("-t,--threads", exec.threads, "CPU threads; 0: all this process may use")
      ->check(CLI::Range(0, 4096))
      ->envname("HELICITY_THREADS");
  add_parsed_option(app, "--device", "auto, cpu, cuda or cuda:N",
                    [&exec](const std::string& text) { parse_device(text, exec); })
      ->default_str("auto")
      ->type_name("NAME")
      ->envname("HELICITY_DEVICE");
  add_bytes_option(app, "--memory", exec.memory, "Budget for batches and traceback, as 4GiB")
      ->default_str("by device")
      ->envname("HELICITY_MEMORY");
}

void add_verbosity_options(CLI::App& app, Verbosity& verbosity)
{
  auto* quiet = app.add_flag("-q,--quiet", verbosity.quiet, "Print warnings and errors only");
  app.add_flag("-v,--verbose", verbosity.verbose, "Print details")->excludes(quiet);
  app.add_flag("--progress", verbosity.progress, "Show progress, also where no terminal is");
}

CLI::Option* add_bytes_option(CLI::App& app, const std::string& name, std::size_t& bytes,
                              const std::string& help)
{
  return add_parsed_option(app, name, help,
                           [&bytes](const std::string& text) { bytes = parse_bytes(text); })
      ->type_name("SIZE");
}

void parse(CLI::App& app, int argc, const char* const* argv)
{
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version_text) {
    fmt::print("{}\n", version_text.what());
    throw Exit{success};
  } catch (const CLI::Success&) {
    fmt::print("{}", app.help());
    throw Exit{success};
  } catch (const CLI::ParseError& error) {
    const std::string extras = describe_extras(app);
    throw UsageError(fmt::format("{} (try --help)", extras.empty() ? error.what() : extras));
  }
}

void parse_device(std::string_view text, Exec& exec)
{
  const std::string_view name = text.substr(0, text.find(':'));
  if (text == "auto" || text == "cpu") {
    exec.device = text == "cpu" ? Device::cpu : Device::automatic;
    return;
  }
  int id = 0;
  const std::string_view digits = text.size() > 5 ? text.substr(5) : "0";
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  const bool whole = error == std::errc() && end == digits.data() + digits.size() && id >= 0;
  if (name != "cuda" || !whole || text == "cuda:") {
    constexpr std::string_view names[] = {"auto", "cpu", "cuda"};
    throw UsageError(fmt::format("unknown device '{}'{}; known: auto, cpu, cuda, cuda:N", text,
                                 did_you_mean(name, names)));
  }
  exec.device = Device::cuda;
  exec.device_id = id;
}

}  // namespace helicity::app
