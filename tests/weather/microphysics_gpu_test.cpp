// SPDX-License-Identifier: Apache-2.0
// CUDA gives the bits of the CPU.
#include "moist.hpp"

#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace helicity::test {
namespace {

using weather::Scheme;

template <class T>
class OnDevice
{
 public:
  OnDevice(const std::vector<T>& host, const Stream& stream)
      : there_(MemoryKind::device, host.size(), stream.exec()),
        here_(MemoryKind::pinned, host.size())
  {
    std::copy(host.begin(), host.end(), here_.data());
    copy(there_, here_, host.size(), stream.exec());
  }

  T* data() { return there_.data(); }

  std::vector<T> fetch(Stream& stream)
  {
    copy(here_, there_, here_.size(), stream.exec());
    stream.synchronize();
    return {here_.data(), here_.data() + here_.size()};
  }

 private:
  Buffer<T> there_, here_;
};

template <class T>
void check(Scheme scheme, Index3 cells, bool hilly)
{
  MoistBox<T> box(cells, hilly, scheme);
  Stream stream(0);
  OnDevice<T> block(box.block, stream);
  OnDevice<weather::Level<T>> levels(box.levels, stream);
  const auto d = box.dynamics(block.data(), levels.data());
  const auto w = box.water(block.data());
  for (const double step : {5.0, 90.0}) {
    weather::moist_physics(stream.exec(), d, w, box.physics(step));
    weather::keep_velocities(stream.exec(), d, w);
    box.run(Cpu{1}, step);
    EXPECT_TRUE(block.fetch(stream) == box.block) << "scheme " << static_cast<int>(scheme);
  }
}

TEST(MicrophysicsGpu, has_the_bits_of_the_cpu)
{
  if (device_count() == 0) GTEST_SKIP() << "no CUDA device";
  for (const Scheme scheme :
       {Scheme::condensation, Scheme::kessler, Scheme::klemp_wilhelmson, Scheme::ice})
  {
    check<float>(scheme, {21, 3, 5}, true);
    check<double>(scheme, {21, 3, 5}, false);
    check<float>(scheme, {33, 1, 7}, false);
    check<double>(scheme, {33, 1, 7}, true);
  }
}

}  // namespace
}  // namespace helicity::test
