// SPDX-License-Identifier: Apache-2.0
#include <helicity/io/detail/font.hpp>
#include <helicity/io/detail/picture.hpp>
#include <helicity/weather/sounding_picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace helicity::weather {
namespace {

using io::detail::Colour;
using io::detail::Picture;

constexpr int fine = 3;  // pixels drawn along each side of one that is written
constexpr int wide = 1500, high = 900;
constexpr double celsius = 273.15, knot = 1852.0 / 3600;
constexpr Colour isotherm{214, 196, 176}, zero{90, 130, 200}, dry{226, 184, 150},
    moist{160, 205, 170}, mixing{120, 175, 140}, isobar{200, 200, 200}, red{200, 30, 40},
    green{20, 130, 60}, ink{30, 30, 30}, warm{250, 205, 195}, cool{205, 220, 248},
    blue{40, 80, 190}, purple{130, 50, 150}, orange{225, 130, 20};

/// Places from one to another, both if the step fits.
std::vector<double> places(double from, double to, double step)
{
  std::vector<double> all;
  const int count = static_cast<int>(std::floor((to - from) / step + 1e-9));
  for (int n = 0; n <= count; ++n) all.push_back(from + n * step);
  return all;
}

struct Point
{
  double x, y;
};

/// A rectangle that lines end at.
struct Box
{
  double left, top, right, bottom;
  bool holds(Point p) const { return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom; }
};

/// Drawn `fine` times too large; averages of its pixels are written.
class Canvas
{
 public:
  Canvas() : picture_(wide * fine, high * fine) {}

  void dot(Point p, double width, Colour colour)
  {
    const int size = std::max(1, static_cast<int>(std::lround(width * fine)));
    picture_.fill(static_cast<int>(std::lround(p.x * fine)) - size / 2,
                  static_cast<int>(std::lround(p.y * fine)) - size / 2, size, size, colour);
  }

  /// The part of a line in a box; `dash` > 0: as long as it, with gaps.
  void line(Point a, Point b, double width, Colour colour, const Box& box, double dash = 0)
  {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const int steps = std::max(1, static_cast<int>(std::ceil(length * fine)));
    for (int n = 0; n <= steps; ++n) {
      const double part = static_cast<double>(n) / steps;
      const Point p{a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
      const bool gap = dash > 0 && std::fmod(along_ + part * length, 2 * dash) >= dash;
      if (box.holds(p) && !gap) dot(p, width, colour);
    }
    along_ = dash > 0 ? std::fmod(along_ + length, 2 * dash) : 0;
  }

  void lines(const std::vector<Point>& points, double width, Colour colour, const Box& box,
             double dash = 0)
  {
    along_ = 0;
    for (std::size_t n = 1; n < points.size(); ++n)
      line(points[n - 1], points[n], width, colour, box, dash);
  }

  /// Pixels between two heights of the picture in a row of it.
  void span(double left, double right, double y, const Colour& colour, const Box& box)
  {
    left = std::max(left, box.left);
    right = std::min(right, box.right);
    if (right > left)
      picture_.fill(static_cast<int>(std::lround(left * fine)),
                    static_cast<int>(std::lround(y * fine)),
                    static_cast<int>(std::lround((right - left) * fine)), 1, colour);
  }

  /// Text beside a point: `side` 0 to its right, 1 about it, 2 to its left.
  void text(Point p, const std::string& words, Colour colour, int side = 0, int scale = 5)
  {
    const int width = io::detail::text_width(words, scale);
    picture_.text(static_cast<int>(p.x * fine) - side * width / 2,
                  static_cast<int>(p.y * fine) - io::detail::glyph_height * scale / 2, words, scale,
                  colour);
  }

  void disc(Point p, double radius, Colour colour)
  {
    const double r = radius * fine;
    for (int v = static_cast<int>(-r); v <= r; ++v)
      span(p.x - std::sqrt(r * r - v * v) / fine, p.x + std::sqrt(r * r - v * v) / fine,
           p.y + static_cast<double>(v) / fine, colour, {0, 0, wide, high});
  }

  void clear(const Box& b)
  {
    picture_.fill(static_cast<int>(b.left * fine), static_cast<int>(b.top * fine),
                  static_cast<int>((b.right - b.left) * fine),
                  static_cast<int>((b.bottom - b.top) * fine), io::detail::white);
  }

  void frame(const Box& b)
  {
    const Box all{0, 0, wide, high};
    lines({{b.left, b.top},
           {b.right, b.top},
           {b.right, b.bottom},
           {b.left, b.bottom},
           {b.left, b.top}},
          1.5, ink, all);
  }

  Picture averaged() const
  {
    Picture small(wide, high);
    for (int y = 0; y < high; ++y)
      for (int x = 0; x < wide; ++x) small.fill(x, y, 1, 1, average(x, y));
    return small;
  }

 private:
  Colour average(int x, int y) const
  {
    Colour mean{};
    for (std::size_t c = 0; c < 3; ++c) {
      int sum = 0;
      for (int n = 0; n < fine * fine; ++n) {
        const auto pixel = static_cast<std::size_t>(y * fine + n / fine) * wide * fine +
                           static_cast<std::size_t>(x * fine + n % fine);
        sum += picture_.data()[3 * pixel + c];
      }
      mean[c] = static_cast<std::uint8_t>(sum / (fine * fine));
    }
    return mean;
  }

  Picture picture_;
  double along_ = 0;
};

/// The skew-T: temperatures lean by 45 degrees or so.
struct SkewT
{
  Box box{80, 60, 830, 850};
  double low = 105000, top = 10000;

