// SPDX-License-Identifier: Apache-2.0
// Terrain from files: what is read, what is refused, and storms over it on any number of ranks.
#include "storm.hpp"

#include <helicity/core/error.hpp>
#include <helicity/io/raster.hpp>
#include <helicity/weather/ground_map.hpp>
#include <helicity/weather/storm_case.hpp>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace helicity::test {
namespace {

using weather::GroundMap;
using weather::StormCase;

/// An HDF5 file of one rank, made dataset by dataset.
class RasterFile
{
 public:
  explicit RasterFile(const std::string& path)
      : id_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT))
  {}
  ~RasterFile() { H5Fclose(id_); }
  RasterFile(const RasterFile&) = delete;
  RasterFile& operator=(const RasterFile&) = delete;

  void add(const char* name, const std::vector<hsize_t>& size, const std::vector<double>& values,
           hid_t type = H5T_IEEE_F64LE)
  {
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
    const hid_t set = H5Dcreate2(id_, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(set);
    H5Sclose(space);
  }

  void mark(const char* name, const char* attribute, double value)
  {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t a = H5Acreate_by_name(id_, name, attribute, H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                      H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(a, H5T_NATIVE_DOUBLE, &value), 0);
    H5Aclose(a);
    H5Sclose(space);
  }

  void mark_units(const char* name, const std::string& units)
  {
    const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, units.size());
    const hid_t a =
        H5Acreate_by_name(id_, name, "units", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(a, type, units.data()), 0);
    H5Aclose(a);
    H5Tclose(type);
    H5Sclose(space);
  }

 private:
  hid_t id_;
};

std::vector<double> line(double first, double step, int count)
{
  std::vector<double> v;
  for (int n = 0; n < count; ++n) v.push_back(first + step * n);
  return v;
}

double plane(double x, double y) { return 100 + 0.02 * x - 0.01 * y; }

std::vector<double> heights(const std::vector<double>& x, const std::vector<double>& y,
                            const std::function<double(double, double)>& h)
{
  std::vector<double> v;
  for (const double b : y)
    for (const double a : x) v.push_back(h(a, b));
  return v;
}

/// A raster of 9 x 8 points, 500 and 400 m apart from (1000, 2000) on.
void write_raster(const std::string& path, const std::function<double(double, double)>& h,
                  bool turned = false)
{
  RasterFile file(path);
  const auto x = turned ? line(5000, -500, 9) : line(1000, 500, 9);
  const auto y = turned ? line(4800, -400, 8) : line(2000, 400, 8);
  file.add("x", {9}, x);
  file.add("y", {8}, y);
  file.add("height", {8, 9}, heights(x, y, h));
}

/// Cells of 200 m with their low corner at (1200, 2100) of the raster.
StormCase case_over(const std::string& path, std::int64_t nx = 16, std::int64_t ny = 11)
{
  StormCase c;
  c.cells = {nx, ny, 10};
  c.spacing = {200, 200, 200};
  c.terrain = "file";
  c.terrain_file = path;
  c.terrain_origin = {1200, 2100};
  return c;
}

std::string refusal(const std::function<void()>& f)
{
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing was refused";
}

void expect_refusal(const StormCase& c, const std::string& part)
{
  const std::string text = refusal([&] { GroundMap map(c); });
  EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_NE(text.find(c.terrain_file), std::string::npos) << text;
}

TEST(GroundMap, planes_are_interpolated_exactly)
{
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "ground.h5").string();
  for (const bool turned : {false, true}) {
    write_raster(path, plane, turned);
    const GroundMap map(case_over(path));
    for (int j = 0; j < 11; ++j)
      for (int i = 0; i < 16; ++i) {
        const double x = (i + 0.5) * 200, y = (j + 0.5) * 200;
        EXPECT_NEAR(map.height(x, y), plane(1200 + x, 2100 + y), 1e-9);
      }
  }
}

TEST(GroundMap, between_points_heights_are_bilinear)
{
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "ground.h5").string();
  write_raster(path, [](double x, double y) { return x == 2500 && y == 2800 ? 64. : 0.; });
  const GroundMap map(case_over(path));
  // Cell 5, 2 has its centre at 2300, 2600: 3/5 and 1/2 of the way to the peak.
  EXPECT_NEAR(map.height(1100, 500), 64 * 0.6 * 0.5, 1e-9);
  EXPECT_EQ(map.height(100, 100), 0);
}

TEST(GroundMap, numbers_may_be_packed_and_of_any_type)
{
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "ground.h5").string();
  {
    RasterFile file(path);
    file.add("x", {2}, {0, 1e5}, H5T_STD_I32BE);
    file.add("y", {2}, {0, 1e5}, H5T_IEEE_F32LE);
    file.mark_units("x", "metres");
    file.add("a", {2, 2}, {1, 2, 3, 4}, H5T_STD_I16LE);
    file.add("b", {2, 2}, {1, 1, 1, -99}, H5T_STD_I16BE);
    file.mark("a", "scale_factor", 10);
    file.mark("a", "add_offset", 5);
    file.mark("b", "_FillValue", -99);
  }
  const io::Raster a = io::read_raster(path, "a"), b = io::read_raster(path, "b");
  EXPECT_EQ(a.values, (std::vector<double>{15, 25, 35, 45}));
  EXPECT_EQ(b.at(0, 1), 1);
  EXPECT_TRUE(std::isnan(b.at(1, 1)));
  EXPECT_NE(refusal([&] { io::read_raster(path, ""); }).find("several variables"),
            std::string::npos);
  EXPECT_NE(refusal([&] { io::read_raster(path, "c"); }).find("it has a, b"), std::string::npos);
}

