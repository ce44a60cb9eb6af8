// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::job {

/// How a value must stand to its target.
enum class Test : unsigned char {
  within,    ///< |value - target| <= tolerance
  at_least,  ///< value >= target
  at_most    ///< value <= target
};

/// One line of a validation: a published or exact number and ours.
struct Gate
{
  std::string case_name;  ///< "cavity Re 100, 128 x 128"
  std::string quantity;   ///< "u on x = 1/2, largest deviation"
  double value = 0;
  double target = 0;
  double tolerance = 0;
  Test test = Test::within;

  HELICITY_EXPORT bool pass() const;
};

/// A table for people, with the number of gates that failed below.
HELICITY_EXPORT std::string table(const std::vector<Gate>& gates);

/// A list of {case, quantity, value, target, tolerance, pass}; for at_least and at_most the
/// tolerance is 0 and a key "test" says so.
HELICITY_EXPORT std::string to_json(const std::vector<Gate>& gates);

HELICITY_EXPORT bool all_pass(const std::vector<Gate>& gates);

/// @throws UsageError if one of `wanted` is not known, with the nearest
HELICITY_EXPORT void require_gates(const std::vector<std::string_view>& known,
                                   const std::vector<std::string>& wanted);

/// Calls run(part) for the parts of a validation, each with a name, that are wanted: all, if no
/// name is. @throws UsageError for a name that no part has, with the nearest
template <class Parts, class Run>
void run_parts(const Parts& parts, const std::vector<std::string>& wanted, Run&& run)
{
  std::vector<std::string_view> known;
  for (const auto& part : parts) known.push_back(part.name);
  require_gates(known, wanted);
  for (const auto& part : parts)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), part.name) != wanted.end())
      run(part);
}

}  // namespace helicity::job
