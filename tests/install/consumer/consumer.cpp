// SPDX-License-Identifier: Apache-2.0
// A program outside the project: includes only what is installed, and the standard library.
#include <helicity/align/aligner.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/version.hpp>

#include <iostream>
#include <vector>

int main()
{
  namespace ha = helicity::align;
  ha::Config config;
  config.exec.device = helicity::Device::cpu;
  try {
    config.exec.threads = -1;
    const ha::Aligner refused(config);
    return 1;
  } catch (const helicity::UsageError&) {
    config.exec.threads = 1;  // exceptions cross the library's border with their type
  }
  ha::Aligner aligner(config);
  const std::vector<ha::Pair> pairs{{"GATTACA", "GATTACA"}, {"ACGT", "AGT"}};
  const auto scores = aligner.score(pairs);
  std::cout << "helicity " << helicity::version() << ": " << scores[0] << ' ' << scores[1] << '\n';
  return scores[0] > scores[1] ? 0 : 1;
}
