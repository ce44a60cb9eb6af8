// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/file_output.hpp>
#include <helicity/core/log.hpp>
#include <helicity/io/detail/hdf5.hpp>
#include <helicity/io/detail/layout.hpp>
#include <helicity/io/detail/xdmf.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace helicity::io::detail {
namespace {

constexpr std::array types{ElementType::uint8, ElementType::int32, ElementType::int64,
                           ElementType::float32, ElementType::float64};

/// Adds a dataset to the variables if it has the shape (1, z, y, x) and a type of ours.
void add_variable(XdmfStep& step, const std::string& path, hid_t file, Index3 cells,
                  const std::string& name)
{
  const Dataset dataset(ok(path, "H5Dopen2", H5Dopen2(file, name.c_str(), H5P_DEFAULT)));
  const Space space(ok(path, "H5Dget_space", H5Dget_space(dataset)));
  if (H5Sget_simple_extent_ndims(space) != 4) return;
  hsize_t size[4];
  ok(path, "H5Sget_simple_extent_dims", H5Sget_simple_extent_dims(space, size, nullptr));
  for (int axis = 0; axis < 3; ++axis)
    if (size[3 - axis] != static_cast<hsize_t>(cells[axis]))
      throw Hdf5Fault(path, "read", "its grid is another");
  const Type type(ok(path, "H5Dget_type", H5Dget_type(dataset)));
  for (const ElementType t : types)
    if (H5Tequal(type, file_type(t)) > 0) step.variables.emplace_back(name, t);
}

XdmfStep read_step(const std::string& path, Index3 cells)
{
  const File file = open_serial(path);
  XdmfStep step;
  const Dataset time(ok(path, "H5Dopen2", H5Dopen2(file, "time", H5P_DEFAULT)));
  const Space space(ok(path, "H5Dget_space", H5Dget_space(time)));
  if (H5Sget_simple_extent_npoints(space) != 1) throw Hdf5Fault(path, "read", "not one time");
  ok(path, "H5Dread", H5Dread(time, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &step.time));
  for (const std::string& name : link_names(path, file, H5_INDEX_CRT_ORDER))
    add_variable(step, path, file, cells, name);
  return step;
}

/// Snapshots beside a prefix: PREFIX_<digits>.h5.
std::vector<std::string> snapshots(const std::string& prefix)
{
  const std::filesystem::path start(prefix);
  const std::string stem = start.filename().string() + "_", end = ".h5";
  const auto folder = start.has_parent_path() ? start.parent_path() : std::filesystem::path(".");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() < stem.size() + 9 + end.size() || !name.starts_with(stem) ||
        !name.ends_with(end))
      continue;
    const auto first = name.begin() + static_cast<std::ptrdiff_t>(stem.size());
    if (std::all_of(first, name.end() - 3, [](char c) { return c >= '0' && c <= '9'; }))
      names.push_back(name);
  }
  return names;
}

std::string escaped(const std::string& text)
{
  std::string out;
  for (const char c : text) switch (c)
    {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

std::string number_type(ElementType type)
{
  const char* kind = type == ElementType::uint8                                     ? "UChar"
                     : type == ElementType::float32 || type == ElementType::float64 ? "Float"
                                                                                    : "Int";
  return fmt::format("NumberType=\"{}\" Precision=\"{}\"", kind, size_of(type));
}

/// A variable: the values of the cells of the mesh, the only time of its dataset.
std::string attribute(const std::string& file, const std::string& name, ElementType type, Index3 n)
{
  const std::string cells = fmt::format("{} {} {}", n.k, n.j, n.i);
  return fmt::format(
      "        <Attribute Name=\"{0}\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
      "          <DataItem ItemType=\"HyperSlab\" Dimensions=\"{1}\">\n"
      "            <DataItem Dimensions=\"3 4\" NumberType=\"Int\" Format=\"XML\">"
      "0 0 0 0 1 1 1 1 1 {1}</DataItem>\n"
      "            <DataItem Dimensions=\"1 {1}\" {2} Format=\"HDF\">{3}:/{0}</DataItem>\n"
      "          </DataItem>\n"
      "        </Attribute>\n",
      name, cells, number_type(type), escaped(file));
}

}  // namespace

Xdmf::Xdmf(std::string prefix, Index3 cells, Coordinates coordinates)
    : prefix_(std::move(prefix)), cells_(cells), coordinates_(std::move(coordinates))
{}

void Xdmf::update(const std::string& changed)
{
  const auto folder = std::filesystem::path(prefix_).parent_path();
  std::map<std::string, XdmfStep> old = std::move(steps_);
  steps_.clear();
  old.erase(std::filesystem::path(changed).filename().string());
  for (const std::string& name : snapshots(prefix_)) {
    const std::string path = (folder / name).string();
    const auto known = old.find(name);
    try {
      steps_[name] = known != old.end() ? known->second : read_step(path, cells_);
    } catch (const Hdf5Fault& e) {
      log(LogKind::warning, prefix_ + ".xmf leaves out a file: " + e.what());
    }
  }
  FileOutput out(prefix_ + ".xmf");
  out.write(text());
  out.commit();
}

/// A mesh of points at the corners, values in the cells: ParaView then draws the whole domain, each
/// cell in its colour, and grids of one layer. Its readers take dimensions, origin and spacing in
/// the order z, y, x.
std::string Xdmf::text() const
{
  const Index3 n = cells_;
  const auto& o = coordinates_.origin;
  const auto& d = coordinates_.spacing;
  const std::string mesh = fmt::format(
      "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{} {} {}\"/>\n"
      "        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
      "          <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">"
      "{} {} {}</DataItem>\n"
      "          <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">"
      "{} {} {}</DataItem>\n"
      "        </Geometry>\n",
      n.k + 1, n.j + 1, n.i + 1, o[2], o[1], o[0], d[2], d[1], d[0]);
  std::string out =
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n"
      "    <Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  std::vector<std::pair<std::string, XdmfStep>> sorted(steps_.begin(), steps_.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first.size() < b.first.size();  // more digits, later
  });
  for (const auto& [file, step] : sorted) {
    out += fmt::format(
        "      <Grid Name=\"grid\" GridType=\"Uniform\">\n        <Time Value=\"{}\"/>\n",
        step.time);
    out += mesh;
    for (const auto& [name, type] : step.variables) out += attribute(file, name, type, n);
    out += "      </Grid>\n";
  }
  return out + "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

}  // namespace helicity::io::detail
