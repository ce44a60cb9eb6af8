// SPDX-License-Identifier: Apache-2.0
// Whatever is done to a state file, its reader says so in one line, the same on every rank, or the
// values are those that were written.
#include <helicity/core/error.hpp>
#include <helicity/io/snapshot.hpp>
#include <helicity/io/state_file.hpp>

#include "shared_folder.hpp"
#include "values.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace helicity::io {
namespace {

using test::on_rank_0;
using test::SharedFolder;
using test::thrown;
using test::world;

constexpr Index3 small{13, 11, 7}, large{90, 80, 41};  // one chunk, several

comm::Decomposition split(Index3 cells) { return {cells, world().size()}; }

void write_state(const std::string& path, Index3 cells)
{
  StateWriter out(path, world(), split(cells));
  out.attribute("step", std::int64_t{7});
  out.attribute("time", 0.1);
  out.attribute("configuration", std::string(300, 'c'));
  out.write("population", test::filled<float>(world(), split(cells), 3));
  out.write("theta", test::filled<double>(world(), split(cells)));
  out.commit();
}

/// Reads all of a state; throws as the reader. Wrong values are failures of the test.
void read_state(const std::string& path, Index3 cells)
{
  StateReader in(path, world(), split(cells));
  in.verify();
  auto population = test::field_of<float>(world(), split(cells), 3);
  auto theta = test::field_of<double>(world(), split(cells));
  in.read("population", population);
  in.read("theta", theta);
  EXPECT_EQ(test::wrong_values(population) + test::wrong_values(theta), 0) << "silently wrong";
  EXPECT_EQ(in.attribute<std::int64_t>("step"), 7);
  EXPECT_EQ(in.attribute<double>("time"), 0.1);
  EXPECT_EQ(in.attribute<std::string>("configuration"), std::string(300, 'c'));
}

/// A state file and what is made of it.
class Damaged
{
 public:
  explicit Damaged(Index3 cells) : cells_(cells)
  {
    write_state(folder_ / "good.h5", cells);
    bytes_ = test::read_file(folder_ / "good.h5");
    read_state(folder_ / "good.h5", cells);
  }

  const std::string& bytes() const { return bytes_; }

  /// What the reader says of these bytes: "none" if nothing, and then the values are right.
  std::string outcome(const std::string& bytes)
  {
    const std::string path = folder_ / "bad.h5";
    on_rank_0([&] { test::write_file(path, bytes); });
    const std::string text = thrown<InputError>([&] { read_state(path, cells_); });
    EXPECT_EQ(text.find("other: "), std::string::npos) << text;
    EXPECT_TRUE(text == "none" || text.find(path) != std::string::npos) << text;
    return text;
  }

  /// Flips one bit; true if that was detected.
  bool flip(std::size_t byte, unsigned bit)
  {
    std::string copy = bytes_;
    copy[byte] = static_cast<char>(copy[byte] ^ (1 << bit));
    const std::string text = outcome(copy);
    EXPECT_FALSE(testing::Test::HasFailure()) << "byte " << byte << " bit " << bit << ": " << text;
    return text != "none";
  }

 private:
  Index3 cells_;
  SharedFolder folder_;
  std::string bytes_;
};

int times(int alone, int together) { return world().size() == 1 ? alone : together; }

TEST(Damage, Truncated)
{
  Damaged file(small);
  const std::size_t size = file.bytes().size();
  std::vector<std::size_t> lengths{0, 1, 7, 8, 9, 47, 48, 49, 95, 96, 511, 512, 513, size - 1};
  for (int n = 1; n < times(60, 12); ++n)
    lengths.push_back(size * static_cast<std::size_t>(n) / static_cast<std::size_t>(times(60, 12)));
  for (const std::size_t length : lengths)
    EXPECT_NE(file.outcome(file.bytes().substr(0, length)), "none") << length;
}

TEST(Damage, RandomBits)
{
  std::mt19937_64 random(2024);
  Damaged file(small);
  int detected = 0;
  const int flips = times(400, 60);
  for (int n = 0; n < flips; ++n)
    detected += file.flip(random() % file.bytes().size(), static_cast<unsigned>(random() % 8));
  EXPECT_GT(detected, flips * 9 / 10);
}

TEST(Damage, BitsOfTheHeader)
{
  std::mt19937_64 random(7);
  Damaged file(small);
  const std::size_t step = static_cast<std::size_t>(times(2, 40));
  for (std::size_t byte = 0; byte < 2048; byte += step)
    file.flip(byte, static_cast<unsigned>(random() % 8));
}

TEST(Damage, BitsOfSeveralChunks)
{
  std::mt19937_64 random(11);
  Damaged file(large);
  for (int n = 0; n < times(30, 6); ++n)
    file.flip(random() % file.bytes().size(), static_cast<unsigned>(random() % 8));
}

TEST(Damage, EveryBit)
{
  if (std::getenv("HELICITY_TEST_EVERY_BIT") == nullptr) GTEST_SKIP() << "long; run by hand";
  Damaged file({5, 4, 3});
  int detected = 0;
  for (std::size_t byte = 0; byte < file.bytes().size(); ++byte)
    for (unsigned bit = 0; bit < 8; ++bit) detected += file.flip(byte, bit);
  std::printf("%d of %zu flips detected\n", detected, 8 * file.bytes().size());
}

TEST(Damage, BytesReplacedAndMoved)
{
  std::mt19937_64 random(5);
  Damaged file(small);
  const std::size_t size = file.bytes().size();
  for (int n = 0; n < times(60, 10); ++n) {
    std::string copy = file.bytes();
    const std::size_t length = std::size_t{1} << (random() % 12);
    const std::size_t to = random() % (size - length), from = random() % (size - length);
    if (n % 2 == 0)
      copy.replace(to, length, file.bytes(), from, length);
    else
      copy.replace(to, length, length, '\0');
    file.outcome(copy);
  }
}

TEST(Damage, OtherFiles)
{
  Damaged file(small);
  EXPECT_NE(file.outcome("").find("not an HDF5 file"), std::string::npos);
  EXPECT_NE(file.outcome("step = 7\n").find("not an HDF5 file"), std::string::npos);
  EXPECT_NE(file.outcome("CDF\1" + std::string(500, '\0')).find("not an HDF5"), std::string::npos);
  const SharedFolder folder;
  const auto refused = [&](const std::string& path) {
    return thrown<InputError>([&] { StateReader(path, world(), split(small)); });
  };
  EXPECT_NE(refused(folder / "").find("not a file"), std::string::npos);
  EXPECT_NE(refused("/dev/null").find("not a file"), std::string::npos);
  SnapshotWriter out(folder / "snapshot", world(), split(small), SnapshotOptions());
  out.begin(0, 0);
  const std::string other = refused(out.end());
  EXPECT_NE(other.find("not a state of Helicity"), std::string::npos) << other;
}

}  // namespace
}  // namespace helicity::io
