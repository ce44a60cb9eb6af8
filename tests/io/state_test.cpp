// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/io/state_file.hpp>

#include "shared_folder.hpp"
#include "values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace helicity::io {
namespace {

using test::on_rank_0;
using test::SharedFolder;
using test::thrown;
using test::world;

comm::Decomposition split(Index3 cells) { return {cells, world().size()}; }

template <class T>
void round_trip(Index3 cells, int components)
{
  const SharedFolder folder;
  const std::string path = folder / "state.h5";
  StateWriter out(path, world(), split(cells));
  out.write("field", test::filled<T>(world(), split(cells), components));
  out.commit();
  StateReader in(path, world(), split(cells));
  auto field = test::field_of<T>(world(), split(cells), components);
  in.read("field", field);
  EXPECT_EQ(test::wrong_values(field), 0);
  in.verify();
}

TEST(State, RoundTripOfEveryType)
{
  round_trip<std::uint8_t>({13, 11, 7}, 1);
  round_trip<std::int32_t>({13, 11, 7}, 2);
  round_trip<std::int64_t>({13, 11, 7}, 3);
  round_trip<float>({13, 11, 7}, 19);
  round_trip<double>({13, 11, 7}, 2);
}

TEST(State, RoundTripOfOddGrids)
{
  round_trip<float>({4, 1, 1}, 1);
  round_trip<double>({1, 1, 5}, 2);
  round_trip<float>({67, 5, 1}, 9);
  round_trip<double>({100, 90, 37}, 2);  // several chunks
}

TEST(State, BitsOfValuesSurvive)
{
  const SharedFolder folder;
  const auto boxes = split({8, 8, 8});
  auto field = test::field_of<double>(world(), boxes);
  const double specials[] = {-0.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::denorm_min(),
                             std::numeric_limits<double>::signaling_NaN()};
  test::for_values(field, [&](int, Index3 local, Index3 global) {
    field.view()[local] = specials[(global.i + global.j + global.k) % 4];
  });
  StateWriter out(folder / "s.h5", world(), boxes);
  out.write("special", field);
  out.commit();
  auto found = test::field_of<double>(world(), boxes);
  StateReader(folder / "s.h5", world(), boxes).read("special", found);
  int wrong = 0;
  test::for_values(field, [&](int, Index3 local, Index3) {
    if (std::memcmp(&field.view()[local], &found.view()[local], sizeof(double)) != 0) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(State, Attributes)
{
  const SharedFolder folder;
  const auto boxes = split({4, 4, 4});
  const Attributes wanted{{"step", std::int64_t{-3}},
                          {"time", 0.1},
                          {"bad", -std::numeric_limits<double>::infinity()},
                          {"empty", std::string()},
                          {"text", std::string("two\nlines, \xc2\xb5m")},
                          {"long", std::string(200000, 'x')},
                          {"kind", std::string("mine")},
                          {"a name with / and spaces", std::int64_t{1}}};
  StateWriter out(folder / "s.h5", world(), boxes);
  for (const auto& [name, value] : wanted) out.attribute(name, value);
  out.attribute("step", std::int64_t{-3});
  out.commit();
  const StateReader in(folder / "s.h5", world(), boxes);
  EXPECT_EQ(in.attributes(), wanted);
  EXPECT_EQ(in.attribute<double>("time"), 0.1);
  EXPECT_NE(thrown<InputError>([&] { in.attribute<double>("step"); }).find("another type"),
            std::string::npos);
  EXPECT_NE(thrown<InputError>([&] { in.attribute<double>("tame"); }).find("tame"),
            std::string::npos);
}

TEST(State, FileAppearsWhole)
{
  const SharedFolder folder;
  const std::string path = folder / "s.h5";
  const auto exists = [&](const std::string& name) { return std::filesystem::exists(name); };
  {
    StateWriter out(path, world(), split({4, 4, 4}));
    out.write("f", test::filled<float>(world(), split({4, 4, 4})));
    EXPECT_FALSE(exists(path));
    EXPECT_TRUE(exists(path + ".tmp"));
    world().barrier();
  }
  world().barrier();
  EXPECT_FALSE(exists(path + ".tmp"));
  EXPECT_FALSE(exists(path));
  world().barrier();
  StateWriter out(path, world(), split({4, 4, 4}));
  out.commit();
  EXPECT_TRUE(exists(path));
  EXPECT_FALSE(exists(path + ".tmp"));
  world().barrier();
}

TEST(State, WriterRefusesMisuse)
{
  const SharedFolder folder;
  const auto boxes = split({4, 4, 4});
  const std::vector<float> block(static_cast<std::size_t>(boxes.box(world().rank()).cells()));
  const auto refuses = [](auto&& f) { EXPECT_THROW(f(), UsageError); };
  StateWriter out(folder / "s.h5", world(), boxes);
  refuses([&] { out.begin_dataset("1st", ElementType::float32, 1); });
  refuses([&] { out.begin_dataset("a/b", ElementType::float32, 1); });
  refuses([&] { out.begin_dataset("attributes", ElementType::float32, 1); });
  refuses([&] { out.begin_dataset("f", ElementType::float32, 0); });
  refuses([&] { out.write_component(0, block.data()); });
  refuses([&] { out.end_dataset(); });
  out.begin_dataset("f", ElementType::float32, 2);
  refuses([&] { out.begin_dataset("g", ElementType::float32, 1); });
  refuses([&] { out.write_component(1, block.data()); });
  out.write_component(0, block.data());
  refuses([&] { out.end_dataset(); });
  refuses([&] { out.commit(); });
  out.write_component(1, block.data());
  refuses([&] { out.write_component(2, block.data()); });
  out.end_dataset();
  refuses([&] { out.begin_dataset("f", ElementType::float32, 2); });
  out.commit();
  refuses([&] { out.commit(); });
  StateReader in(folder / "s.h5", world(), boxes);
  in.verify();
  EXPECT_THROW(
      StateWriter(folder / "t.h5", world(), comm::Decomposition({64, 64, 64}, world().size() + 1)),
      UsageError);
}

TEST(State, WriterNamesWhatTheSystemRefuses)
{
  const SharedFolder folder;
  const auto refused = [](const std::string& path) {
    return thrown<RuntimeFault>([&] { StateWriter(path, world(), split({4, 4, 4})); });
  };
  const std::string missing = refused(folder / "no/such/s.h5");
  EXPECT_NE(missing.find("No such file or directory"), std::string::npos) << missing;
  EXPECT_NE(missing.find("no/such/s.h5"), std::string::npos) << missing;
  on_rank_0([&] { test::write_file(folder / "file", "text"); });
  EXPECT_NE(refused(folder / "file/s.h5").find("Not a directory"), std::string::npos);
  on_rank_0([&] { std::filesystem::create_directory(folder / "folder.h5"); });
  EXPECT_NE(refused(folder / "folder.h5").find("Is a directory"), std::string::npos);
}

TEST(State, ReaderSaysWhatIsWrong)
{
  const SharedFolder folder;
  const auto boxes = split({8, 8, 8});
  StateWriter out(folder / "s.h5", world(), boxes);
  out.write("rho", test::filled<float>(world(), boxes, 2));
  out.commit();
  const auto refused = [](const std::string& path, Index3 cells) {
    return thrown<InputError>([&] { StateReader(path, world(), split(cells)); });
  };
  EXPECT_NE(refused(folder / "none.h5", {8, 8, 8}).find("No such file"), std::string::npos);
  const std::string grid = refused(folder / "s.h5", {8, 8, 16});
  EXPECT_NE(grid.find("8 x 8 x 8 cells; wanted 8 x 8 x 16"), std::string::npos) << grid;
  StateReader in(folder / "s.h5", world(), boxes);
  const auto begin = [&](const char* name, ElementType type, int components) {
    return thrown<InputError>([&] { in.begin_dataset(name, type, components); });
  };
  EXPECT_NE(begin("phi", ElementType::float32, 2).find("has no dataset phi (it has rho)"),
            std::string::npos);
  EXPECT_NE(begin("rho", ElementType::float64, 2).find("wanted 2 of float64"), std::string::npos);
  EXPECT_NE(begin("rho", ElementType::float32, 3).find("wanted 3 of float32"), std::string::npos);
  EXPECT_THROW(in.end_dataset(), UsageError);
  auto field = test::field_of<float>(world(), boxes, 2);
  in.read("rho", field);
  EXPECT_EQ(test::wrong_values(field), 0);
}

TEST(State, AnotherWriterInTheSameProcess)
{
  const SharedFolder folder;
  const auto boxes = split({4, 4, 4});
  StateWriter a(folder / "a.h5", world(), boxes), b(folder / "b.h5", world(), boxes);
  a.write("f", test::filled<float>(world(), boxes));
  b.write("f", test::filled<double>(world(), boxes));
  StateWriter c = std::move(a);
  b.commit();
  c.commit();
  b = std::move(c);
  StateReader(folder / "a.h5", world(), boxes).verify();
  StateReader(folder / "b.h5", world(), boxes).verify();
}

}  // namespace
}  // namespace helicity::io
