// SPDX-License-Identifier: Apache-2.0
// A program outside the project: includes only what is installed, and the standard library.
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>
#include <helicity/core/version.hpp>

#include <iostream>

int main()
{
  try {
    helicity::parse_bytes("nonsense");
    return 1;
  } catch (const helicity::UsageError&) {
    // exceptions cross the library's border with their type
  }
  std::cout << "helicity " << helicity::version() << ", "
            << helicity::build_info().features.size() << " features\n";
}
