// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/memory_usage.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace helicity {
namespace {

TEST(MemoryUsage, SeesWhatIsTouched)
{
  constexpr std::size_t size = std::size_t{64} << 20;
  {
    const std::vector<char> block(size, 'x');
    ASSERT_EQ(block.back(), 'x');
    EXPECT_GE(peak_resident_bytes(), size);
  }
  EXPECT_GE(peak_resident_bytes(), size);  // a peak stays
  EXPECT_LT(peak_resident_bytes(), std::size_t{1} << 40);
}

TEST(MemoryUsage, KnowsWhatIsLeft) { EXPECT_GT(available_bytes(), std::size_t{1} << 20); }

}  // namespace
}  // namespace helicity
