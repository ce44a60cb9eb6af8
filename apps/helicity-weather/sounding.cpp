// SPDX-License-Identifier: Apache-2.0
#include "sounding.hpp"

#include <helicity/core/error.hpp>
#include <helicity/core/file_output.hpp>
#include <helicity/core/text.hpp>
#include <helicity/weather/sounding_indices.hpp>
#include <helicity/weather/sounding_picture.hpp>

#include <support/app.hpp>
#include <support/options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace helicity::app {
namespace {

using namespace weather;

struct SoundingOptions
{
  std::string file, profile, wind = "uniform", parcel = "surface", ascent = "pseudo-adiabatic";
  std::string json, png, input_sounding;
  std::vector<double> storm_motion;
  std::array<double, 2> velocity{};
  double wind_height = 3000, top = 0, overturning = SoundingLimits{}.overturning;
  double mixed_depth = 500, mixed_pressure = 0;
  double theta = 300, frequency = 0.01, temperature = 250, surface_pressure = 1e5, vapour = 14;
  bool dcmip = false;
};

/// A named number; NaN: there is none.
struct Entry
{
  std::string key, name, unit;
  double value;
};

/// @throws UsageError for a name that is not known, with the nearest
void check_name(std::string_view what, std::string_view given,
                const std::vector<std::string_view>& known)
{
  for (const std::string_view name : known)
    if (name == given) return;
  throw UsageError(fmt::format("unknown {} '{}'{}; known: {}", what, given,
                               did_you_mean(given, known), join(known, ", ")));
}

WindFunction wind_named(const SoundingOptions& o)
{
  check_name("wind", o.wind, {"uniform", "tanh", "quarter-circle"});
  if (o.wind == "quarter-circle") return quarter_circle_wind();
  if (!(o.wind_height > 0)) throw UsageError("--wind-height must be above 0 m");
  return o.wind == "tanh" ? tanh_wind(o.velocity[0], o.velocity[1], o.wind_height)
                          : uniform_wind(o.velocity[0], o.velocity[1]);
}

MoistProfile profile_named(const SoundingOptions& o, double top)
{
  check_name("profile", o.profile, {"weisman-klemp", "neutral", "stratified", "isothermal"});
  if (!(o.surface_pressure > 0)) throw UsageError("--surface-pressure must be above 0 Pa");
  if (o.profile == "neutral") return neutral_profile(o.theta, top, o.surface_pressure);
  if (o.profile == "stratified" && !(o.frequency > 0))
    throw UsageError("--frequency must be above 0 1/s");
  if (o.profile == "stratified")
    return stratified_profile(o.theta, o.frequency, top, o.surface_pressure);
  if (o.profile == "isothermal" && !(o.temperature > 0))
    throw UsageError("--temperature must be above 0 K");
  if (o.profile == "isothermal") return isothermal_profile(o.temperature, top, o.surface_pressure);
  WeismanKlemp wk;
  wk.most_vapour = o.vapour / 1e3;
  wk.surface_pressure = o.surface_pressure;
  wk.dcmip = o.dcmip;
  return weisman_klemp(wk, top);
}

Sounding sounding_of(const SoundingOptions& o)
{
  if (o.file.empty() == o.profile.empty())
    throw UsageError("either a FILE or --profile NAME is expected (try --help)");
  SoundingLimits limits;
  limits.overturning = o.overturning;
  limits.least_top = o.file.empty() ? 0 : o.top;
  const double top = o.top > 0 ? o.top : 20000;
  Sounding s = o.file.empty() ? sample(profile_named(o, top), wind_named(o), 25, o.profile)
                              : read_sounding(o.file);
  check_sounding(s, limits);
  return s;
}

void add_parcel(std::vector<Entry>& out, const std::string& key, const std::string& name,
                const ParcelIndices& p)
{
  out.push_back({key + "_cape", name + " CAPE", "J/kg", p.cape});
  out.push_back({key + "_cin", name + " CIN", "J/kg", p.cin});
  out.push_back({key + "_start", name + " starts at", "m", p.start.height});
  out.push_back({key + "_lcl", name + " LCL", "m", p.lcl});
  out.push_back({key + "_lfc", name + " LFC", "m", p.lfc});
  out.push_back({key + "_el", name + " EL", "m", p.el});
  out.push_back({key + "_lifted_index", name + " lifted index", "K", p.lifted_index});
}

void add_wind(std::vector<Entry>& out, const std::string& key, const std::string& name, Wind w)
{
  out.push_back({key + "_u", name + ", u", "m/s", w[0]});
  out.push_back({key + "_v", name + ", v", "m/s", w[1]});
}

void add_helicity(std::vector<Entry>& out, const Sounding& s, const std::string& key,
                  const std::string& name, Wind motion)
{
  if (std::isnan(motion[0])) return;
  for (const int depth : {1, 3})
    out.push_back({fmt::format("srh_{}km_{}", depth, key),
                   fmt::format("0-{} km SRH, {}", depth, name), "m2/s2",
                   storm_relative_helicity(s, depth * 1e3, motion)});
}

std::vector<Entry> entries_of(const Sounding& s, const SoundingIndices& x, const SoundingOptions& o)
{
  std::vector<Entry> out;
  add_parcel(out, "surface", "surface parcel:", x.surface);
  add_parcel(out, "mixed", "mixed parcel:", x.mixed);
  add_parcel(out, "most_unstable", "most unstable:", x.most_unstable);
  out.push_back({"precipitable_water", "precipitable water", "mm", x.precipitable_water});
  out.push_back({"freezing_level", "freezing level", "m", x.freezing_level});
  out.push_back({"k_index", "K index", "K", x.k_index});
  out.push_back({"total_totals", "total totals", "K", x.total_totals});
  out.push_back({"shear_1km", "0-1 km shear", "m/s", x.wind.shear_1km});
  out.push_back({"shear_3km", "0-3 km shear", "m/s", x.wind.shear_3km});
  out.push_back({"shear_6km", "0-6 km shear", "m/s", x.wind.shear_6km});
  add_wind(out, "mean_6km", "0-6 km mean wind", x.wind.mean_6km);
  add_wind(out, "right_mover", "right mover", x.wind.right_mover);
  add_wind(out, "left_mover", "left mover", x.wind.left_mover);
  add_helicity(out, s, "right_mover", "right mover", x.wind.right_mover);
  add_helicity(out, s, "left_mover", "left mover", x.wind.left_mover);
  if (!o.storm_motion.empty())
    add_helicity(out, s, "storm", "storm", {o.storm_motion[0], o.storm_motion[1]});
  return out;
}

void write_text(const std::string& path, const std::string& text)
{
  FileOutput file(path);
  file.write(text);
  file.commit();
}

std::string json_of(const std::vector<Entry>& entries)
{
  std::string text = "{";
  for (const Entry& e : entries)
    text += fmt::format("{}\n  \"{}\": {}", text.size() > 1 ? "," : "", e.key,
                        std::isnan(e.value) ? "null" : fmt::format("{:.17g}", e.value));
  return text + "\n}\n";
}

void write_files(const Sounding& s, const SoundingIndices& x, const SoundingOptions& o,
                 Ascent ascent, const std::string& json)
{
  if (!o.json.empty()) write_text(o.json, json);
  if (!o.input_sounding.empty()) write_text(o.input_sounding, to_input_sounding(s));
  if (o.png.empty()) return;
  SoundingPicture picture;
  picture.title = s.name;
  picture.ascent = ascent;
  picture.parcel = o.parcel == "surface" ? x.surface.start
                   : o.parcel == "mixed" ? x.mixed.start
                                         : x.most_unstable.start;
  if (!o.storm_motion.empty()) picture.storm_motion = Wind{o.storm_motion[0], o.storm_motion[1]};
  write_sounding_picture(o.png, s, picture);
}

void bind_profile(CLI::App& app, SoundingOptions& o)
{
  app.add_option("--profile", o.profile, "weisman-klemp, neutral, stratified or isothermal");
  app.add_option("--vapour", o.vapour, "Weisman & Klemp: most, g/kg")->check(CLI::Range(0.0, 40.0));
  app.add_flag("--dcmip", o.dcmip, "Weisman & Klemp: the variant of DCMIP-2016");
  app.add_option("--theta", o.theta, "Neutral, stratified: at the surface, K");
  app.add_option("--frequency", o.frequency, "Stratified: of buoyancy, 1/s");
  app.add_option("--temperature", o.temperature, "Isothermal, K");
  app.add_option("--surface-pressure", o.surface_pressure, "Of a profile, Pa");
  app.add_option("--wind", o.wind, "Of a profile: uniform, tanh or quarter-circle");
  app.add_option("--wind-velocity", o.velocity, "Uniform, tanh: U,V in m/s")->delimiter(',');
  app.add_option("--wind-height", o.wind_height, "Tanh, m");
  app.add_option("--top", o.top, "Of a profile (0: 20 km), or that a file must reach, m")
      ->check(CLI::Range(0.0, 60000.0));
}

void bind(CLI::App& app, SoundingOptions& o)
{
  app.add_option("file", o.file, "Text columns of the University of Wyoming, or input_sounding");
  bind_profile(app, o);
  app.add_option("--overturning", o.overturning,
                 "Fall of virtual potential temperature between levels that is accepted, K");
  app.add_option("--storm-motion", o.storm_motion, "U,V in m/s")->delimiter(',')->expected(2);
  app.add_option("--parcel", o.parcel, "Of the picture: surface, mixed or most-unstable");
  app.add_option("--ascent", o.ascent, "pseudo-adiabatic or reversible");
  app.add_option("--mixed-depth", o.mixed_depth, "Of the mixed parcel, m")
      ->check(CLI::Range(1.0, 10000.0));
  app.add_option("--mixed-pressure", o.mixed_pressure, "Its depth in Pa instead, if above 0")
      ->check(CLI::Range(0.0, 50000.0));
  app.add_option("--json", o.json, "Write the numbers to this file");
  app.add_option("--png", o.png, "Draw skew-T and hodograph into this file");
  app.add_option("--write-input-sounding", o.input_sounding, "Write an input_sounding");
}

}  // namespace

int tell_sounding(int argc, char** argv)
{
  CLI::App app{"Reads or makes a sounding, tells its numbers and draws it.",
               "helicity-weather sounding"};
  set_up(app);
  SoundingOptions o;
  bind(app, o);
  parse(app, argc, argv);
  check_name("parcel", o.parcel, {"surface", "mixed", "most-unstable"});
  check_name("ascent", o.ascent, {"pseudo-adiabatic", "reversible"});
  const Sounding s = sounding_of(o);
  IndexOptions options;
  options.ascent = o.ascent == "reversible" ? Ascent::reversible : Ascent::pseudo_adiabatic;
  options.mixed_depth = o.mixed_depth;
  options.mixed_pressure = o.mixed_pressure;
  const SoundingIndices x = indices_of(s, options);
  const auto entries = entries_of(s, x, o);
  fmt::print("{}: {} levels up to {:.6g} m\n", s.name, s.levels.size(), s.levels.back().height);
  for (const Entry& e : entries)
    fmt::print("{:<30} {:>10} {}\n", e.name,
               std::isnan(e.value) ? "none" : fmt::format("{:.2f}", e.value), e.unit);
  write_files(s, x, o, options.ascent, json_of(entries));
  return success;
}

}  // namespace helicity::app
