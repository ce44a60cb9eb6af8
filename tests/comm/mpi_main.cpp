// SPDX-License-Identifier: Apache-2.0
#include "mpi_main.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

namespace helicity::test {
namespace {

const comm::Session* the_session = nullptr;

/// What ranks other than 0 print: failures.
class Failures : public testing::EmptyTestEventListener
{
  void OnTestPartResult(const testing::TestPartResult& result) override
  {
    if (!result.failed()) return;
    const char* file = result.file_name() ? result.file_name() : "unknown file";
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", world().rank(), file, result.line_number(),
                 result.message());
  }
};

}  // namespace

const comm::Session& session() { return *the_session; }
const comm::Communicator& world() { return the_session->world(); }

}  // namespace helicity::test

/// Exit codes as gtest_main.cpp, the same on every rank: a failure of one is a failure of all.
int main(int argc, char** argv)
{
  const helicity::comm::Session session(argc, argv);
  helicity::test::the_session = &session;
  testing::InitGoogleTest(&argc, argv);
  auto& run = *testing::UnitTest::GetInstance();
  if (session.world().rank() != 0) {
    delete run.listeners().Release(run.listeners().default_result_printer());
    run.listeners().Append(new helicity::test::Failures);  // which GoogleTest owns
  }
  const auto failed = session.world().max(static_cast<std::int64_t>(RUN_ALL_TESTS()));
  const bool only_skips = run.successful_test_count() == 0 && run.skipped_test_count() > 0;
  const bool skipped = !session.world().any(!only_skips);
  return failed != 0 ? 1 : skipped ? 77 : 0;
}
