// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>

#include <fmt/format.h>

namespace helicity {

std::variant<Cpu, Cuda> resolve(const Exec& exec, std::string* why_cpu)
{
  if (why_cpu) why_cpu->clear();
  if (exec.device_id < 0) throw UsageError(fmt::format("device {} is not one", exec.device_id));
  const Cpu cpu{resolve_threads(exec.threads)};
  if (exec.device == Device::cpu) return cpu;

  std::string problem = device_problem(exec.device_id);
  if (problem.empty()) return Cuda{exec.device_id, exec.stream};
  if (exec.device == Device::cuda)
    throw UsageError(fmt::format("cannot run on CUDA device {}: {}", exec.device_id, problem));
  if (why_cpu) *why_cpu = std::move(problem);
  return cpu;
}

}  // namespace helicity
