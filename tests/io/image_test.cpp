// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/io/image.hpp>

#include <support/temporary.hpp>

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>

namespace helicity::io {
namespace {

using test::read_file;
using test::TemporaryFolder;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Colour = std::array<int, 3>;
constexpr Colour grey{128, 128, 128}, white{255, 255, 255}, black{0, 0, 0};

/// Pixels of a PNG of 8-bit RGB without interlacing, by zlib alone.
class Decoded
{
 public:
  explicit Decoded(const std::string& path)
  {
    const std::string file = read_file(path);
    EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
    std::string packed;
    for (std::size_t at = 8; at + 12 <= file.size(); at += 12 + number(file, at)) {
      const std::size_t size = number(file, at);
      const std::string type = file.substr(at + 4, 4);
      const auto* bytes = reinterpret_cast<const Bytef*>(file.data() + at + 4);
      EXPECT_EQ(crc32(0, bytes, static_cast<uInt>(size + 4)), number(file, at + 8 + size)) << type;
      if (type == "IHDR") {
        width = static_cast<int>(number(file, at + 8));
        height = static_cast<int>(number(file, at + 12));
        EXPECT_EQ(file.substr(at + 16, 5), std::string("\x08\x02\0\0\0", 5));
      }
      if (type == "IDAT") packed += file.substr(at + 8, size);
    }
    unpack(packed);
  }

  Colour at(int x, int y) const
  {
    const std::size_t p = static_cast<std::size_t>(y * width + x) * 3;
    return {pixels_[p], pixels_[p + 1], pixels_[p + 2]};
  }

  int width = 0, height = 0;

 private:
  static std::size_t number(const std::string& s, std::size_t at)
  {
    std::size_t value = 0;
    for (std::size_t n = 0; n < 4; ++n) value = value << 8 | static_cast<unsigned char>(s[at + n]);
    return value;
  }

  void unpack(const std::string& packed)
  {
    const std::size_t row = static_cast<std::size_t>(width) * 3;
    std::vector<Bytef> raw((row + 1) * static_cast<std::size_t>(height));
    uLongf size = raw.size();
    ASSERT_EQ(
        uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
        Z_OK);
    ASSERT_EQ(size, raw.size());
    std::vector<int> above(row, 0);
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
      std::vector<int> line(row);
      const Bytef* in = raw.data() + y * (row + 1);
      for (std::size_t x = 0; x < row; ++x) {
        const int a = x < 3 ? 0 : line[x - 3], b = above[x], c = x < 3 ? 0 : above[x - 3];
        line[x] = (in[x + 1] + predicted(in[0], a, b, c)) & 255;
      }
      pixels_.insert(pixels_.end(), line.begin(), line.end());
      above = line;
    }
  }

  static int predicted(int filter, int a, int b, int c)
  {
    const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
    const int paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    return std::array{0, a, b, (a + b) / 2, paeth}[static_cast<std::size_t>(filter)];
  }