TEST(GroundMap, smoothing_takes_away_waves_of_two_cells_and_leaves_planes)
{
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "ground.h5").string();
  {
    RasterFile file(path);  // a point of the raster at each centre
    const auto x = line(1300, 200, 16), y = line(2200, 200, 11);
    file.add("x", {16}, x);
    file.add("y", {11}, y);
    file.add("height", {11, 16}, heights(x, y, [](double a, double b) {
               return plane(a, b) + (std::lround((a + b) / 200) % 2 == 0 ? 30 : -30);
             }));
  }
  StormCase c = case_over(path);
  c.ends = {"symmetry", "open"};
  c.terrain_smoothing = 1;
  const GroundMap map(c);
  for (int j = 1; j < 10; ++j)
    for (int i = 1; i < 15; ++i) {
      const double x = (i + 0.5) * 200, y = (j + 0.5) * 200;
      EXPECT_NEAR(map.height(x, y), plane(1200 + x, 2100 + y), 1e-9);
    }
}

TEST(GroundMap, tapers_to_its_lowest_height)
{
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "ground.h5").string();
  write_raster(path, [](double x, double) { return x < 1200 ? 20. : 120.; });
  StormCase c = case_over(path);
  const double lowest = GroundMap(c).height(100, 100);
  c.terrain_taper = 800;
  const GroundMap map(c);
  EXPECT_NEAR(map.height(1500, 1100), 120, 1e-9);  // far from the sides
  const double s = std::sin(std::acos(-1.) / 2 * 300 / 800);
  EXPECT_NEAR(map.height(1500, 300), lowest + (120 - lowest) * s * s, 1e-9);
}

TEST(GroundMap, tells_what_is_wrong_with_a_file)
{
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "ground.h5").string();
  write_raster(path, plane);
  expect_refusal(case_over(path, 30), "x reaches from 1000 to 5000 m");
  StormCase c = case_over(path);
  c.terrain_origin[1] = 1000;
  expect_refusal(c, "y reaches from 2000 to 4800 m");
  write_raster(path, [](double x, double y) {
    return x == 2500 && y == 2800 ? std::numeric_limits<double>::quiet_NaN() : 0.;
  });
  expect_refusal(case_over(path), "has no value at x = 2100, y = 2600 m (cell 4, 2)");
  const auto with = [&](const char* x, const char* units, const std::vector<double>& values) {
    RasterFile file(path);
    file.add(x, {3}, values);
    file.add("y", {2}, {0, 1});
    file.add("height", {2, 3}, {0, 0, 0, 0, 0, 0});
    if (*units != '\0') file.mark_units(x, units);
  };
  with("lon", "", {0, 1, 2});
  expect_refusal(case_over(path), "latitudes and longitudes");
  with("x", "km", {0, 1, 2});
  expect_refusal(case_over(path), "is in km; wanted metres");
  with("x", "m", {0, 2, 2});
  expect_refusal(case_over(path), "neither rises nor falls");
  with("easting", "", {0, 1, 2});
  expect_refusal(case_over(path), "has no coordinate variable x");
  expect_refusal(case_over((folder.path() / "none.h5").string()), "cannot be read");
}

TEST(GroundMap, steep_ground_is_refused_where_it_is)
{
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "ground.h5").string();
  write_raster(path, [](double x, double) { return x < 3000 ? 0. : 700.; });
  const auto make = [&](std::int64_t passes) {
    StormCase c = case_over(path);
    c.terrain_smoothing = passes;
    c.ends = {"open", "open"};
    resolve(c);
    return model_of<float>(make_setup(c), {}, Cpu{1});
  };
  try {
    make(0);
    ADD_FAILURE();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("steeper than 45 degrees"), std::string::npos) << e.what();
  }
  EXPECT_NO_THROW(make(4));
}

TEST(GroundMap, storms_over_it_have_the_same_bits_on_all_ranks)
{
  const TemporaryFolder folder;  // of each rank
  const std::string path = (folder.path() / "ground.h5").string();
  write_raster(path, [](double x, double y) {
    return 150 + 60 * std::sin(x / 600) + 50 * std::cos(y / 500) + 0.01 * y;
  });
  StormCase c = case_over(path, 17, 12);
  c.ends = {"open", "open"};
  c.wind_velocity = {8, -5};
  c.column = "stratified";
  c.terrain_smoothing = 2;
  c.terrain_taper = 600;
  resolve(c);
  const auto setup = make_setup(c);
  const auto whole = model_of<float>(setup, {}, Cpu{1}),
             split = model_of<float>(setup, world(), Cpu{1});
  EXPECT_EQ(split->state_hash(), whole->state_hash());
  whole->advance(8);
  split->advance(8);
  EXPECT_FALSE(whole->check());
  EXPECT_EQ(split->state_hash(), whole->state_hash());
  const auto w = whole->values("w");
  EXPECT_GT(*std::max_element(w.begin(), w.end()), 0.1);  // the ground is felt
}

TEST(GroundMap, states_belong_to_what_the_file_held)
{
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "ground.h5").string(),
                    other = (folder.path() / "other.h5").string();
  write_raster(path, plane);
  write_raster(other, plane);
  StormCase a = case_over(path), b = case_over(other);
  EXPECT_EQ(physics_digest(a), physics_digest(b));
  write_raster(other, [](double x, double y) { return plane(x, y) + (x == 2000 ? 1 : 0); });
  EXPECT_NE(physics_digest(a), physics_digest(b));
}

}  // namespace
}  // namespace helicity::test
