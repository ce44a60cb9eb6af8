// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/text.hpp>
#include <helicity/io/detail/attributes.hpp>
#include <helicity/io/detail/hdf5.hpp>
#include <helicity/io/detail/state_header.hpp>
#include <helicity/io/raster.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>

namespace helicity::io {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A dataset of numbers.
class Numbers
{
 public:
  Numbers(std::string path, std::string name, hid_t file)
      : path_(std::move(path)),
        name_(std::move(name)),
        set_(detail::ok(path_, "H5Dopen2", H5Dopen2(file, name_.c_str(), H5P_DEFAULT)))
  {
    const detail::Space space(detail::ok(path_, "H5Dget_space", H5Dget_space(set_)));
    const int rank =
        detail::ok(path_, "H5Sget_simple_extent_ndims", H5Sget_simple_extent_ndims(space));
    size_.resize(static_cast<std::size_t>(rank));
    detail::ok(path_, "H5Sget_simple_extent_dims",
               H5Sget_simple_extent_dims(space, size_.data(), nullptr));
    const detail::Type type(detail::ok(path_, "H5Dget_type", H5Dget_type(set_)));
    const H5T_class_t kind = H5Tget_class(type);
    numeric_ = kind == H5T_INTEGER || kind == H5T_FLOAT;
  }

  const std::vector<hsize_t>& size() const { return size_; }
  std::string where() const { return path_ + ": variable " + name_; }

