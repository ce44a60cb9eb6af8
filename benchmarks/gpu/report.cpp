// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"

#include <helicity/core/error.hpp>
#include <helicity/core/version.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

namespace gpu_rows {

using helicity::RuntimeFault;

namespace {

std::string quoted(const std::string& text)
{
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string json(const Row& row)
{
  return fmt::format(
      R"({{"kernel": {}, "size": {}, "value": {:.6g}, "unit": {}, "ceiling": {:.6g}, "limit": {}}})",
      quoted(row.kernel), quoted(row.size), row.value, quoted(row.unit), row.ceiling,
      quoted(row.limit));
}

template <class T, class Text>
std::string joined(const std::vector<T>& items, Text&& text)
{
  std::string out;
  for (const T& item : items) out += (out.empty() ? "\n    " : ",\n    ") + text(item);
  return out;
}

}  // namespace

void print_head()
{
  fmt::print("| {:40} | {:30} | {:>9} | {:5} | {:>8} | {:>4} | {:16} |\n", "kernel", "size",
             "measured", "unit", "ceiling", "%", "limited by");
  fmt::print("| {:-<40} | {:-<30} | {:->8}: | {:-<5} | {:->7}: | {:->3}: | {:-<16} |\n", "", "", "",
             "", "", "", "");
}

void print_row(const Row& row)
{
  const bool known = row.ceiling > 0;
  fmt::print("| {:40} | {:30} | {:>9.4g} | {:5} | {:>8} | {:>4} | {:16} |\n", row.kernel, row.size,
             row.value, row.unit, known ? fmt::format("{:.4g}", row.ceiling) : "",
             known ? fmt::format("{:.0f}", 100 * row.value / row.ceiling) : "", row.limit);
  std::fflush(stdout);
}

void write_json(const std::string& path, const Bench& bench, const std::vector<Row>& rows,
                const std::vector<std::string>& failures)
{
  std::ofstream file(path);
  file << fmt::format(
      "{{\n  \"version\": {}, \"device\": {}, \"compute_capability\": \"{}.{}\",\n"
      "  \"multiprocessors\": {}, \"clock_mhz\": {:.0f}, \"copy_gb_per_s\": {:.1f},\n"
      "  \"rows\": [{}\n  ],\n  \"failures\": [{}]\n}}\n",
      quoted(std::string(helicity::version())), quoted(bench.device.name), bench.device.major,
      bench.device.minor, bench.device.multiprocessors, 1e-6 * bench.clock, 1e-9 * bench.copy_rate,
      joined(rows, [](const Row& row) { return json(row); }), joined(failures, quoted));
  file.close();
  if (!file) throw RuntimeFault("cannot write " + path);
}

}  // namespace gpu_rows
