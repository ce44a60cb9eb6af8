// SPDX-License-Identifier: Apache-2.0
// What other programs read in snapshots is tested by files_open_test.py.
#include <helicity/core/error.hpp>
#include <helicity/core/log.hpp>
#include <helicity/io/snapshot.hpp>

#include "shared_folder.hpp"
#include "values.hpp"

#include <gtest/gtest.h>

namespace helicity::io {
namespace {

using test::on_rank_0;
using test::SharedFolder;
using test::thrown;
using test::world;

comm::Decomposition split(Index3 cells) { return {cells, world().size()}; }

std::string write_one(SnapshotWriter& out, Index3 cells, std::int64_t step)
{
  out.begin(step, static_cast<double>(step) / 2);
  out.write({"density", "kg m-3", "density"}, test::filled<float>(world(), split(cells)));
  return out.end();
}

TEST(Snapshot, NamesAndCollection)
{
  const SharedFolder folder;
  SnapshotWriter out(folder / "flow", world(), split({8, 4, 2}), SnapshotOptions());
  EXPECT_EQ(write_one(out, {8, 4, 2}, 5), folder / "flow_000000005.h5");
  EXPECT_EQ(write_one(out, {8, 4, 2}, 12345678901), folder / "flow_12345678901.h5");
  EXPECT_EQ(write_one(out, {8, 4, 2}, 7), folder / "flow_000000007.h5");
  const std::string xmf = test::read_file(folder / "flow.xmf");
  const auto at = [&](const std::string& text) { return xmf.find(text); };
  EXPECT_LT(at("flow_000000005.h5:/density"), at("flow_000000007.h5:/density"));
  EXPECT_LT(at("flow_000000007.h5:/density"), at("flow_12345678901.h5:/density"));
  EXPECT_EQ(xmf.find(folder / ""), std::string::npos) << "paths are relative";
  world().barrier();
}

TEST(Snapshot, CollectionOfARestartedRun)
{
  const SharedFolder folder;
  {
    SnapshotWriter out(folder / "flow", world(), split({8, 4, 2}), SnapshotOptions());
    for (const int step : {0, 10, 20}) write_one(out, {8, 4, 2}, step);
  }
  on_rank_0([&] {
    test::write_file(folder / "flow_000000015.h5", "not HDF5");
    test::write_file(folder / "flow_x.h5", "not ours");
    std::filesystem::remove(folder / "flow_000000000.h5");
  });
  SnapshotWriter out(folder / "flow", world(), split({8, 4, 2}), SnapshotOptions());
  int warnings = 0;
  set_log_sink([&](LogKind kind, std::string_view) { warnings += kind == LogKind::warning; });
  write_one(out, {8, 4, 2}, 10);
  set_log_sink({});
  EXPECT_EQ(warnings, world().rank() == 0 ? 1 : 0);
  const std::string xmf = test::read_file(folder / "flow.xmf");
  for (const char* name : {"000000000", "000000015", "flow_x"})
    EXPECT_EQ(xmf.find(name), std::string::npos) << name;
  for (const char* name : {"flow_000000010.h5", "flow_000000020.h5"})
    EXPECT_NE(xmf.find(name), std::string::npos) << name;
  world().barrier();
}

TEST(Snapshot, RefusesMisuse)
{
  const SharedFolder folder;
  const auto boxes = split({4, 4, 4});
  const auto field = test::filled<float>(world(), boxes);
  SnapshotWriter out(folder / "s", world(), boxes, SnapshotOptions());
  EXPECT_THROW(out.end(), UsageError);
  EXPECT_THROW(out.write({"f", "1", "f"}, field), UsageError);
  EXPECT_THROW(out.begin(-1, 0), UsageError);
  out.begin(0, 0);
  EXPECT_THROW(out.begin(1, 0), UsageError);
  out.write({"f", "1", "f"}, field);
  for (const char* name : {"f", "time", "x", "y", "z", "", "2f", "a b", "a/b"})
    EXPECT_THROW(out.write({name, "1", "f"}, field), UsageError) << name;
  out.end();
  EXPECT_THROW(out.end(), UsageError);
}

TEST(Snapshot, WhatIsNotEndedIsRemoved)
{
  const SharedFolder folder;
  {
    SnapshotWriter out(folder / "s", world(), split({4, 4, 4}), SnapshotOptions());
    out.begin(3, 0);
    out.write({"f", "1", "f"}, test::filled<float>(world(), split({4, 4, 4})));
  }
  on_rank_0([&] { EXPECT_TRUE(std::filesystem::is_empty(folder / "")); });
}

TEST(Snapshot, ASmallErrorLeavesTheWriterUsable)
{
  const SharedFolder folder;
  SnapshotWriter out(folder / "later/s", world(), split({4, 4, 4}), SnapshotOptions());
  EXPECT_NE(thrown<RuntimeFault>([&] { out.begin(0, 0); }).find("No such file"), std::string::npos);
  on_rank_0([&] { std::filesystem::create_directory(folder / "later"); });
  write_one(out, {4, 4, 4}, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "later/s_000000000.h5"));
  world().barrier();
}

}  // namespace
}  // namespace helicity::io
