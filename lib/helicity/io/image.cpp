// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/file_output.hpp>
#include <helicity/io/detail/font.hpp>
#include <helicity/io/detail/picture.hpp>
#include <helicity/io/image.hpp>

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace helicity::io {
namespace {

using detail::Picture;

constexpr int margin = 8, bar_gap = 16, bar_width = 20, tick = 4, scale = 2;
constexpr int letter = detail::glyph_height * scale;

struct Range
{
  double low = 0, high = 1;
  double place(double v) const { return (v - low) / (high - low); }
};

struct Tick
{
  double value;
  std::string label;
};

/// The range asked for, or that of the finite values; never empty. Balance: as far on both sides.
Range range_of(const std::vector<double>& values, const ImageOptions& options)
{
  Range r{options.lowest, options.highest};
  if (!(r.low < r.high)) {
    r = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const double v : values)
      if (std::isfinite(v)) r = {std::min(r.low, v), std::max(r.high, v)};
    if (r.low > r.high) r = {0, 1};
  }
  if (options.map == ColourMap::balance) {
    const double most = std::max(std::abs(r.low), std::abs(r.high));
    r = {-most, most};
  }
  // About 1e-12 of the values: below it the ticks have no digits to differ by.
  const double size = std::max(std::abs(r.low), std::abs(r.high));
  if (r.high - r.low > 1e-12 * size && std::isfinite(r.high - r.low)) return r;
  const double middle = r.low / 2 + r.high / 2, half = size > 0 ? size / 2 : 0.5;
  return std::isfinite(middle + half) ? Range{middle - half, middle + half} : Range{0, 1};
}

/// Round numbers within a range, about `most`; its ends if there are not two.
std::vector<Tick> ticks_of(const Range& r, int most)
{
  const double least = (r.high - r.low) / std::max(most - 1, 1);
  double step = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {2.0, 2.5, 2.0})  // 1, 2, 5, 10
    if (step < least) step *= factor;
  const double size = std::max(std::abs(r.low), std::abs(r.high));
  const int digits = std::clamp(static_cast<int>(std::floor(std::log10(size / step))) + 2, 1, 15);
  std::vector<Tick> ticks;
  const double slack = 1e-9 * step;
  for (double n = std::ceil((r.low - slack) / step); n * step <= r.high + slack; ++n)
    ticks.push_back({n * step, n == 0 ? "0" : fmt::format("{:.{}g}", n * step, digits)});
  if (ticks.size() < 2)
    ticks = {{r.low, fmt::format("{:.4g}", r.low)}, {r.high, fmt::format("{:.4g}", r.high)}};
  return ticks;
}

/// How cells become pixels: squares of `pixels`, every `stride`-th cell.
struct Raster
{
  int pixels = 1, stride = 1;
  int columns = 0, rows = 0;

  Raster(int nx, int ny, const ImageOptions& options)
  {
    const int longest = std::max(nx, ny);
    stride = (longest + options.most_pixels - 1) / options.most_pixels;
    pixels = std::min((options.least_pixels + longest - 1) / longest,
                      std::max(1, options.most_pixels / longest));
    columns = (nx + stride - 1) / stride;
    rows = (ny + stride - 1) / stride;
  }
  int width() const { return columns * pixels; }
  int height() const { return rows * pixels; }
};

void draw_cells(Picture& picture, int left, int top, const std::vector<double>& values, int nx,
                const Raster& raster, const Range& range, ColourMap map)
{
  for (int row = 0; row < raster.rows; ++row)
    for (int column = 0; column < raster.columns; ++column) {
      const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(raster.stride) *
                            static_cast<std::size_t>(nx) +
                        static_cast<std::size_t>(column * raster.stride);
      picture.fill(left + column * raster.pixels, top + (raster.rows - 1 - row) * raster.pixels,
                   raster.pixels, raster.pixels, detail::colour(map, range.place(values[cell])));
    }
}

void draw_bar(Picture& picture, int left, int top, int height, const Range& range, ColourMap map,
              const std::vector<Tick>& ticks)
{
  const double last = std::max(height - 1, 1);
  for (int v = 0; v < height; ++v)
    picture.fill(left, top + height - 1 - v, bar_width, 1, detail::colour(map, v / last));
  picture.frame(left, top, bar_width, height, detail::black);
  for (const Tick& t : ticks) {
    const int y = top + height - 1 - static_cast<int>(std::lround(range.place(t.value) * last));
    picture.fill(left + bar_width, y, tick, 1, detail::black);
    picture.text(left + bar_width + 3 * tick, y - letter / 2, t.label, scale, detail::black);
  }
}

void require(bool good, const char* what)
{
  if (!good) throw UsageError(what);
}

void check(const std::vector<double>& values, int nx, int ny, const ImageOptions& options)
{
  require(nx >= 1 && ny >= 1, "a picture needs a cell");
  require(values.size() == static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny),
          "a picture has as many values as cells");
  require(options.lowest <= options.highest && std::isfinite(options.lowest) &&
              std::isfinite(options.highest),
          "the range of a picture's colours is not one");
  require(options.least_pixels >= 1 && options.most_pixels >= 1 && options.most_pixels <= 32768,
          "a picture has 1 to 32768 pixels along its longer side");
}

Picture draw(const std::vector<double>& values, int nx, int ny, const ImageOptions& options)
{
  const Raster raster(nx, ny, options);
  const Range range = range_of(values, options);
  const int bar_height = std::max(raster.height(), 8 * letter);
  const auto ticks = ticks_of(range, std::clamp(bar_height / (3 * letter), 2, 9));
  int labels = 0;
  for (const Tick& t : ticks) labels = std::max(labels, detail::text_width(t.label, scale));
  const int widest = 2 * options.most_pixels;  // where a title is cut
  const int title = std::min(detail::text_width(options.title, scale), widest);
  const int top = margin + (title > 0 ? letter + margin : letter / 2);
  const int bar = margin + raster.width() + bar_gap;
  const int width = std::max(bar + bar_width + 3 * tick + labels, margin + title) + margin;
  Picture picture(width, top + bar_height + letter / 2 + margin);
  picture.text(margin, margin, options.title, scale, detail::black);
  draw_cells(picture, margin, top, values, nx, raster, range, options.map);
  picture.frame(margin, top, raster.width(), raster.height(), detail::black);
  draw_bar(picture, bar, top, bar_height, range, options.map, ticks);
  return picture;
}

}  // namespace

void write_image(const std::string& path, const std::vector<double>& values, int nx, int ny,
                 const ImageOptions& options)
{
  check(values, nx, ny, options);
  detail::write_png(path, draw(values, nx, ny, options));
}

void detail::write_png(const std::string& path, const Picture& picture)
{
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width());
  image.height = static_cast<png_uint_32>(picture.height());
  image.format = PNG_FORMAT_RGB;
  FileOutput out(path);
  if (png_image_write_to_stdio(&image, out.stream(), 0, picture.data(), 0, nullptr) == 0)
    throw RuntimeFault("png_image_write_to_stdio: " + path + ": " + image.message);
  out.commit();
}

}  // namespace helicity::io