  std::vector<int> pixels_;
};

/// The corner of the picture: the first pixel inside the black frame.
std::array<int, 2> corner(const Decoded& png)
{
  for (int y = 0; y < png.height; ++y)
    for (int x = 0; x < png.width; ++x)
      if (png.at(x, y) == black && x + 40 < png.width && png.at(x + 40, y) == black)
        return {x + 1, y + 1};
  ADD_FAILURE() << "no frame";
  return {0, 0};
}

TEST(Image, RightWayUpInTheRightColours)
{
  const TemporaryFolder folder;
  ImageOptions options;
  options.least_pixels = 100;
  write_image(folder / "a.png", {0, 0.5, 1, nan, 0.25, 0.75}, 3, 2, options);
  const Decoded png(folder / "a.png");
  const auto [x, y] = corner(png);
  const auto cell = [&, left = x, top = y](int i, int j) {
    return png.at(left + 34 * i + 17, top + 34 * (1 - j) + 17);
  };
  EXPECT_EQ(cell(0, 0), (Colour{68, 1, 84}));
  EXPECT_EQ(cell(2, 0), (Colour{253, 231, 37}));
  EXPECT_EQ(cell(1, 0), (Colour{35, 144, 140}));  // viridis(0.5) = (33, 145, 140) to 2
  EXPECT_EQ(cell(0, 1), grey);
  EXPECT_EQ(png.at(x + 3 * 34, y), black);
}

TEST(Image, DivergingIsWhiteAtZero)
{
  const TemporaryFolder folder;
  ImageOptions options;
  options.map = ColourMap::balance;
  options.least_pixels = 90;
  write_image(folder / "a.png", {-1, 0, 4}, 3, 1, options);
  const Decoded png(folder / "a.png");
  const auto [x, y] = corner(png);
  EXPECT_EQ(png.at(x + 45, y + 15), (Colour{242, 242, 240}));
  EXPECT_EQ(png.at(x + 75, y + 15), (Colour{84, 12, 30}));
  const Colour blue = png.at(x + 15, y + 15);
  EXPECT_GT(blue[2], blue[0]);
}

TEST(Image, SizesAndText)
{
  const TemporaryFolder folder;
  ImageOptions options;
  const auto size = [&](int nx, int ny) {
    write_image(folder / "a.png", std::vector<double>(static_cast<std::size_t>(nx * ny), 1.5), nx,
                ny, options);
    const Decoded png(folder / "a.png");
    return std::array{png.width, png.height};
  };
  const auto plain = size(64, 64);
  EXPECT_GE(plain[0], 512);
  EXPECT_LT(plain[0], 700);
  options.title = "density [kg m-3], t = 1 s";
  EXPECT_GT(size(64, 64)[1], plain[1]) << "a line more";
  options.title = std::string(80, 'x');
  EXPECT_GT(size(64, 64)[0], 80 * 12) << "as wide as the title";
  options.title.clear();
  options.most_pixels = 100;
  options.least_pixels = 50;
  EXPECT_LT(size(1000, 300)[0], 300) << "cells left out";
  size(1, 1);
  size(1, 700);
}

TEST(Image, OddValues)
{
  const TemporaryFolder folder;
  const double inf = std::numeric_limits<double>::infinity();
  const double huge = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> cases{{nan, nan}, {inf, -inf}, {huge, -huge},
                                               {0, 0},     {1e-320, 0}, {1e300, 1e300},
                                               {-3, inf},  {huge, huge}};
  for (const ColourMap map : {ColourMap::viridis, ColourMap::balance})
    for (const auto& values : cases) {
      ImageOptions options;
      options.map = map;
      write_image(folder / "a.png", values, 2, 1, options);
      EXPECT_GT(Decoded(folder / "a.png").width, 500);
    }
}

TEST(Image, SameBytesAgain)
{
  const TemporaryFolder folder;
  std::vector<double> values(4096);
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = std::sin(0.01 * static_cast<double>(n));
  ImageOptions options;
  options.title = "again";
  for (const char* name : {"a.png", "b.png"}) write_image(folder / name, values, 64, 64, options);
  EXPECT_EQ(read_file(folder / "a.png"), read_file(folder / "b.png"));
}

TEST(Image, Refuses)
{
  const TemporaryFolder folder;
  const auto draw = [&](const std::string& path, std::size_t n, int nx, int ny, ImageOptions o) {
    write_image(path, std::vector<double>(n), nx, ny, o);
  };
  const std::string path = folder / "a.png";
  EXPECT_THROW(draw(path, 5, 2, 3, ImageOptions()), UsageError);
  EXPECT_THROW(draw(path, 0, 0, 0, ImageOptions()), UsageError);
  ImageOptions turned;
  turned.lowest = 2;
  turned.highest = 1;
  EXPECT_THROW(draw(path, 6, 2, 3, turned), UsageError);
  ImageOptions none;
  none.most_pixels = 0;
  EXPECT_THROW(draw(path, 6, 2, 3, none), UsageError);
  EXPECT_THROW(draw(folder / "no/a.png", 6, 2, 3, ImageOptions()), RuntimeFault);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace helicity::io
