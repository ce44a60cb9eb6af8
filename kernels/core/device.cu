// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <support/check.cuh>

#include <algorithm>

namespace helicity {
namespace {

/// Never launched: whether the runtime can load it says whether our code suits a device.
__global__ void probe_kernel() {}

void say(std::string* out, const std::string& text)
{
  if (out) *out = text;
}

std::string version_text(int version)
{
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// One line on why cudaGetDeviceCount failed.
std::string count_problem(cudaError_t error)
{
  const int driver = driver_version();
  if (driver == 0) return "no NVIDIA driver";
  if (error == cudaErrorNoDevice) return "no CUDA device";
  if (error == cudaErrorInsufficientDriver)
    return "the NVIDIA driver serves CUDA " + version_text(driver) + ", this program needs " +
           version_text(runtime_version());
  return std::string("cudaGetDeviceCount: ") + cudaGetErrorString(error);
}

/// One line on why our kernels cannot run on a device that is there.
std::string kernel_problem(int device_id)
{
  cudaError_t error = cudaSetDevice(device_id);
  if (error == cudaSuccess) error = cudaFree(nullptr);  // makes the context
  if (error == cudaSuccess) {
    cudaFuncAttributes attributes;
    error = cudaFuncGetAttributes(&attributes, probe_kernel);
  }
  if (error == cudaSuccess) return "";
  cudaGetLastError();
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device_id);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device_id);
  const std::string capability = std::to_string(major) + "." + std::to_string(minor);
  switch (error) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return "built without code for compute capability " + capability;
    case cudaErrorUnsupportedPtxVersion:
      return "its driver (CUDA " + version_text(driver_version()) + ") is too old for our code";
    default: return std::string("it does not answer: ") + cudaGetErrorString(error);
  }
}

/// Puts back, at its end, whatever device was current; never throws.
class QuietGuard
{
 public:
  QuietGuard() { known_ = cudaGetDevice(&previous_) == cudaSuccess; }
  ~QuietGuard()
  {
    if (known_) cudaSetDevice(previous_);
    cudaGetLastError();
  }

 private:
  int previous_ = 0;
  bool known_ = false;
};

}  // namespace

int driver_version() noexcept
{
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess) cudaGetLastError();
  return version;
}

int runtime_version() noexcept
{
  int version = 0;
  if (cudaRuntimeGetVersion(&version) != cudaSuccess) cudaGetLastError();
  return version;
}

int device_count(std::string* why_none) noexcept
{
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  say(why_none, "");
  if (error == cudaSuccess && count > 0) return count;
  cudaGetLastError();
  say(why_none, error == cudaSuccess ? "no CUDA device" : count_problem(error));
  return 0;
}

std::string device_problem(int device_id)
{
  std::string why_none;
  const int count = device_count(&why_none);
  if (count == 0) return why_none;
  if (device_id < 0 || device_id >= count)
    return count == 1 ? "the only device is 0" : "devices are 0 to " + std::to_string(count - 1);
  const QuietGuard guard;
  return kernel_problem(device_id);
}

std::vector<DeviceInfo> devices(std::string* why_none)
{
  std::vector<DeviceInfo> found(static_cast<std::size_t>(device_count(why_none)));
  const QuietGuard guard;
  for (std::size_t k = 0; k < found.size(); ++k) {
    DeviceInfo& info = found[k];
    info.id = static_cast<int>(k);
    cudaDeviceProp properties{};
    if (const auto error = cudaGetDeviceProperties(&properties, info.id); error != cudaSuccess) {
      info.problem = std::string("cudaGetDeviceProperties: ") + cudaGetErrorString(error);
      continue;
    }
    info.name = properties.name;
    info.major = properties.major;
    info.minor = properties.minor;
    info.total_memory = properties.totalGlobalMem;
    info.multiprocessors = properties.multiProcessorCount;
    char bus_id[32] = "";
    if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, info.id) == cudaSuccess) {
      info.pci_bus_id = bus_id;
      std::transform(info.pci_bus_id.begin(), info.pci_bus_id.end(), info.pci_bus_id.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    }
    info.problem = kernel_problem(info.id);
    std::size_t free = 0, total = 0;
    if (info.problem.empty() && cudaMemGetInfo(&free, &total) == cudaSuccess)
      info.free_memory = free;
  }
  return found;
}

DeviceGuard::DeviceGuard(int device_id)
{
  HELICITY_CUDA(cudaGetDevice(&previous_));
  if (previous_ == device_id) return;
  if (cudaSetDevice(device_id) != cudaSuccess) {
    cudaGetLastError();
    const std::string problem = device_problem(device_id);
    throw RuntimeFault("cannot use CUDA device " + std::to_string(device_id) + ": " + problem);
  }
  changed_ = true;
}

DeviceGuard::~DeviceGuard()
{
  if (changed_ && cudaSetDevice(previous_) != cudaSuccess) cudaGetLastError();
}

}  // namespace helicity
