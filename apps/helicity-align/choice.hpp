// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <vector>

namespace helicity::app {

/// A word of the command line and what it means.
template <class T>
struct Choice
{
  std::string_view name;
  T value;
};

/// What `text` means. @throws UsageError naming the option, all choices and the nearest one
template <class T>
T choose(std::string_view option, std::string_view text, std::span<const Choice<T>> choices)
{
  std::vector<std::string_view> names;
  for (const Choice<T>& choice : choices) {
    if (choice.name == text) return choice.value;
    names.push_back(choice.name);
  }
  throw UsageError(fmt::format("{}: unknown value '{}'{}; known: {}", option, text,
                               did_you_mean(text, names), join(names, ", ")));
}

}  // namespace helicity::app
