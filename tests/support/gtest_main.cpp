// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

/// Exit codes: GoogleTest's own, and 77 ("skipped" to CTest) if every test that ran was skipped.
int main(int argc, char** argv)
{
  testing::InitGoogleTest(&argc, argv);
  const int code = RUN_ALL_TESTS();
  const auto& run = *testing::UnitTest::GetInstance();
  const bool only_skips = run.successful_test_count() == 0 && run.skipped_test_count() > 0;
  return code == 0 && only_skips ? 77 : code;
}
