// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/job/gates.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace helicity::job {
namespace {

const char* name_of(Test test)
{
  return test == Test::within ? "within" : test == Test::at_least ? "at least" : "at most";
}

std::string demand(const Gate& gate)
{
  if (gate.test == Test::within)
    return fmt::format("{:.6g} +- {:.3g}", gate.target, gate.tolerance);
  return fmt::format("{} {:.6g}", gate.test == Test::at_least ? ">=" : "<=", gate.target);
}

}  // namespace

bool Gate::pass() const
{
  if (test == Test::at_least) return value >= target;
  if (test == Test::at_most) return value <= target;
  return std::fabs(value - target) <= tolerance;
}

bool all_pass(const std::vector<Gate>& gates)
{
  return std::all_of(gates.begin(), gates.end(), [](const Gate& g) { return g.pass(); });
}

std::string table(const std::vector<Gate>& gates)
{
  std::size_t first = 4, second = 8;
  for (const Gate& g : gates) {
    first = std::max(first, g.case_name.size());
    second = std::max(second, g.quantity.size());
  }
  std::string text;
  for (const Gate& g : gates)
    text += fmt::format("{}  {:<{}}  {:<{}}  {:>13.6g}  {}\n", g.pass() ? "pass" : "FAIL",
                        g.case_name, first, g.quantity, second, g.value, demand(g));
  const auto failed =
      std::count_if(gates.begin(), gates.end(), [](const Gate& g) { return !g.pass(); });
  text +=
      fmt::format("{} of {} pass\n", gates.size() - static_cast<std::size_t>(failed), gates.size());
  return text;
}

std::string to_json(const std::vector<Gate>& gates)
{
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Gate& g : gates) {
    nlohmann::ordered_json line{{"case", g.case_name},      {"quantity", g.quantity},
                                {"value", g.value},         {"target", g.target},
                                {"tolerance", g.tolerance}, {"pass", g.pass()}};
    if (g.test != Test::within) line["test"] = name_of(g.test);
    list.push_back(std::move(line));
  }
  return list.dump(2) + "\n";
}

void require_gates(const std::vector<std::string_view>& known,
                   const std::vector<std::string>& wanted)
{
  for (const std::string& name : wanted)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(fmt::format("'{}' has no gates{}", name, did_you_mean(name, known)));
}

}  // namespace helicity::job
