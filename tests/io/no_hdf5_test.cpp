// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/io/raster.hpp>
#include <helicity/io/snapshot.hpp>
#include <helicity/io/state_file.hpp>

#include <gtest/gtest.h>

namespace helicity::io {
namespace {

template <class F>
void refuses(F&& f)
{
  try {
    f();
    ADD_FAILURE();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("built without HDF5"), std::string::npos) << e.what();
  }
}

TEST(NoHdf5, SaysSo)
{
  const comm::Decomposition split({4, 4, 4}, 1);
  refuses([&] { SnapshotWriter("flow", {}, split, {}); });
  refuses([&] { StateWriter("state.h5", {}, split); });
  refuses([&] { StateReader("state.h5", {}, split); });
  refuses([&] { read_mask("mask.h5", "mask", {}, split); });
  refuses([&] { read_raster("ground.nc", ""); });
}

}  // namespace
}  // namespace helicity::io
