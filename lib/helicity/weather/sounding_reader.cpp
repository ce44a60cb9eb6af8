// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/sounding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

namespace helicity::weather {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double degree = 3.14159265358979323846 / 180, knot = 1852.0 / 3600;
constexpr double celsius = 273.15;

struct Line
{
  std::size_t number = 0;
  std::string_view text;
};

/// Lines without their ends: LF, CRLF or CR.
std::vector<Line> lines_of(std::string_view text)
{
  std::vector<Line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back({number, text.substr(0, end)});
    const bool two = text.substr(end, 2) == "\r\n";
    text.remove_prefix(std::min(text.size(), end + (two ? 2 : 1)));
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view text)
{
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = text.find_first_not_of(" \t\f\v");
    if (start == std::string_view::npos) return words;
    text.remove_prefix(start);
    const std::size_t end = std::min(text.find_first_of(" \t\f\v"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// A finite number, whole, with an exponent of E or D; nothing else.
std::optional<double> number_of(std::string_view word)
{
  std::string text(word.substr(word.substr(0, 1) == "+" ? 1 : 0));
  for (char& c : text)
    if (c == 'd' || c == 'D') c = 'e';
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

[[noreturn]] void refuse(const std::string& name, std::size_t line, const std::string& what)
{
  throw InputError(fmt::format("{}:{}: {}", name, line, what));
}

/// A word as an error may quote it.
std::string quoted(std::string_view word)
{
  std::string text = "'";
  for (const char c : word.substr(0, 24)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 24 ? "...'" : "'");
}

/// A column of a Wyoming table: right-aligned, up to where its name ends.
struct TextColumn
{
  std::string_view name;
  std::size_t end;
};

struct Row
{
  std::size_t line = 0;
  double pressure = missing, height = missing, temperature = missing, dew_point = missing,
         mixing = missing, direction = missing, knots = missing, speed = missing;
};

std::vector<TextColumn> columns_of(std::string_view header)
{
  std::vector<TextColumn> columns;
  for (const std::string_view word : words_of(header))
    columns.push_back({word, static_cast<std::size_t>(word.data() - header.data()) + word.size()});
  return columns;
}

/// The fields of a row: as many words as columns, or what stands in each column.
std::vector<std::string_view> fields_of(std::string_view text,
                                        const std::vector<TextColumn>& columns)
{
  auto words = words_of(text);
  if (words.size() == columns.size()) return words;
  std::vector<std::string_view> fields;
  std::size_t start = 0;
  for (const TextColumn& c : columns) {
    const std::size_t from = std::min(start, text.size());
    const auto inside = words_of(text.substr(from, c.end - start));
    fields.push_back(inside.empty() ? std::string_view() : inside.size() == 1 ? inside[0] : text);
    start = c.end;
  }
  return fields;
}

double* place_of(Row& row, std::string_view name)
{
  if (name == "PRES") return &row.pressure;
  if (name == "HGHT") return &row.height;
  if (name == "TEMP") return &row.temperature;
  if (name == "DWPT") return &row.dew_point;
  if (name == "MIXR") return &row.mixing;
  if (name == "DRCT") return &row.direction;
  if (name == "SKNT") return &row.knots;
  if (name == "SPED") return &row.speed;
  return nullptr;
}

bool is_missing(std::string_view field)
{
  if (field.find_first_not_of("*-/") == std::string_view::npos) return true;
  const auto value = number_of(field);
  return value && (*value <= -999 || *value == 99999);
}

Row row_of(const Line& line, const std::vector<TextColumn>& columns, const std::string& name)
{
  Row row;
  row.line = line.number;
  const auto fields = fields_of(line.text, columns);
  for (std::size_t n = 0; n < columns.size(); ++n) {
    double* place = place_of(row, columns[n].name);
    if (place == nullptr || is_missing(fields[n])) continue;
    const auto value = number_of(fields[n]);
    if (!value)
      refuse(name, line.number,
             fmt::format("a number is expected in column {}, not {}", columns[n].name,
                         quoted(fields[n])));
    *place = *value;
  }
  return row;
}

/// True of the text after a table: an empty line, a tag, or words.
bool ends_table(std::string_view text)
{
  const auto words = words_of(text);
  return words.empty() || words[0][0] == '<' || words[0] == "Station" || words[0] == "Description";
}

std::vector<Row> wyoming_rows(const std::vector<Line>& lines, std::size_t header,
                              const std::string& name)
{
  const auto columns = columns_of(lines[header].text);
  std::size_t n = header + 1;
  while (n < lines.size() && lines[n].text.find("---") == std::string_view::npos) ++n;
  if (n >= lines.size())
    refuse(name, lines[header].number, "a line of dashes is expected below the names of columns");
  std::vector<Row> rows;
  for (++n; n < lines.size() && !ends_table(lines[n].text); ++n) {
    const Row row = row_of(lines[n], columns, name);
    if (std::isnan(row.pressure) || std::isnan(row.height))
      refuse(name, lines[n].number, "a pressure and a height are expected");
    if (!std::isnan(row.temperature)) rows.push_back(row);
  }
  if (rows.size() < 2)
    refuse(name, lines[header].number,
           fmt::format("two levels with temperatures are expected below, not {}", rows.size()));
  return rows;
}

/// Fills numbers that are none: linear in height between others, that of the nearest beyond them.
void fill(const std::vector<Row>& rows, std::vector<double>& values, const std::string& name,
          const char* what)
{
  std::vector<std::size_t> known;
  for (std::size_t n = 0; n < values.size(); ++n)
    if (!std::isnan(values[n])) known.push_back(n);
  if (known.empty())
    refuse(name, rows.front().line, fmt::format("{} is expected in some level", what));
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto next = std::lower_bound(known.begin(), known.end(), n);
    if (next == known.end()) {
      values[n] = values[known.back()];
    } else if (next == known.begin()) {
      values[n] = values[known.front()];
    } else if (*next != n) {
      const std::size_t a = *(next - 1), b = *next;
      const double part = (rows[n].height - rows[a].height) / (rows[b].height - rows[a].height);
      values[n] = values[a] + part * (values[b] - values[a]);
    }
  }
}

void check_rows(const std::vector<Row>& rows, const std::string& name)
{
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (!(rows[n].pressure > 0))
      refuse(name, rows[n].line,
             fmt::format("PRES is {}: above 0 hPa is expected", rows[n].pressure));
    if (!(rows[n].temperature > -150 && rows[n].temperature < 100))
      refuse(name, rows[n].line,
             fmt::format("TEMP is {}: -150 to 100 C are expected", rows[n].temperature));
    if (n == 0) continue;
    if (!(rows[n].height > rows[n - 1].height))
      refuse(name, rows[n].line,
             fmt::format("the height {:.6g} m is not above that of the level before, {:.6g} m",
                         rows[n].height, rows[n - 1].height));
    if (!(rows[n].pressure < rows[n - 1].pressure))
      refuse(name, rows[n].line,
             fmt::format("the pressure {:.6g} hPa is not below that of the level before, {:.6g}",
                         rows[n].pressure, rows[n - 1].pressure));
  }
}

double vapour_of(const Row& row, const std::string& name, const SoundingConstants& c)
{
  if (std::isnan(row.dew_point)) return row.mixing / 1e3;
  if (row.dew_point > row.temperature + 0.05)
    refuse(name, row.line,
           fmt::format("DWPT {} is above TEMP {}: at most saturated air is expected", row.dew_point,
                       row.temperature));
  return saturation_ratio(100 * row.pressure, row.dew_point + celsius, c);
}

Sounding wyoming(const std::vector<Line>& lines, std::size_t header, const std::string& name,
                 const SoundingConstants& c)
{
  const auto rows = wyoming_rows(lines, header, name);
  check_rows(rows, name);
  std::vector<double> r, u, v;
  for (const Row& row : rows) {
    const double speed = std::isnan(row.speed) ? row.knots * knot : row.speed;
    r.push_back(vapour_of(row, name, c));
    u.push_back(-speed * std::sin(row.direction * degree));
    v.push_back(-speed * std::cos(row.direction * degree));
  }
  fill(rows, r, name, "a dew point (DWPT)");
  fill(rows, u, name, "a wind (DRCT and SKNT)");
  fill(rows, v, name, "a wind (DRCT and SKNT)");
  Sounding s{name, {}};
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double p = 100 * rows[n].pressure, t = rows[n].temperature + celsius;
    const double most = saturation_ratio(p, t, c);
    const double vapour = std::isnan(rows[n].dew_point) ? std::min(r[n], most) : r[n];
    s.levels.push_back({rows[n].height - rows[0].height, p, t, vapour, u[n], v[n]});
  }
  return s;
}

/// The numbers of a line, of which `count` are expected.
std::vector<double> numbers_of(const Line& line, std::size_t count, const char* what,
                               const std::string& name)
{
  const auto words = words_of(line.text);
  if (words.size() < count)
    refuse(name, line.number,
           fmt::format("{} numbers are expected ({}), not {}", count, what, words.size()));
  std::vector<double> numbers;
  for (std::size_t n = 0; n < count; ++n) {
    const auto value = number_of(words[n]);
    if (!value)
      refuse(name, line.number,
             fmt::format("a number is expected ({}), not {}", what, quoted(words[n])));
    numbers.push_back(*value);
  }
  return numbers;
}

void check_point(bool good, const std::string& name, const Line& line, const char* what,
                 double value, const char* expected)
{
  if (!good) refuse(name, line.number, fmt::format("{} is {}: {} expected", what, value, expected));
}

/// Theta and r of a line, in K and g/kg, are in range.
void check_air(double theta, double vapour, const std::string& name, const Line& line)
{
  check_point(theta > 150 && theta < 5000, name, line, "theta", theta, "150 to 5000 K are");
  check_point(vapour >= 0 && vapour < 100, name, line, "qv", vapour, "0 to 100 g/kg are");
}

struct Points
{
  std::vector<double> height, theta, vapour, u, v;

  void add(double z, double t, double r, double along_x, double along_y)
  {
    height.push_back(z);
    theta.push_back(t);
    vapour.push_back(r);
    u.push_back(along_x);
    v.push_back(along_y);
  }
};

Points points_of(const std::vector<Line>& lines, double theta, double vapour,
                 const std::string& name)
{
  Points points;
  for (const Line& line : lines) {
    const auto level = numbers_of(line, 5, "z m, theta K, qv g/kg, u m/s, v m/s", name);
    check_air(level[1], level[2], name, line);
    if (points.height.empty()) {
      points.add(0, theta, vapour, level[3], level[4]);
      if (level[0] == 0) continue;  // the surface again: its wind
    }
    if (!(level[0] > points.height.back()))
      refuse(name, line.number,
             fmt::format("the height {:.6g} m is not above that of the level before, {:.6g} m",
                         level[0], points.height.back()));
    points.add(level[0], level[1], level[2] / 1e3, level[3], level[4]);
  }
  return points;
}

Sounding input_sounding(const std::vector<Line>& all, const std::string& name,
                        const SoundingConstants& c)
{
  std::vector<Line> lines;
  for (const Line& line : all)
    if (!words_of(line.text).empty()) lines.push_back(line);
  const auto surface = numbers_of(lines[0], 3, "surface pressure hPa, theta K, qv g/kg", name);
  check_point(surface[0] > 300 && surface[0] < 1200, name, lines[0], "the surface pressure",
              surface[0], "300 to 1200 hPa are");
  check_air(surface[1], surface[2], name, lines[0]);
  const Line first = lines[0];
  lines.erase(lines.begin());
  const Points points = points_of(lines, surface[1], surface[2] / 1e3, name);
  if (points.height.size() < 2) refuse(name, first.number, "two levels or more are expected below");
  const auto profile = linear_profile(points.height, points.theta, points.vapour,
                                      points.height.back(), 100 * surface[0], c);
  Sounding s{name, {}};
  for (std::size_t n = 0; n < points.height.size(); ++n) {
    const auto air = profile.at(points.height[n]);
    s.levels.push_back({points.height[n], air.pressure, air.temperature, points.vapour[n],
                        points.u[n], points.v[n]});
  }
  return s;
}

bool is_header(std::string_view text)
{
  const auto words = words_of(text);
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  return has("PRES") && has("HGHT") && has("TEMP");
}

}  // namespace

Sounding parse_sounding(const std::string& text, const std::string& name,
                        const SoundingConstants& c)
{
  const auto lines = lines_of(text);
  for (std::size_t n = 0; n < lines.size(); ++n)
    if (is_header(lines[n].text)) return wyoming(lines, n, name, c);
  for (const Line& line : lines) {
    const auto words = words_of(line.text);
    if (words.empty()) continue;
    if (words.size() >= 3 && number_of(words[0])) return input_sounding(lines, name, c);
    refuse(name, line.number,
           "a sounding is expected: a table with PRES HGHT TEMP, or an input_sounding that starts "
           "with surface pressure, theta, qv; found " +
               quoted(line.text));
  }
  refuse(name, 1, "a sounding is expected, and the file is empty");
}

Sounding read_sounding(const std::string& path, const SoundingConstants& c)
{
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(path + ": cannot be opened: a sounding is expected");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad() || (text.empty() && !file.eof()))
    throw UsageError(path + ": cannot be read: a sounding is expected");
  if (text.starts_with("\x89HDF") || text.starts_with("CDF"))
    throw InputError(path + ": netCDF and HDF5 are not read: text columns are expected");
  return parse_sounding(text, path, c);
}

std::string to_input_sounding(const Sounding& sounding, const SoundingConstants& c)
{
  const SoundingLevel& ground = sounding.levels.front();
  std::string text = fmt::format("{:.6f} {:.8f} {:.8f}\n", ground.pressure / 100,
                                 potential_temperature(ground, c), 1e3 * ground.vapour);
  for (const SoundingLevel& l : sounding.levels)
    text += fmt::format("{:.4f} {:.8f} {:.8f} {:.6f} {:.6f}\n", l.height,
                        potential_temperature(l, c), 1e3 * l.vapour, l.u, l.v);
  return text;
}

}  // namespace helicity::weather