  /// All values, unpacked.
  std::vector<double> read() const
  {
    if (!numeric_) throw InputError(where() + " holds no numbers");
    std::size_t count = 1;
    for (const hsize_t n : size_) count *= static_cast<std::size_t>(n);
    std::vector<double> values(count);
    detail::ok(path_, "H5Dread",
               H5Dread(set_, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    const auto fill = number("_FillValue"), missing = number("missing_value");
    const double factor = number("scale_factor").value_or(1),
                 offset = number("add_offset").value_or(0);
    for (double& v : values) v = v == fill || v == missing ? none : v * factor + offset;
    return values;
  }

  /// An attribute that is a number, alone or the first of a list.
  std::optional<double> number(const char* attribute) const
  {
    if (!detail::has_attribute(path_, set_, attribute)) return std::nullopt;
    const detail::Attribute a(detail::ok(path_, "H5Aopen", H5Aopen(set_, attribute, H5P_DEFAULT)));
    const detail::Space space(detail::ok(path_, "H5Aget_space", H5Aget_space(a)));
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 1) return std::nullopt;
    std::vector<double> values(static_cast<std::size_t>(count));
    detail::ok(path_, "H5Aread", H5Aread(a, H5T_NATIVE_DOUBLE, values.data()));
    return values.front();
  }

  /// Its attribute `units`; empty: none.
  std::string units() const
  {
    if (!detail::has_attribute(path_, set_, "units")) return {};
    const detail::Attribute a(detail::ok(path_, "H5Aopen", H5Aopen(set_, "units", H5P_DEFAULT)));
    const detail::Type type(detail::ok(path_, "H5Aget_type", H5Aget_type(a)));
    if (H5Tget_class(type) != H5T_STRING) return "not a text";
    if (H5Tis_variable_str(type) > 0) {
      char* text = nullptr;
      detail::ok(path_, "H5Aread", H5Aread(a, type, static_cast<void*>(&text)));
      std::string units = text == nullptr ? "" : text;
      H5free_memory(text);
      return units;
    }
    std::string text(H5Tget_size(type), '\0');
    detail::ok(path_, "H5Aread", H5Aread(a, type, text.data()));
    return text.substr(0, text.find('\0'));
  }

 private:
  std::string path_, name_;
  detail::Dataset set_;
  std::vector<hsize_t> size_;
  bool numeric_ = false;
};

/// netCDF, but not HDF5: "CDF" comes first.
bool is_classic(const std::string& path)
{
  std::array<char, 3> first{};
  std::ifstream file(path, std::ios::binary);
  return file.read(first.data(), 3) && first == std::array{'C', 'D', 'F'};
}

bool is_dataset(const std::string& path, hid_t file, const std::string& name)
{
  const detail::Object object(
      detail::ok(path, "H5Oopen", H5Oopen(file, name.c_str(), H5P_DEFAULT)));
  return H5Iget_type(object) == H5I_DATASET;
}

/// Name of the variable asked for, or of the only one of two dimensions.
std::string choose(const std::string& path, hid_t file, const std::vector<std::string>& names,
                   const std::string& wanted)
{
  std::vector<std::string> planes;
  for (const std::string& name : names)
    if (Numbers(path, name, file).size().size() == 2) planes.push_back(name);
  if (planes.empty()) throw InputError(path + ": has no variable of two dimensions");
  const std::vector<std::string_view> views(planes.begin(), planes.end());
  if (!wanted.empty()) {
    if (std::find(planes.begin(), planes.end(), wanted) == planes.end())
      throw InputError(fmt::format("{}: has no variable {} of two dimensions; it has {}", path,
                                   wanted, join(views, ", ")));
    return wanted;
  }
  if (planes.size() > 1)
    throw InputError(fmt::format("{}: has several variables of two dimensions ({}): which one?",
                                 path, join(views, ", ")));
  return planes.front();
}

/// Refuses coordinates that are not metres.
void check_units(const Numbers& coordinate)
{
  const std::string units = coordinate.units();
  for (const char* good : {"", "m", "metre", "metres", "meter", "meters"})
    if (units == good) return;
  throw InputError(fmt::format("{} is in {}; wanted metres", coordinate.where(), units));
}

std::vector<double> read_coordinate(const std::string& path, hid_t file,
                                    const std::vector<std::string>& names, const std::string& name,
                                    hsize_t size)
{
  const auto has = [&](const char* n) {
    return std::find(names.begin(), names.end(), n) != names.end();
  };
  if (!has(name.c_str())) {
    if (has("lat") || has("lon") || has("latitude") || has("longitude"))
      throw InputError(path +
                       ": is on latitudes and longitudes; wanted x and y in metres: project "
                       "it first (gdalwarp -t_srs)");
    throw InputError(fmt::format("{}: has no coordinate variable {}", path, name));
  }
  const Numbers coordinate(path, name, file);
  if (coordinate.size() != std::vector<hsize_t>{size})
    throw InputError(fmt::format("{} does not have the {} values that the variable has along it",
                                 coordinate.where(), size));
  check_units(coordinate);
  return coordinate.read();
}

/// Whether values rise; false: they fall. @throws InputError if they do neither
bool rises(const std::string& path, const std::string& name, const std::vector<double>& v)
{
  const bool up = v.size() > 1 && v[1] > v[0];
  for (std::size_t n = 0; n < v.size(); ++n)
    if (!std::isfinite(v[n]) || (n > 0 && (up ? !(v[n] > v[n - 1]) : !(v[n] < v[n - 1]))))
      throw InputError(
          fmt::format("{}: coordinate {} neither rises nor falls at value {}", path, name, n + 1));
  return up;
}

/// Turns falling coordinates, and what stands on them.
void turn(Raster& r, bool x_rises, bool y_rises)
{
  const std::size_t nx = r.x.size(), ny = r.y.size();
  std::vector<double> turned(r.values.size());
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i)
      turned[i + nx * j] = r.at(x_rises ? i : nx - 1 - i, y_rises ? j : ny - 1 - j);
  r.values = std::move(turned);
  if (!x_rises) std::reverse(r.x.begin(), r.x.end());
  if (!y_rises) std::reverse(r.y.begin(), r.y.end());
}

Raster read(const std::string& path, hid_t file, const std::string& variable)
{
  std::vector<std::string> names = detail::link_names(path, file, H5_INDEX_NAME);
  std::erase_if(names, [&](const std::string& n) { return !is_dataset(path, file, n); });
  Raster r;
  r.name = choose(path, file, names, variable);
  const Numbers plane(path, r.name, file);
  r.y = read_coordinate(path, file, names, "y", plane.size()[0]);
  r.x = read_coordinate(path, file, names, "x", plane.size()[1]);
  r.values = plane.read();
  const bool x_rises = rises(path, "x", r.x), y_rises = rises(path, "y", r.y);
  if (!x_rises || !y_rises) turn(r, x_rises, y_rises);
  return r;
}

}  // namespace

Raster read_raster(const std::string& path, const std::string& variable)
{
  const detail::Quiet quiet;
  if (is_classic(path))
    throw InputError(path + ": netCDF of the classic kind; wanted netCDF-4: nccopy -k nc4");
  const detail::File file = detail::open_input(path);
  Raster r;
  detail::reading(path, [&] { r = read(path, file, variable); });
  return r;
}

}  // namespace helicity::io
