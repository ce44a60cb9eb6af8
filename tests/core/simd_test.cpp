// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/simd.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace helicity {
namespace {

class Simd : public testing::Test
{
 protected:
  void TearDown() override
  {
    unsetenv("HELICITY_ISA");
    limit_isa("");
  }
};

TEST_F(Simd, ListsAUsableBaselineFirst)
{
  const auto sets = instruction_sets();
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(sets.front().name, "scalar");
  EXPECT_TRUE(sets.front().usable);
}

TEST_F(Simd, ChoosesTheWidestWithinTheLimit)
{
  std::string_view widest;
  for (const auto& set : instruction_sets()) {
    if (!set.usable) {
      EXPECT_THROW(limit_isa(set.name), UsageError) << set.name;
      continue;
    }
    limit_isa(set.name);
    EXPECT_EQ(chosen_isa().name, set.name);
    EXPECT_EQ(chosen_isa().vector_bits, set.vector_bits);
    widest = set.name;
  }
  limit_isa("");
  EXPECT_EQ(chosen_isa().name, widest);
}

TEST_F(Simd, NamesTheNearestOnATypo)
{
  try {
    limit_isa("avx22");
    FAIL() << "no exception";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("scalar"), std::string::npos) << error.what();
  }
}

TEST_F(Simd, ObeysTheEnvironment)
{
  setenv("HELICITY_ISA", "scalar", 1);
  limit_isa_from_environment();
  EXPECT_EQ(chosen_isa().name, "scalar");
}

}  // namespace
}  // namespace helicity
