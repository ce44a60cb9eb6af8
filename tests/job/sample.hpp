// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/job/config.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace helicity::test {

struct Solid
{
  std::string kind = "sphere";
  double radius = 0.5;
  double centre[3] = {0, 0, 0};
  std::string material = "steel";

  friend bool operator==(const Solid&, const Solid&) = default;
};

/// A configuration with a key of each kind.
struct Sample
{
  std::string title = "a sample";
  std::int64_t cells[3] = {64, 64, 32};
  std::int64_t seed = 7;
  double step = 0.01;
  double length = 2;
  double speed = 1.5;
  double viscosity = 0.1;
  double gravity[3] = {0, 0, -9.81};
  double density = 1000;
  double ratio = 0.5;
  std::string collision = "srt";
  bool compress = false;
  std::vector<std::string> variables = {"density"};
  std::vector<Solid> solids;

  friend bool operator==(const Sample&, const Sample&) = default;
};

job::Schema schema_of(Sample& sample);

/// What a call throws as a UsageError, or "".
template <class Call>
std::string message_of(Call&& call)
{
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace helicity::test