  double row(double p) const
  {
    return box.top + std::log(p / top) / std::log(low / top) * (box.bottom - box.top);
  }
  double pressure(double y) const
  {
    return top * std::pow(low / top, (y - box.top) / (box.bottom - box.top));
  }
  Point at(double t, double p) const
  {
    const double y = row(p), width = (box.right - box.left) / 80;  // of a degree
    return {box.left + (t - celsius + 40) * width + 0.85 * (box.bottom - y), y};
  }
};

template <class F>
std::vector<Point> curve(const SkewT& d, F temperature)
{
  std::vector<Point> points;
  for (const double p : places(d.low, d.top, -500)) points.push_back(d.at(temperature(p), p));
  points.push_back(d.at(temperature(d.top), d.top));
  return points;
}

void draw_isotherms(Canvas& canvas, const SkewT& d)
{
  for (int t = -120; t <= 40; t += 10) {
    const double kelvin = t + celsius;
    canvas.lines({d.at(kelvin, d.low), d.at(kelvin, d.top)}, t == 0 ? 1.6 : 1,
                 t == 0 ? zero : isotherm, d.box);
    const Point foot = d.at(kelvin, d.low);
    if (d.box.holds(foot)) canvas.text({foot.x, d.box.bottom + 14}, fmt::format("{}", t), ink, 1);
  }
  for (int p = 1000; p >= 100; p -= 100) {
    const double y = d.row(100 * p);
    canvas.lines({{d.box.left, y}, {d.box.right, y}}, 1, isobar, d.box);
    canvas.text({d.box.left - 8, y}, fmt::format("{}", p), ink, 2);
  }
  canvas.text({d.box.left - 8, d.box.top - 18}, "hPa", ink, 2);
  canvas.text({(d.box.left + d.box.right) / 2, d.box.bottom + 34}, "temperature, C", ink, 1);
}

void draw_adiabats(Canvas& canvas, const SkewT& d, const SoundingConstants& c)
{
  for (int theta = 240; theta <= 480; theta += 10)
    canvas.lines(curve(d, [&](double p) { return theta * exner(p, c.air); }), 1, dry, d.box);
  for (int t = -20; t <= 36; t += 4) {
    double from = 1e5, kelvin = t + celsius;
    std::vector<Point> points{d.at(kelvin, from)};
    for (const double p : places(99000, d.top, -1000)) {
      kelvin = pseudo_adiabat(kelvin, from, p, c);
      from = p;
      points.push_back(d.at(kelvin, p));
    }
    canvas.lines(points, 1, moist, d.box);
  }
  for (const double r : {0.4, 1.0, 2.0, 4.0, 7.0, 10.0, 16.0, 24.0}) {
    std::vector<Point> points;
    for (const double p : places(d.low, 60000, -1000))
      points.push_back(d.at(dew_point(p, r / 1e3, c), p));
    canvas.lines(points, 1, mixing, d.box, 5);
    if (d.box.holds(points.back()))
      canvas.text({points.back().x, points.back().y - 8}, fmt::format("{:g}", r), mixing, 1, 4);
  }
}

/// CAPE and CIN, between the parcel and the air, by density temperatures.
void shade(Canvas& canvas, const SkewT& d, const ParcelPath& path, const Sounding& s,
           const ParcelIndices& parcel, const SoundingConstants& c)
{
  if (std::isnan(parcel.lfc)) return;
  for (const double y : places(d.box.top, d.box.bottom, 1.0 / fine)) {
    const double p = d.pressure(y);
    const auto n = std::lower_bound(path.pressure.rbegin(), path.pressure.rend(), p);
    if (n == path.pressure.rend() || n == path.pressure.rbegin()) continue;
    const auto k = static_cast<std::size_t>(path.pressure.rend() - n - 1);
    const double b = path.buoyancy[k], z = path.height[k];
    if (z > parcel.el || (b < 0 && z > parcel.lfc) || (b > 0 && z < parcel.lfc)) continue;
    const SoundingLevel air = at_height(s, z);
    const double t = virtual_temperature(air.temperature, air.vapour, c);
    const double x = d.at(t, p).x, other = d.at(t * (1 + b / c.air.gravity), p).x;
    canvas.span(std::min(x, other), std::max(x, other), y, b > 0 ? warm : cool, d.box);
  }
}

void draw_curves(Canvas& canvas, const SkewT& d, const ParcelPath& path, const Sounding& s,
                 const SoundingConstants& c)
{
  std::vector<Point> t, dew, parcel, density;
  for (const SoundingLevel& l : s.levels) {
    if (l.pressure < d.top * 0.9) break;
    t.push_back(d.at(l.temperature, l.pressure));
    if (l.vapour > 0) dew.push_back(d.at(dew_point(l.pressure, l.vapour, c), l.pressure));
    density.push_back(d.at(virtual_temperature(l.temperature, l.vapour, c), l.pressure));
  }
  for (std::size_t n = 0; n < path.height.size(); ++n) {
    const SoundingLevel air = at_height(s, path.height[n]);
    const double environment = virtual_temperature(air.temperature, air.vapour, c);
    parcel.push_back(d.at(environment * (1 + path.buoyancy[n] / c.air.gravity), path.pressure[n]));
  }
  canvas.lines(density, 1.2, red, d.box, 4);
  canvas.lines(parcel, 2, ink, d.box, 7);
  canvas.lines(dew, 3, green, d.box);
  canvas.lines(t, 3, red, d.box);
}

/// A barb in knots at a point: pennants 50, barbs 10, half 5; calm: a dot.
void draw_barb(Canvas& canvas, Point foot, double u, double v)
{
  const Box all{0, 0, wide, high};
  const double speed = std::hypot(u, v);
  int fives = static_cast<int>(std::lround(speed / knot / 5));
  if (fives == 0) return canvas.disc(foot, 2.5, ink);
  const double x = -u / speed, y = v / speed;  // whence it blows, on the picture
  const double length = 34;
  const auto at = [&](double along, double off) {
    return Point{foot.x + along * x - off * y, foot.y + along * y + off * x};
  };
  canvas.line(foot, at(length, 0), 1.5, ink, all);
  double place = fives == 1 ? length - 6 : length;
  for (; fives >= 10; fives -= 10, place -= 8)
    for (const double k : places(0, 6, 0.3))
      canvas.line(at(place - k, 0), at(place, 12), 0.7, ink, all);
  for (; fives >= 2; fives -= 2, place -= 5)
    canvas.line(at(place, 0), at(place + 4, 12), 1.5, ink, all);
  if (fives == 1) canvas.line(at(place, 0), at(place + 2, 6), 1.5, ink, all);
}

void draw_barbs(Canvas& canvas, const SkewT& d, const Sounding& s)
{
  const double x = d.box.right + 45;
  canvas.lines({{x, d.box.top}, {x, d.box.bottom}}, 1, isobar, {0, 0, wide, high});
  double last = d.box.bottom + 100;
  for (const double z : places(0, s.levels.back().height, 50)) {
    const SoundingLevel l = at_height(s, z);
    const double y = d.row(l.pressure);
    if (l.pressure < d.top || last - y < 26) continue;
    draw_barb(canvas, {x, y}, l.u, l.v);
    last = y;
  }
  canvas.text({x, d.box.top - 14}, "wind, kt", ink, 1);
}

struct Hodograph
{
  Box box{930, 60, 1470, 600};
  Wind centre{};
  double reach = 20;  ///< m/s from the centre to a side

