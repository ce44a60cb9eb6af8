// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>

#include <gtest/gtest.h>

#include <string>

namespace helicity {
namespace {

TEST(Device, EitherThereAreDevicesOrALineSaysWhyNot)
{
  std::string why;
  const auto found = devices(&why);
  EXPECT_EQ(found.empty(), !why.empty()) << why;
  EXPECT_EQ(why.find('\n'), std::string::npos);
  EXPECT_EQ(device_count(), static_cast<int>(found.size()));
  for (const DeviceInfo& device : found) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_GE(device.major, 7);
    EXPECT_GT(device.multiprocessors, 0);
    EXPECT_FALSE(device.pci_bus_id.empty());
    EXPECT_LE(device.free_memory, device.total_memory);
    EXPECT_EQ(device.free_memory > 0, device.problem.empty()) << device.problem;
    EXPECT_EQ(device.problem, device_problem(device.id));
  }
}

TEST(Device, VersionsOfDriverAndRuntime)
{
  if (device_count() == 0) GTEST_SKIP() << "no CUDA device";
  EXPECT_GE(runtime_version(), 11000);
  EXPECT_GE(driver_version(), 11000);
}

TEST(Resolve, CpuTakesTheThreadsAsked)
{
  Exec exec{.device = Device::cpu, .threads = 3};
  EXPECT_EQ(std::get<Cpu>(resolve(exec)).threads, 3);
  exec.threads = 0;
  EXPECT_EQ(std::get<Cpu>(resolve(exec)).threads, usable_threads());
  exec.threads = -1;
  EXPECT_THROW(resolve(exec), UsageError);
}

TEST(Resolve, AutomaticTakesADeviceThatAnswers)
{
  const std::string problem = device_problem(0);
  std::string why_cpu;
  const auto choice = resolve(Exec{}, &why_cpu);
  EXPECT_EQ(std::holds_alternative<Cuda>(choice), problem.empty());
  EXPECT_EQ(why_cpu, problem);
}

TEST(Resolve, ADeviceThatIsNotThereIsRefusedWithTheReason)
{
  const int absent = device_count();
  EXPECT_TRUE(std::holds_alternative<Cpu>(resolve(Exec{.device_id = absent})));
  try {
    resolve(Exec{.device = Device::cuda, .device_id = absent});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(device_problem(absent)), std::string::npos)
        << error.what();
    EXPECT_FALSE(device_problem(absent).empty());
  }
  EXPECT_THROW(resolve(Exec{.device_id = -1}), UsageError);
}

TEST(Resolve, KeepsTheStreamOfTheCaller)
{
  if (!device_problem(0).empty()) GTEST_SKIP() << device_problem(0);
  auto* const stream = reinterpret_cast<CUstream_st*>(0x10);
  EXPECT_EQ(std::get<Cuda>(resolve(Exec{.stream = stream})).stream, stream);
}

TEST(DeviceGuard, RefusesADeviceThatIsNotThere)
{
  try {
    const DeviceGuard guard(device_count() + 7);
    FAIL();
  } catch (const RuntimeFault& fault) {
    EXPECT_FALSE(std::string(fault.what()).empty());
  }
}

TEST(DeviceGuard, Nests)
{
  if (device_count() < 2) GTEST_SKIP() << "needs two CUDA devices";
  const DeviceGuard first(1);
  {
    const DeviceGuard second(0);
    const DeviceGuard third(1);
  }
  const DeviceGuard again(1);
}

}  // namespace
}  // namespace helicity
