// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gpu_rows {

/// Texts without tabs and newlines.
using Fields = std::vector<std::string>;
using Send = std::function<void(const Fields&)>;

/// How a process ended: its exit code, and in words what is wrong unless it was 0.
struct Ending
{
  int code = 0;
  std::string problem;
};

/// Runs `work` in a process of its own, since an error of CUDA that sticks ends all work of its
/// process on a device; `receive` gets here what it sends there, at once. What work throws is the
/// problem. This process must not have used CUDA. @throws RuntimeFault if none can be started
Ending run_apart(const std::function<int(const Send&)>& work, const Send& receive);

}  // namespace gpu_rows
