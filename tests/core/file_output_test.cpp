// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/file_output.hpp>

#include <support/temporary.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <type_traits>
#include <utility>

namespace helicity {
namespace {

using test::TemporaryFolder;
static_assert(std::is_nothrow_move_constructible_v<FileOutput>);
static_assert(!std::is_copy_constructible_v<FileOutput>);

std::ptrdiff_t files_in(const TemporaryFolder& folder)
{
  const std::filesystem::directory_iterator files(folder.path());
  return std::distance(begin(files), end(files));
}

TEST(FileOutput, AppearsOnCommit)
{
  const TemporaryFolder folder;
  FileOutput out(folder / "a.tsv");
  out.write("one\n");
  out.write("two\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.tsv"));
  out.commit();
  EXPECT_EQ(test::read_file(folder / "a.tsv"), "one\ntwo\n");
  EXPECT_EQ(files_in(folder), 1);
}

TEST(FileOutput, LeavesNothingWithoutCommit)
{
  const TemporaryFolder folder;
  FileOutput(folder / "a.tsv").write("half");
  EXPECT_EQ(files_in(folder), 0);
}

TEST(FileOutput, KeepsTheOldFileWithoutCommit)
{
  const TemporaryFolder folder;
  test::write_file(folder / "a.tsv", "old");
  FileOutput(folder / "a.tsv").write("new");
  EXPECT_EQ(test::read_file(folder / "a.tsv"), "old");
  FileOutput out(folder / "a.tsv");
  out.write("new");
  out.commit();
  EXPECT_EQ(test::read_file(folder / "a.tsv"), "new");
}

TEST(FileOutput, Moves)
{
  const TemporaryFolder folder;
  FileOutput first(folder / "a");
  first.write("a");
  FileOutput second = std::move(first);
  second.write("b");
  second.commit();
  EXPECT_EQ(test::read_file(folder / "a"), "ab");
}

TEST(FileOutput, SaysWhatFailed)
{
  const TemporaryFolder folder;
  try {
    FileOutput out(folder / "none/a.tsv");
    FAIL() << "no exception";
  } catch (const RuntimeFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("none/a.tsv: No such file"), std::string::npos)
        << fault.what();
  }
}

TEST(FileOutput, ReportsAFullDisk)
{
  FileOutput out("/dev/full");
  EXPECT_EQ(out.working_path(), "/dev/full");
  out.write("text");
  EXPECT_THROW(out.commit(), RuntimeFault);
}

TEST(FileOutput, RefusesWorkAfterCommit)
{
  FileOutput out("/dev/null");
  out.commit();
  EXPECT_THROW(out.write("more"), Error);
  EXPECT_THROW(out.commit(), Error);
}

}  // namespace
}  // namespace helicity