  Point at(Wind w) const
  {
    const double scale = (box.right - box.left) / 2 / reach;
    return {(box.left + box.right) / 2 + (w[0] - centre[0]) * scale,
            (box.top + box.bottom) / 2 - (w[1] - centre[1]) * scale};
  }
};

/// The range of the winds, storms and calm air.
Hodograph hodograph_of(const Sounding& s, double top, const std::vector<Wind>& storms)
{
  Wind low{0, 0}, most{0, 0};
  const auto add = [&](double u, double v) {
    low = {std::min(low[0], u), std::min(low[1], v)};
    most = {std::max(most[0], u), std::max(most[1], v)};
  };
  for (const double z : places(0, top, 50)) add(at_height(s, z).u, at_height(s, z).v);
  for (const Wind& w : storms) add(w[0], w[1]);
  Hodograph h;
  h.centre = {(low[0] + most[0]) / 2, (low[1] + most[1]) / 2};
  h.reach = std::max(10.0, 0.6 * std::max(most[0] - low[0], most[1] - low[1]));
  return h;
}

void draw_rings(Canvas& canvas, const Hodograph& h)
{
  const double ring = h.reach > 30 ? 20 : h.reach > 12 ? 10 : 5;
  for (const double r : places(ring, std::min(6 * h.reach, 20 * ring), ring)) {
    std::vector<Point> points;
    for (int n = 0; n <= 360; ++n)
      points.push_back(h.at({r * std::cos(n * 0.0174532925), r * std::sin(n * 0.0174532925)}));
    canvas.lines(points, 1, isobar, h.box);
    const Point label = h.at({r, 0});
    if (h.box.holds({label.x + 14, label.y + 20}))
      canvas.text({label.x + 3, label.y + 9}, fmt::format("{:g}", r), isotherm, 0, 4);
  }
  canvas.lines({h.at({-1e3, 0}), h.at({1e3, 0})}, 1, isobar, h.box);
  canvas.lines({h.at({0, -1e3}), h.at({0, 1e3})}, 1, isobar, h.box);
}

void mark(Canvas& canvas, const Hodograph& h, Wind w, const char* name, Colour colour)
{
  const Point p = h.at(w);
  canvas.disc(p, 5, colour);
  canvas.text({p.x + 9, p.y}, name, colour);
}

void draw_hodograph(Canvas& canvas, const Sounding& s, const SoundingPicture& options)
{
  const double top = std::min(12000.0, s.levels.back().height);
  const WindIndices wind = wind_indices(s);
  std::vector<Wind> storms;
  const bool movers = !std::isnan(wind.right_mover[0]);
  if (movers) storms = {wind.right_mover, wind.left_mover};
  if (options.storm_motion) storms.push_back(*options.storm_motion);
  const Hodograph h = hodograph_of(s, top, storms);
  draw_rings(canvas, h);
  const struct
  {
    double from, to;
    Colour colour;
    const char* name;
  } layers[] = {{0, 1000, purple, "0-1 km"},
                {1000, 3000, red, "1-3 km"},
                {3000, 6000, orange, "3-6 km"},
                {6000, 12000, blue, "6-12 km"}};
  double x = h.box.left + 10;
  for (const auto& layer : layers) {
    std::vector<Point> points;
    for (const double z : places(layer.from, std::min(layer.to, top), 25))
      points.push_back(h.at({at_height(s, z).u, at_height(s, z).v}));
    canvas.lines(points, 3, layer.colour, h.box);
    canvas.text({x, h.box.top + 16}, layer.name, layer.colour);
    x += 100;
  }
  if (movers) mark(canvas, h, wind.right_mover, "RM", ink);
  if (movers) mark(canvas, h, wind.left_mover, "LM", ink);
  if (options.storm_motion) mark(canvas, h, *options.storm_motion, "storm", green);
  canvas.frame(h.box);
  canvas.text({(h.box.left + h.box.right) / 2, h.box.top - 14}, "hodograph, m/s", ink, 1);
}

void draw_numbers(Canvas& canvas, const Sounding& s, const ParcelIndices& parcel)
{
  const WindIndices wind = wind_indices(s);
  const double helicity =
      std::isnan(wind.right_mover[0]) ? NAN : storm_relative_helicity(s, 3000, wind.right_mover);
  const auto number = [](double v) { return std::isnan(v) ? "none" : fmt::format("{:.0f}", v); };
  const std::vector<std::string> lines{
      "CAPE " + number(parcel.cape) + " J/kg   CIN " + number(parcel.cin) + " J/kg",
      "LCL  " + number(parcel.lcl) + " m   LFC " + number(parcel.lfc) + " m   EL " +
          number(parcel.el) + " m",
      "0-6 km shear " + number(wind.shear_6km) + " m/s",
      "0-3 km SRH, RM " + number(helicity) + " m2/s2"};
  double y = 650;
  for (const std::string& line : lines) {
    canvas.text({930, y}, line, ink);
    y += 28;
  }
  canvas.text({930, y + 12}, "T", red);
  canvas.text({970, y + 12}, "Td", green);
  canvas.text({1020, y + 12}, "- - parcel, Tv", ink);
  canvas.text({1200, y + 12}, "- - Tv", red);
}

}  // namespace

void write_sounding_picture(const std::string& path, const Sounding& sounding,
                            const SoundingPicture& options, const SoundingConstants& c)
{
  Canvas canvas;
  const SkewT d;
  const ParcelPath parcel = lift(sounding, options.parcel, options.ascent, c);
  const ParcelIndices indices = parcel_indices(sounding, options.parcel, options.ascent, c);
  shade(canvas, d, parcel, sounding, indices, c);
  draw_isotherms(canvas, d);
  draw_adiabats(canvas, d, c);
  draw_curves(canvas, d, parcel, sounding, c);
  canvas.frame(d.box);
  draw_barbs(canvas, d, sounding);
  draw_hodograph(canvas, sounding, options);
  draw_numbers(canvas, sounding, indices);
  canvas.text({80, 20}, options.title, ink, 0, 6);
  io::detail::write_png(path, canvas.averaged());
}

}  // namespace helicity::weather
