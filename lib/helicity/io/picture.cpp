// SPDX-License-Identifier: Apache-2.0
#include <helicity/io/detail/font.hpp>
#include <helicity/io/detail/picture.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace helicity::io::detail {
namespace {

/// Ten evenly spaced colours of viridis (matplotlib, van der Walt & Smith, CC0).
constexpr std::array<Colour, 10> viridis{{{68, 1, 84},
                                          {72, 40, 120},
                                          {62, 74, 137},
                                          {49, 104, 142},
                                          {38, 130, 142},
                                          {31, 158, 137},
                                          {53, 183, 121},
                                          {109, 205, 89},
                                          {180, 222, 44},
                                          {253, 231, 37}}};

/// Blue, near white, red; as dark at both ends.
constexpr std::array<Colour, 7> balance{{{26, 32, 84},
                                         {31, 92, 176},
                                         {112, 166, 208},
                                         {242, 242, 240},
                                         {220, 150, 118},
                                         {178, 48, 44},
                                         {84, 12, 30}}};

Colour between(std::span<const Colour> colours, double place)
{
  const double scaled = place * static_cast<double>(colours.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(scaled), colours.size() - 2);
  const double part = scaled - static_cast<double>(low);
  Colour mixed;
  for (std::size_t c = 0; c < 3; ++c)
    mixed[c] = static_cast<std::uint8_t>(
        std::lround((1 - part) * colours[low][c] + part * colours[low + 1][c]));
  return mixed;
}

}  // namespace

Colour colour(ColourMap map, double place)
{
  if (std::isnan(place)) return grey;
  const double inside = std::clamp(place, 0.0, 1.0);
  return map == ColourMap::balance ? between(balance, inside) : between(viridis, inside);
}

int text_width(std::string_view text, int scale)
{
  return static_cast<int>(text.size()) * glyph_advance * scale;
}

Picture::Picture(int width, int height)
    : width_(width),
      height_(height),
      pixels_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 255)
{}

void Picture::fill(int x, int y, int width, int height, Colour colour)
{
  const int right = std::min(x + width, width_), bottom = std::min(y + height, height_);
  for (int v = std::max(y, 0); v < bottom; ++v)
    for (int u = std::max(x, 0); u < right; ++u) {
      const auto pixel = static_cast<std::size_t>(v) * static_cast<std::size_t>(width_) +
                         static_cast<std::size_t>(u);
      std::copy(colour.begin(), colour.end(),
                pixels_.begin() + static_cast<std::ptrdiff_t>(3 * pixel));
    }
}

void Picture::frame(int x, int y, int width, int height, Colour colour)
{
  fill(x - 1, y - 1, width + 2, 1, colour);
  fill(x - 1, y + height, width + 2, 1, colour);
  fill(x - 1, y, 1, height, colour);
  fill(x + width, y, 1, height, colour);
}

void Picture::text(int x, int y, std::string_view text, int scale, Colour colour)
{
  for (const char c : text) {
    const Glyph& dots = glyph(c);
    for (int v = 0; v < glyph_height; ++v)
      for (int u = 0; u < glyph_width; ++u)
        if ((dots[static_cast<std::size_t>(v)] >> (glyph_width - 1 - u) & 1) != 0)
          fill(x + u * scale, y + v * scale, scale, scale, colour);
    x += glyph_advance * scale;
  }
}

}  // namespace helicity::io::detail
