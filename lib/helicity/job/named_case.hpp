// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>

#include <string>
#include <string_view>
#include <vector>

/// Lists of {name, summary, make}: the cases of a solver that can be named.
namespace helicity::job {

template <class Cases>
std::vector<std::string> case_names(const Cases& cases)
{
  std::vector<std::string> names;
  for (const auto& c : cases) names.emplace_back(c.name);
  return names;
}

/// The configuration of a case. @throws UsageError for an unknown name, with the nearest
template <class Cases>
auto named_case(const Cases& cases, std::string_view name)
{
  for (const auto& c : cases)
    if (c.name == name) return c.make();
  const std::vector<std::string> names = case_names(cases);
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw UsageError("unknown case '" + std::string(name) + "'" + did_you_mean(name, known) +
                   "; known: " + join(known, ", "));
}

}  // namespace helicity::job
