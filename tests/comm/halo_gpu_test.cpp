// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/halo.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/stream.hpp>

#include "halo_case.hpp"
#include "mpi_main.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

/// What an MPI library that takes device memory says: so does this program, if it is told to.
extern "C" __attribute__((visibility("default"))) int MPIX_Query_cuda_support()
{
  return std::getenv("HELICITY_TEST_CUDA_AWARE") != nullptr;
}

namespace helicity::comm {
namespace {

using test::session;
using test::world;

struct HaloGpu : testing::Test
{
  void SetUp() override
  {
    if (device_count() == 0) GTEST_SKIP() << "no CUDA device";
    const auto shared = session().executor({.device = Device::cuda}, {.share_gpu = true});
    stream.emplace(std::get<Cuda>(shared).device_id);
    executor = stream->exec();
    transport = choose_transport(world(), executor, TransportRequest::automatic, &why);
  }

  std::optional<Stream> stream;
  Executor executor;
  Transport transport = Transport::staged;
  std::string why;
};

TEST_F(HaloGpu, TheTransportIsWhatMpiSays)
{
  const bool aware = MPIX_Query_cuda_support() != 0 && world().size() > 1;
  EXPECT_EQ(transport, aware ? Transport::direct : Transport::staged) << why;
  EXPECT_FALSE(why.empty());
  EXPECT_EQ(choose_transport(world(), executor, TransportRequest::off), Transport::staged);
  if (aware || world().size() == 1) return;
  EXPECT_THROW(choose_transport(world(), executor, TransportRequest::on), UsageError);
}

TEST_F(HaloGpu, EveryCellOfEveryArrangement)
{
  for (const auto& c : test::halo_cases(world().size())) test::check_halo(c, executor, transport);
}

TEST_F(HaloGpu, HalosMayBeSentAndOwnedCellsReceive) { test::check_reverse(executor, transport); }

TEST_F(HaloGpu, ManyRoundsAndTwoAtOnce) { test::check_rounds(executor, transport); }

}  // namespace
}  // namespace helicity::comm
