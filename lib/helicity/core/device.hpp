// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace helicity {

/// A CUDA device as the runtime describes it.
struct DeviceInfo
{
  int id = 0;  ///< CUDA ordinal, as Exec::device_id
  std::string name;
  int major = 0;  ///< compute capability
  int minor = 0;
  std::size_t total_memory = 0;  ///< bytes
  std::size_t free_memory = 0;   ///< bytes; 0 if the device does not answer
  int multiprocessors = 0;
  std::string pci_bus_id;  ///< "0000:3b:00.0"
  std::string problem;     ///< why our kernels cannot run on it, in one line; empty if they can
};

/// The CUDA devices of this process. Whatever keeps them from being seen (no driver, one older than
/// the runtime, no device, a library built without CUDA) makes an empty list and a line in
/// `why_none`, never an exception.
/// @note makes a context on each device: that takes a while and some hundred MB of its memory
HELICITY_EXPORT std::vector<DeviceInfo> devices(std::string* why_none = nullptr);

/// How many devices there are, as devices(), but without a context.
HELICITY_EXPORT int device_count(std::string* why_none = nullptr) noexcept;

/// Why our kernels cannot run on a device, in one line: it is not there, does not answer, or no
/// code was built for it; empty if they can. Makes a context on it.
HELICITY_EXPORT std::string device_problem(int device_id);

/// Newest CUDA version the driver serves, 1000 * major + 10 * minor; 0 without a driver.
HELICITY_EXPORT int driver_version() noexcept;

/// CUDA version of the runtime we use, alike; 0 if the library was built without CUDA.
HELICITY_EXPORT int runtime_version() noexcept;

/// Makes a choice of device definite: `automatic` becomes the CUDA device if it can run our
/// kernels, else the CPU.
/// @param why_cpu  set to why `automatic` became the CPU; empty otherwise
/// @throws UsageError if `cuda` is asked and the device is not there or cannot run our kernels,
/// with
///   the reason; if exec.threads or exec.device_id make no sense
HELICITY_EXPORT std::variant<Cpu, Cuda> resolve(const Exec& exec, std::string* why_cpu = nullptr);

/// Makes a device current for the calling thread, and what was current again at its end.
class HELICITY_EXPORT DeviceGuard
{
 public:
  /// @throws RuntimeFault if there is no such device or the library was built without CUDA
  explicit DeviceGuard(int device_id);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int previous_ = 0;
  bool changed_ = false;
};

}  // namespace helicity
