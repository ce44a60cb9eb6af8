// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

TEST(Parasail, Missing)
{
  GTEST_SKIP()
      << "parasail was not found when this was configured (apt-get install libparasail-dev)";
}
