// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helicity::job {

/// What a number measures: which units its text may carry. Numbers without a unit are SI.
enum class Unit : std::uint8_t {
  none,
  seconds,
  metres,
  metres_per_second,
  square_metres_per_second,
  metres_per_second_squared,
  kilograms_per_cubic_metre
};

/// One key of a configuration, for help texts and command lines.
struct KeyInfo
{
  std::string key;    ///< "grid.cells"
  std::string type;   ///< "integer", "real [s]", "3 integers", "one of srt, trt", ...
  std::string value;  ///< as it stands now, in TOML
  std::string help;
};

/// The keys of a solver bound to the variables they set. Each is a TOML key, a flag and a
/// --set key=value; values are checked when they are set, wherever they come from.
///
///     Schema schema;
///     schema.integers("grid.cells", config.cells, "cells along x, y, z", {.lowest = 1});
///     schema.real("time.step", config.step, Unit::seconds, "length of a step", {.lowest = 0});
///     schema.choice("fluid.collision", config.collision, {"srt", "trt"}, "collision operator");
///     schema.load("case.toml");                      // unknown key: file:line:column, nearest
///     schema.set("time.step", "0.5 ms");
///     out << schema.print();                         // the whole configuration, as TOML
///
/// Variables must outlive the schema. Tables that repeat ([[solid]]) are bound with `tables`.
class HELICITY_EXPORT Schema
{
 public:
  struct IntegerRange
  {
    std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  };
  struct RealRange
  {
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    bool above = false;  ///< lowest itself is not allowed
  };

  Schema();
  ~Schema();
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;

  void flag(std::string key, bool& target, std::string help);
  void integer(std::string key, std::int64_t& target, std::string help, IntegerRange range);
  void integers(std::string key, std::int64_t* target, int count, std::string help,
                IntegerRange range);
  void real(std::string key, double& target, Unit unit, std::string help, RealRange range);
  void reals(std::string key, double* target, int count, Unit unit, std::string help,
             RealRange range);
  void text(std::string key, std::string& target, std::string help);
  void texts(std::string key, std::vector<std::string>& target, std::string help);
  void choice(std::string key, std::string& target, std::vector<std::string> choices,
              std::string help);

  /// An array of tables, [[key]] in a file. A file that has some, or `key = []`, replaces all
  /// elements there are. `bind` binds the variables of one element; `resize` changes how many there
  /// are, new ones at the end with default values.
  void tables(std::string key, std::string help,
              std::function<void(Schema& schema, std::size_t element)> bind,
              std::function<std::size_t()> count, std::function<void(std::size_t count)> resize);

  /// The same for a vector: bind(schema, element).
  ///
  ///     schema.tables("solid", "bodies in the flow", config.solids,
  ///                   [](Schema& s, Solid& solid) { s.text("kind", solid.kind, "its shape"); });
  template <class T, class Bind>
  void tables(std::string key, std::string help, std::vector<T>& elements, Bind bind)
  {
    tables(
        std::move(key), std::move(help),
        [&elements, bind](Schema& schema, std::size_t i) { bind(schema, elements[i]); },
        [&elements] { return elements.size(); },
        [&elements](std::size_t n) { elements.resize(n); });
  }

  /// Reads a TOML file. Keys not bound, values of a wrong type, unit or range are errors
  /// "FILE:LINE:COLUMN: ...", unknown keys with the nearest known one; nothing is set then.
  /// @throws InputError
  void load(const std::string& path);

  /// The same from a text; `name` stands for the file in errors.
  void parse(std::string_view toml, const std::string& name);

  /// Sets one key from a text as on a command line: `1.5`, `12 cm`, `64,64,32`, `64x64x32`, `true`.
  /// @param origin  where it came from, for errors: "--fluid.viscosity", "--set"
  /// @throws UsageError naming origin and key, with the nearest known key if it is unknown
  void set(std::string_view key, std::string_view value, std::string_view origin = "--set");

  /// The configuration as TOML that load() reads back to the same values, with the help as
  /// comments if asked.
  std::string print(bool comments = false) const;

  /// All keys in the order they were bound, without those of tables.
  std::vector<KeyInfo> keys() const;

  /// Was the key set by load, parse or set?
  bool is_set(std::string_view key) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads "12", "12 cm", "2h30m" as a number in SI units. @throws UsageError with what is expected
HELICITY_EXPORT double parse_quantity(std::string_view text, Unit unit);

}  // namespace helicity::job
