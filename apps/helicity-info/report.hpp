// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/device.hpp>
#include <helicity/core/simd.hpp>
#include <helicity/core/version.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace helicity::app {

/// What helicity-info tells.
struct Report
{
  BuildInfo build;
  std::vector<InstructionSet> instruction_sets;
  InstructionSet chosen;
  int threads = 0;
  std::size_t available_memory = 0;
  std::vector<DeviceInfo> devices;
  std::string why_no_device;  ///< empty if there is one
  int driver = 0;             ///< CUDA version, 1000 * major + 10 * minor; 0: none
  int runtime = 0;
};

/// Asks the library, the machine and the driver.
Report gather();

std::string to_text(const Report& report);

/// One object, indented, with a final newline.
std::string to_json(const Report& report);

}  // namespace helicity::app
