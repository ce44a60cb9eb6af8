// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/io/image.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::io::detail {

using Colour = std::array<std::uint8_t, 3>;

constexpr Colour black{0, 0, 0}, white{255, 255, 255}, grey{128, 128, 128};

/// Colour of a map at a place in [0, 1]; places beyond are those of the ends, NaN is grey.
Colour colour(ColourMap map, double place);

/// Width in pixels of a text drawn with dots of `scale` pixels.
int text_width(std::string_view text, int scale);

/// RGB pixels, the first row on top; white at first. What lies outside is not drawn.
class Picture
{
 public:
  Picture(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  const std::uint8_t* data() const { return pixels_.data(); }

  void fill(int x, int y, int width, int height, Colour colour);
  void frame(int x, int y, int width, int height, Colour colour);  ///< around, one pixel wide
  void text(int x, int y, std::string_view text, int scale, Colour colour);

 private:
  int width_, height_;
  std::vector<std::uint8_t> pixels_;
};

/// Writes a PNG beside and renames it. @throws RuntimeFault for a file that cannot be written
void write_png(const std::string& path, const Picture& picture);

}  // namespace helicity::io::detail
