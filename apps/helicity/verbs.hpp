// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helicity::app {

/// A program helicity-<name> that was found.
struct Verb
{
  std::string name;
  std::string path;
};

/// All programs named helicity-<verb>, by name: those beside this program win over those on PATH.
std::vector<Verb> find_verbs();

/// One line on what a verb of our own does; empty for others'.
std::string_view describe_verb(std::string_view name);

}  // namespace helicity::app
