// SPDX-License-Identifier: Apache-2.0
#include <helicity/io/detail/agree.hpp>
#include <helicity/io/detail/attributes.hpp>
#include <helicity/io/detail/layout.hpp>
#include <helicity/io/detail/state_header.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

namespace helicity::io::detail {
namespace {

constexpr std::array types{ElementType::uint8, ElementType::int32, ElementType::int64,
                           ElementType::float32, ElementType::float64};

/// Whether a file is for us; reads nothing else before it is known.
void require_kind(const std::string& path, hid_t file)
{
  const bool ours = has_attribute(path, file, "kind") &&
                    read_attribute(path, file, "kind") == Value(std::string(state::kind));
  if (!ours) throw InputError(path + ": an HDF5 file, but not a state of Helicity");
  const auto version = read_integers(path, file, "version");
  if (version != std::vector{state::version})
    throw InputError(path + ": state format " +
                     (version.empty() ? "unknown" : std::to_string(version.front())) +
                     "; this program reads format " + std::to_string(state::version));
}

void require_cells(const std::string& path, hid_t file, Index3 cells)
{
  const auto found = read_integers(path, file, "cells");
  if (found.size() != 3) throw InputError(path + ": damaged: its grid has no 3 axes");
  if (found != std::vector<std::int64_t>{cells.i, cells.j, cells.k})
    throw InputError(path + ": holds a grid of " + to_string({found[0], found[1], found[2]}) +
                     " cells; wanted " + to_string(cells));
}

Attributes read_user_attributes(const std::string& path, hid_t file, Index3 cells)
{
  const Group group(ok(path, "H5Gopen2", H5Gopen2(file, state::attributes_group, H5P_DEFAULT)));
  Attributes attributes = read_attributes(path, group);
  if (read_unsigned(path, file, state::checksum) != state::checksum_of(attributes, cells))
    throw InputError(path + ": damaged: the attributes do not match their checksum");
  return attributes;
}

state::Stored read_stored(const std::string& path, const std::string& name, hid_t object,
                          Index3 cells)
{
  const auto odd = [&](const char* what) {
    return InputError(path + ": damaged: dataset " + name + " has another " + what);
  };
  if (H5Iget_type(object) != H5I_DATASET) throw odd("kind");
  const Space space(ok(path, "H5Dget_space", H5Dget_space(object)));
  if (H5Sget_simple_extent_ndims(space) != 4) throw odd("number of dimensions");
  hsize_t size[4];
  ok(path, "H5Sget_simple_extent_dims", H5Sget_simple_extent_dims(space, size, nullptr));
  for (int axis = 0; axis < 3; ++axis)
    if (size[3 - axis] != static_cast<hsize_t>(cells[axis])) throw odd("size");
  if (size[0] < 1 || size[0] > std::numeric_limits<int>::max()) throw odd("size");
  state::Stored stored;
  stored.components = static_cast<int>(size[0]);
  const Type type(ok(path, "H5Dget_type", H5Dget_type(object)));
  bool known = false;
  for (const ElementType t : types)
    if (ok(path, "H5Tequal", H5Tequal(type, file_type(t))) > 0) known = (stored.type = t, true);
  if (!known) throw odd("type");
  stored.checksum = read_unsigned(path, object, state::checksum);
  return stored;
}

state::Header read_serial(const std::string& path, Index3 cells)
{
  const File file = open_input(path);
  state::Header header;
  reading(path, [&] {
    require_kind(path, file);
    require_cells(path, file, cells);
    header.attributes = read_user_attributes(path, file, cells);
    for (const std::string& name : link_names(path, file, H5_INDEX_NAME)) {
      if (name == state::attributes_group) continue;
      const Object object(ok(path, "H5Oopen", H5Oopen(file, name.c_str(), H5P_DEFAULT)));
      header.datasets[name] = read_stored(path, name, object, cells);
    }
  });
  return header;
}

std::string packed(const state::Header& header)
{
  Packer packer;
  packer.attributes(header.attributes).number(header.datasets.size());
  for (const auto& [name, stored] : header.datasets)
    packer.text(name)
        .number(static_cast<std::uint64_t>(stored.type))
        .number(static_cast<std::uint64_t>(stored.components))
        .number(stored.checksum);
  return packer.bytes();
}

state::Header unpacked(std::string bytes)
{
  Unpacker unpacker(std::move(bytes));
  state::Header header;
  header.attributes = unpacker.attributes();
  for (std::uint64_t left = unpacker.number(); left > 0; --left) {
    state::Stored& stored = header.datasets[unpacker.text()];
    stored.type = static_cast<ElementType>(unpacker.number());
    stored.components = static_cast<int>(unpacker.number());
    stored.checksum = unpacker.number();
  }
  return header;
}

}  // namespace

File open_input(const std::string& path)
{
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || access(path.c_str(), R_OK) != 0)
    throw InputError(path + ": cannot be read: " + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw InputError(path + ": not a file");
  if (H5Fis_hdf5(path.c_str()) <= 0) throw InputError(path + ": not an HDF5 file");
  try {
    return open_serial(path);
  } catch (const Hdf5Fault& e) {
    if (std::strstr(e.what(), "HDF5_USE_FILE_LOCKING") != nullptr) throw;
    throw InputError(path + ": damaged or truncated: " + e.short_text());
  }
}

state::Header read_header(const std::string& path, const comm::Communicator& comm, Index3 cells)
{
  std::string bytes;
  on_first_rank(comm, [&] { bytes = packed(read_serial(path, cells)); });
  return unpacked(comm.broadcast(std::move(bytes)));
}

}  // namespace helicity::io::detail
